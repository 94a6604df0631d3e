import type { Hit, Plan } from "../../records/index.js";
import type { StageRun } from "../run.js";

export interface AnswerInput {
  readonly question: string;
  readonly plan: Plan;
  /** Best first. */
  readonly hits: readonly Hit[];
  /** The same hits as the fenced block that a prompt gets; line n is hits[n - 1]. */
  readonly contextBlock: string;
  readonly timeZone: string;
}

export interface AnswerOutput {
  /** "" when abstained. */
  readonly answer: string;
  readonly abstained: boolean;
  readonly reason?: string;
  readonly confidence: number;
  /** Ids of the hits that the answer stands on; a subset of the input's. */
  readonly citedIds: readonly string[];
}

/** Answers from the hits only, and abstains when the evidence is not there. */
export interface Answerer {
  answer(input: AnswerInput, run: StageRun): Promise<AnswerOutput>;
  /** The same in pieces, as they come. Absent: the answer comes in one piece. */
  stream?(input: AnswerInput, run: StageRun): AsyncGenerator<string, AnswerOutput>;
}
