import type { ScopedHandle } from "../memory/index.js";
import type { Answer, Hit, SearchOptions, Usage } from "../records/index.js";
import type { EvalQuestion } from "./conversation.js";
import type { Space } from "./space.js";

/** What came of one question. */
export interface Asked {
  readonly conversation: string;
  readonly question: EvalQuestion;
  readonly hits: readonly Hit[];
  /** Milliseconds of the search. */
  readonly ms: number;
  readonly usage: Usage;
  /** Present when answers were asked for. */
  readonly answer?: Answer;
}

/** Searches every question of a space, one after the other, and answers it when that is asked for. */
export async function askAll(
  memory: ScopedHandle,
  space: Space,
  search: SearchOptions,
  wantsAnswers: boolean,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const { name, questions } of space.conversations) {
    for (const question of questions) {
      const startedAt = performance.now();
      const { hits, usage } = await memory.search(question.question, search);
      const ms = performance.now() - startedAt;
      const answer = wantsAnswers ? { answer: await memory.ask(question.question) } : {};
      asked.push({ conversation: name, question, hits, ms, usage, ...answer });
    }
  }
  return asked;
}

/** True when a question counts for retrieval: it can be answered, and the turns that prove the answer are known. */
export function isProvable({ question }: Asked): boolean {
  return question.answer !== null && question.evidence.length > 0;
}

/** The value under which so large a share of the values lies. @param share 0 to 1 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
