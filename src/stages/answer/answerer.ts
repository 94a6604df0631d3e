import type { Hit, Plan } from "../../records/index.js";
import type { StageRun } from "../run.js";

/** A question, and what was found for it. */
export interface AnswerInput {
  /** The question as it was asked. */
  readonly question: string;
  /** What was looked for. */
  readonly plan: Plan;
  /** Best first. */
  readonly hits: readonly Hit[];
  /** The same hits as the fenced block that a prompt gets; line n is hits[n - 1]. */
  readonly contextBlock: string;
  /** IANA zone in which days are meant. */
  readonly timeZone: string;
}

/** The answer, or the abstention. */
export interface AnswerOutput {
  /** "" when abstained. */
  readonly answer: string;
  /** True: the hits do not hold the answer. */
  readonly abstained: boolean;
  /** Why it was abstained. */
  readonly reason?: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** Ids of the hits that the answer stands on; a subset of the input's. */
  readonly citedIds: readonly string[];
}

/** Answers from the hits only, and abstains when the evidence is not there. */
export interface Answerer {
  /** Answers one question. @throws when it could not: the question is answered by rules */
  answer(input: AnswerInput, run: StageRun): Promise<AnswerOutput>;
  /** The same in pieces, as they come. Absent: the answer comes in one piece. */
  stream?(input: AnswerInput, run: StageRun): AsyncGenerator<string, AnswerOutput>;
}
