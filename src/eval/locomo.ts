import { readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod/v4";
import { type LocomoSession, locomoSessions } from "../memory/foreign/locomo.js";
import { type EvalConversation, type EvalQuestion, type EvalSession, readJsonFile } from "./conversation.js";

/** What the categories of LoCoMo are called in tables (Maharana et al., ACL 2024, section 4.1). */
export const LOCOMO_CATEGORIES: readonly string[] = [
  "multi-hop",
  "temporal",
  "open-domain",
  "single-hop",
  "adversarial",
];
const ADVERSARIAL = 5;

const questionSchema = z.object({
  question: z.string(),
  category: z.int().min(1).max(ADVERSARIAL),
  answer: z.union([z.string(), z.number()]).optional(),
  evidence: z.array(z.string()),
});
const fileSchema = z.looseObject({ qa: z.array(questionSchema) });

type LocomoQuestion = z.infer<typeof questionSchema>;

/** Some labels hold several ids in one string. */
const EVIDENCE = /D\d+:\d+/g;

function readSession({ id, turns }: LocomoSession): EvalSession {
  return {
    id,
    turns: turns.map(({ id: turnId, speaker, role, content, timestamp }) => ({
      id: turnId,
      speaker,
      role,
      content,
      timestamp,
    })),
  };
}

function readQuestion(
  name: string,
  known: ReadonlySet<string>,
  { question, category, answer, evidence }: LocomoQuestion,
): EvalQuestion {
  const ids = evidence.flatMap((text) => text.match(EVIDENCE) ?? []).map((id) => `${name}/${id}`);
  return {
    question,
    category: LOCOMO_CATEGORIES[category - 1] ?? String(category),
    answer: category === ADVERSARIAL || answer === undefined ? null : String(answer),
    evidence: [...new Set(ids)].filter((id) => known.has(id)),
  };
}

function readConversation(dir: string, name: string): EvalConversation {
  const path = join(dir, `${name}.json`);
  const file = readJsonFile(path, fileSchema);
  const sessions = locomoSessions(file, name).map(readSession);
  const known = new Set(sessions.flatMap(({ turns }) => turns.map(({ id }) => id)));
  return { name, sessions, questions: file.qa.map((question) => readQuestion(name, known, question)), facts: [] };
}

/**
 * Conversations of LoCoMo (https://github.com/snap-research/locomo), one JSON file each, with ids that carry the file's name.
 * @param files names without `.json`; absent: all of the folder
 * @example readLocomo("../shared/locomo", ["30"])
 */
export function readLocomo(dir: string, files?: readonly string[]): EvalConversation[] {
  const names = files ?? readdirSync(dir).flatMap((file) => (file.endsWith(".json") ? [file.slice(0, -5)] : []));
  return [...names].sort().map((name) => readConversation(dir, name));
}
