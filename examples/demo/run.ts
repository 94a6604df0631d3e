import type { Answer, ScopedMemory, WriteReport } from "../../src/index.js";
import { estimateTokens } from "../../src/models/index.js";
import type { DemoData, DemoQuestion, DemoTurn } from "./data.js";

export interface Asked {
  readonly question: DemoQuestion;
  readonly answer: Answer;
  /** Tokens that the answer took: those of the model's calls, or without a model those of the memories that were read. */
  readonly tokens: number;
}

/** What one question may read. */
export const CONTEXT_TOKENS = 250;

/** How far the writing has come, in turns. */
export type OnProgress = (done: number, total: number) => void;

function sessionsOf(turns: readonly DemoTurn[]): DemoTurn[][] {
  const sessions = new Map<string, DemoTurn[]>();
  for (const turn of turns) sessions.set(turn.sessionId, [...(sessions.get(turn.sessionId) ?? []), turn]);
  return [...sessions.values()];
}

/**
 * Adds the turns and rewrites them into facts, session by session.
 * @returns the report of the last session, or of the first that failed
 */
export async function fill(
  memory: ScopedMemory,
  turns: readonly DemoTurn[],
  onProgress: OnProgress = () => {},
): Promise<WriteReport> {
  const [first = [], ...others] = sessionsOf(turns);
  let done = 0;
  const take = async (session: readonly DemoTurn[]): Promise<WriteReport> => {
    onProgress(done, turns.length);
    await memory.add(session);
    const report = await memory.flush();
    done += session.length;
    onProgress(done, turns.length);
    return report;
  };
  let report = await take(first);
  for (const session of others) {
    if (report.failures.length > 0) return report;
    report = await take(session);
  }
  return report;
}

export async function askOne(memory: ScopedMemory, question: DemoQuestion): Promise<Asked> {
  const answer = await memory.ask(question.question, { maxTokens: CONTEXT_TOKENS });
  const { modelCalls, promptTokens, completionTokens } = answer.usage;
  const read = answer.hits.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  return { question, answer, tokens: modelCalls > 0 ? promptTokens + completionTokens : read };
}

/** Tokens of the whole conversation, as a prompt would carry it. */
export function historyTokens({ turns }: DemoData): number {
  return turns.reduce((sum, turn) => sum + estimateTokens(`${turn.speaker}: ${turn.content}`), 0);
}
