import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { z } from "zod/v4";
import { type DemoQuestion, type DemoTurn, demoQuestions, demoTurns } from "../../src/cli/demo/conversation.js";

export type { DemoQuestion, DemoTurn };

export interface DemoData {
  readonly turns: readonly DemoTurn[];
  readonly questions: readonly DemoQuestion[];
}

const locomoSession = z.array(
  z.object({ speaker: z.string(), dia_id: z.string(), text: z.string(), blip_caption: z.string().optional() }),
);
const locomoFile = z.looseObject({
  conversation: z.looseObject({}).optional(),
  qa: z
    .array(
      z.object({
        question: z.string(),
        answer: z.union([z.string(), z.number()]).optional(),
        category: z.number(),
        evidence: z.array(z.string()).optional(),
      }),
    )
    .default([]),
});

const ADVERSARIAL = 5;
const TURN_ID = /D\d+:\d+/g;
const SESSION_KEY = /^session_(\d+)$/;
const SESSION_TIME = /^(\d{1,2}):(\d{2}) (am|pm) on (\d{1,2}) (\w+), (\d{4})$/i;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MS_PER_MINUTE = 60_000;

async function readJsonFile<T>(file: string | URL, schema: z.ZodType<T>): Promise<T> {
  const read = schema.safeParse(JSON.parse(await readFile(file, "utf8")));
  if (read.success) return read.data;
  throw new Error(`${String(file)} does not hold what is expected: ${z.prettifyError(read.error).split("\n")[0]}`);
}

/** The conversation and the questions of examples/data. */
export async function loadOwnData(): Promise<DemoData> {
  return { turns: demoTurns(), questions: demoQuestions() };
}

/** "1:56 pm on 8 May, 2023" as milliseconds, read in UTC. */
export function readSessionTime(text: string): number {
  const [, hour, minute, half, day, month, year] = SESSION_TIME.exec(text.trim()) ?? [];
  const monthIndex = MONTHS.indexOf((month ?? "").slice(0, 3).toLowerCase());
  if (monthIndex < 0) throw new Error(`Not a session time: "${text}". Expected the form "1:56 pm on 8 May, 2023".`);
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === "pm" ? 12 : 0);
  return Date.UTC(Number(year), monthIndex, Number(day), hours, Number(minute));
}

function contentOf(turn: z.infer<typeof locomoSession>[number]): string {
  return turn.blip_caption ? `${turn.text} [shares a picture: ${turn.blip_caption}]` : turn.text;
}

/** Reads a LoCoMo file; the ids of its turns carry the file's name: "26/D1:3". */
export async function loadLocomo(file: string): Promise<DemoData> {
  const raw = await readJsonFile(file, locomoFile);
  // Some files keep the sessions one level down.
  const sessions: Readonly<Record<string, unknown>> = { ...raw, ...raw.conversation };
  const prefix = basename(file, ".json");
  const keys = Object.keys(sessions).filter((key) => SESSION_KEY.test(key));
  const turns = keys
    .sort((left, right) => Number(left.slice(8)) - Number(right.slice(8)))
    .flatMap((key) => {
      const start = readSessionTime(String(sessions[`${key}_date_time`]));
      return locomoSession.parse(sessions[key]).map(
        (turn, index): DemoTurn => ({
          id: `${prefix}/${turn.dia_id}`,
          sessionId: key,
          speaker: turn.speaker,
          role: "user",
          content: contentOf(turn),
          timestamp: new Date(start + index * MS_PER_MINUTE).toISOString(),
        }),
      );
    });
  const questions = raw.qa.map(({ question, answer, category, evidence = [] }) => ({
    question,
    answer: String(answer ?? ""),
    evidence: (evidence.join(" ").match(TURN_ID) ?? []).map((id) => `${prefix}/${id}`),
    abstain: category === ADVERSARIAL,
  }));
  return { turns, questions };
}
