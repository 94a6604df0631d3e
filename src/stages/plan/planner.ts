import type { DialogueTurn, Plan } from "../../records/index.js";
import type { StageRun } from "../run.js";

/** A question, and what is known of the asking. */
export interface PlanInput {
  /** The question as it was asked. */
  readonly question: string;
  /** Recent turns of the conversation, oldest first, that say what the question refers to. */
  readonly recent: readonly DialogueTurn[];
  /** Names of people that the scope's memory knows. */
  readonly knownPersons: readonly string[];
  /** The moment of asking, ISO 8601 in UTC. */
  readonly now: string;
  /** IANA zone in which days are meant. */
  readonly timeZone: string;
}

/** Turns a question into a plan for the search. */
export interface Planner {
  /** Plans one search. @throws when it could not: the question is planned by rules */
  plan(input: PlanInput, run: StageRun): Promise<Plan>;
}
