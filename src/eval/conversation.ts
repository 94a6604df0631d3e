import { readFileSync } from "node:fs";
import type { z } from "zod/v4";
import { InvalidInputError, type Role } from "../records/index.js";

/** A turn of a conversation that is measured. Its id is unique among all conversations of a run. */
export interface EvalTurn {
  readonly id: string;
  readonly speaker: string;
  readonly role: Role;
  readonly content: string;
  /** ISO 8601 in UTC. */
  readonly timestamp: string;
}

export interface EvalSession {
  readonly id: string;
  readonly turns: readonly EvalTurn[];
}

/** A question and what a right answer stands on. */
export interface EvalQuestion {
  readonly question: string;
  readonly category: string;
  /** Null when the conversation does not hold the answer: the right reply is an abstention. */
  readonly answer: string | null;
  /** Ids of the turns that prove the answer. */
  readonly evidence: readonly string[];
  /** What was true before the user changed it. */
  readonly outdated?: string;
}

/** A key-value that an agent would have noted with `facts.remember` while the conversation went on, in order. */
export interface EvalFact {
  readonly key: string;
  readonly value: string;
}

export interface EvalConversation {
  readonly name: string;
  readonly sessions: readonly EvalSession[];
  readonly questions: readonly EvalQuestion[];
  readonly facts: readonly EvalFact[];
}

export function turnsOf(conversation: EvalConversation): readonly EvalTurn[] {
  return conversation.sessions.flatMap(({ turns }) => turns);
}

/** @throws InvalidInputError naming the file and the first field that does not fit */
export function readJsonFile<T>(path: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new InvalidInputError(
    `${path}, field ${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? "does not fit"}.`,
  );
}
