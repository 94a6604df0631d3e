import type { Answer, ScopedMemory, WriteReport } from "../../src/index.js";
import { estimateTokens } from "../../src/models/index.js";
import type { DemoData, DemoQuestion, DemoTurn } from "./data.js";

export interface Asked {
  readonly question: DemoQuestion;
  readonly answer: Answer;
  /** Tokens of the context block for this question. */
  readonly tokens: number;
}

export const CONTEXT_TOKENS = 300;

/** Adds the turns and rewrites them into facts. */
export async function fill(memory: ScopedMemory, turns: readonly DemoTurn[]): Promise<WriteReport> {
  await memory.add(turns);
  return memory.flush();
}

export async function askOne(memory: ScopedMemory, question: DemoQuestion): Promise<Asked> {
  const answer = await memory.ask(question.question, { k: 20 });
  const context = await memory.context(question.question, { maxTokens: CONTEXT_TOKENS });
  return { question, answer, tokens: estimateTokens(context) };
}

/** Tokens of the whole conversation, as a prompt would carry it. */
export function historyTokens({ turns }: DemoData): number {
  return turns.reduce((sum, turn) => sum + estimateTokens(`${turn.speaker}: ${turn.content}`), 0);
}
