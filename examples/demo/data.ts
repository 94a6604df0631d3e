import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { TurnInput } from "../../src/index.js";

export interface DemoTurn extends TurnInput {
  readonly id: string;
  readonly sessionId: string;
  readonly timestamp: string;
}

export interface DemoQuestion {
  readonly question: string;
  readonly answer: string;
  /** Ids of the turns that prove the answer. */
  readonly evidence: readonly string[];
  /** True when the conversation does not hold the answer. */
  readonly abstain: boolean;
}

export interface DemoData {
  readonly turns: readonly DemoTurn[];
  readonly questions: readonly DemoQuestion[];
}

interface LocomoTurn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
  readonly blip_caption?: string;
}

interface LocomoQuestion {
  readonly question: string;
  readonly answer?: string | number;
  readonly category: number;
  readonly evidence?: readonly string[];
}

const ADVERSARIAL = 5;
const TURN_ID = /D\d+:\d+/g;
const SESSION_KEY = /^session_(\d+)$/;
const SESSION_TIME = /^(\d{1,2}):(\d{2}) (am|pm) on (\d{1,2}) (\w+), (\d{4})$/i;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MS_PER_MINUTE = 60_000;

async function readJsonFile<T>(file: string | URL): Promise<T> {
  return JSON.parse(await readFile(file, "utf8"));
}

/** The conversation and the questions of this folder. */
export async function loadOwnData(): Promise<DemoData> {
  const folder = new URL("../data/", import.meta.url);
  return {
    turns: await readJsonFile<DemoTurn[]>(new URL("conversation.json", folder)),
    questions: await readJsonFile<DemoQuestion[]>(new URL("questions.json", folder)),
  };
}

/** "1:56 pm on 8 May, 2023" as milliseconds, read in UTC. */
export function readSessionTime(text: string): number {
  const [, hour, minute, half, day, month, year] = SESSION_TIME.exec(text.trim()) ?? [];
  const monthIndex = MONTHS.indexOf((month ?? "").slice(0, 3).toLowerCase());
  if (monthIndex < 0) throw new Error(`Not a session time: "${text}". Expected the form "1:56 pm on 8 May, 2023".`);
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === "pm" ? 12 : 0);
  return Date.UTC(Number(year), monthIndex, Number(day), hours, Number(minute));
}

function contentOf(turn: LocomoTurn): string {
  return turn.blip_caption ? `${turn.text} [shares a picture: ${turn.blip_caption}]` : turn.text;
}

/** Reads a LoCoMo file; the ids of its turns carry the file's name: "26/D1:3". */
export async function loadLocomo(file: string): Promise<DemoData> {
  const raw = await readJsonFile<Record<string, unknown>>(file);
  // Some files keep the sessions one level down.
  const sessions = { ...raw, ...((raw.conversation as Record<string, unknown> | undefined) ?? {}) };
  const prefix = basename(file, ".json");
  const turns: DemoTurn[] = [];
  const keys = Object.keys(sessions).filter((key) => SESSION_KEY.test(key));
  for (const key of keys.sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)))) {
    const start = readSessionTime(String(sessions[`${key}_date_time`]));
    for (const [index, turn] of (sessions[key] as LocomoTurn[]).entries()) {
      const id = `${prefix}/${turn.dia_id}`;
      const timestamp = new Date(start + index * MS_PER_MINUTE).toISOString();
      turns.push({ id, sessionId: key, speaker: turn.speaker, role: "user", content: contentOf(turn), timestamp });
    }
  }
  const questions = ((raw.qa as LocomoQuestion[] | undefined) ?? []).map((entry) => ({
    question: entry.question,
    answer: String(entry.answer ?? ""),
    evidence: ((entry.evidence ?? []).join(" ").match(TURN_ID) ?? []).map((id) => `${prefix}/${id}`),
    abstain: entry.category === ADVERSARIAL,
  }));
  return { turns, questions };
}
