import type { ScopedHandle } from "../../index.js";
import type { MemoryEntry } from "../../records/index.js";
import type { Output } from "../output/output.js";
import { bold, dim } from "../output/style.js";
import { type DemoTurn, demoQuestions } from "./conversation.js";
import { showcase } from "./showcase.js";

const SHOWN_TURNS = 4;
const SHOWN_QUESTIONS = 5;
const PAGE = 1000;

/** Some turns beside the facts that they became. */
export async function showRewriting(output: Output, turns: readonly DemoTurn[], facts: readonly MemoryEntry[]) {
  await output.line();
  await output.line(bold("What was said, and what is remembered"));
  for (const { turn, facts: became } of showcase(turns, facts, SHOWN_TURNS)) {
    await output.line(dim(`  ${turn.speaker}: `), turn.content);
    for (const fact of became) await output.line(dim("    → "), fact);
  }
}

/** Some questions, their answers, and the ids of the turns that prove them; the last one has none. */
export async function showAnswers(output: Output, memory: ScopedHandle): Promise<void> {
  await output.line();
  await output.line(bold("Questions, each answered with the turn that proves it"));
  const questions = demoQuestions();
  const unanswerable = questions.filter(({ abstain }) => abstain).slice(0, 1);
  for (const { question } of [...questions.slice(0, SHOWN_QUESTIONS), ...unanswerable]) {
    const { answer, abstained, reason, citations } = await memory.ask(question);
    const sources = [...new Set(citations.flatMap(({ sourceIds }) => sourceIds))].slice(0, 2);
    await output.line(
      dim(`  ${question} `),
      abstained ? "I do not know. " : bold(answer),
      dim(abstained ? (reason ?? "") : ` ${sources.join(", ")}`),
    );
  }
}

/** The facts of a memory, those that are shown. */
export async function allFacts(memory: ScopedHandle): Promise<readonly MemoryEntry[]> {
  return (await memory.list({ limit: PAGE })).items;
}
