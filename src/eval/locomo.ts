import { readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod/v4";
import { InvalidInputError } from "../records/index.js";
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

const turnSchema = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
});
const questionSchema = z.object({
  question: z.string(),
  category: z.int().min(1).max(ADVERSARIAL),
  answer: z.union([z.string(), z.number()]).optional(),
  evidence: z.array(z.string()),
});
const fileSchema = z.looseObject({ qa: z.array(questionSchema) });
const sessionSchema = z.array(turnSchema);

type LocomoTurn = z.infer<typeof turnSchema>;
type LocomoQuestion = z.infer<typeof questionSchema>;

const MONTHS = "January February March April May June July August September October November December".split(" ");
const SESSION_TIME = /^(\d{1,2}):(\d{2}) (am|pm) on (\d{1,2}) (\w+), (\d{4})$/;
const SESSION = /^session_(\d+)$/;
/** Some labels hold several ids in one string. */
const EVIDENCE = /D\d+:\d+/g;
const MINUTE_MS = 60_000;

/** "4:04 pm on 20 January, 2023" as milliseconds, read in UTC. */
function sessionTime(text: string): number {
  const [, hour, minute, half, day, month, year] = SESSION_TIME.exec(text) ?? [];
  const monthIndex = MONTHS.indexOf(month ?? "");
  if (monthIndex < 0) throw new InvalidInputError(`"${text}" is no session time as LoCoMo writes them.`);
  const hours = (Number(hour) % 12) + (half === "pm" ? 12 : 0);
  return Date.UTC(Number(year), monthIndex, Number(day), hours, Number(minute));
}

function contentOf({ text, blip_caption }: LocomoTurn): string {
  return blip_caption === undefined ? text : `${text} [shares a picture: ${blip_caption}]`;
}

// Both speakers are people: neither is an assistant.
function readSession(name: string, id: string, turns: readonly LocomoTurn[], startsAt: number): EvalSession {
  return {
    id: `${name}/${id}`,
    turns: turns.map((turn, index) => ({
      id: `${name}/${turn.dia_id}`,
      speaker: turn.speaker,
      role: "user",
      content: contentOf(turn),
      timestamp: new Date(startsAt + index * MINUTE_MS).toISOString(),
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
  const numbers = Object.keys(file).flatMap((key) => SESSION.exec(key)?.[1] ?? []);
  const sessions = numbers
    .map(Number)
    .sort((left, right) => left - right)
    .map((number) => {
      const id = `session_${number}`;
      const turns = sessionSchema.parse(file[id]);
      const startsAt = sessionTime(z.string().parse(file[`${id}_date_time`]));
      return readSession(name, id, turns, startsAt);
    });
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
