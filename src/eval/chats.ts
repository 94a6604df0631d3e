import { readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod/v4";
import { type EvalConversation, type EvalSession, readJsonFile } from "./conversation.js";

/**
 * A chat between a user and an assistant. The words of a session alternate, the user's first; the id of a turn is
 * `<session>:<turn>`, both counted from 1, so that "3:5" is the user's third message of the third session.
 */
const chatSchema = z.strictObject({
  about: z.string(),
  user: z.string(),
  sessions: z.array(z.strictObject({ time: z.iso.datetime(), turns: z.array(z.string().min(1)) })),
  facts: z.array(z.strictObject({ key: z.string(), value: z.string() })),
  questions: z.array(
    z.strictObject({
      question: z.string(),
      category: z.enum(["own", "when", "changed", "joined", "assistant", "unanswerable"]),
      answer: z.string().nullable(),
      evidence: z.array(z.string().regex(/^\d+:\d+$/)),
      outdated: z.string().optional(),
    }),
  ),
});

type Chat = z.infer<typeof chatSchema>;

const MINUTE_MS = 60_000;

function readSession(
  name: string,
  number: number,
  user: string,
  { time, turns }: Chat["sessions"][number],
): EvalSession {
  return {
    id: `${name}/session_${number}`,
    turns: turns.map((content, index) => ({
      id: `${name}/${number}:${index + 1}`,
      speaker: index % 2 === 0 ? user : "Assistant",
      role: index % 2 === 0 ? "user" : "assistant",
      content,
      timestamp: new Date(Date.parse(time) + index * MINUTE_MS).toISOString(),
    })),
  };
}

function readChat(dir: string, name: string): EvalConversation {
  const { sessions, questions, user, facts } = readJsonFile(join(dir, `${name}.json`), chatSchema);
  return {
    name,
    facts,
    sessions: sessions.map((session, index) => readSession(name, index + 1, user, session)),
    questions: questions.map(({ question, category, answer, evidence, outdated }) => ({
      question,
      category,
      answer,
      evidence: evidence.map((id) => `${name}/${id}`),
      ...(outdated === undefined ? {} : { outdated }),
    })),
  };
}

/** Every chat of a folder, one JSON file each. */
export function readChats(dir: string, files?: readonly string[]): EvalConversation[] {
  const names = files ?? readdirSync(dir).flatMap((file) => (file.endsWith(".json") ? [file.slice(0, -5)] : []));
  return [...names].sort().map((name) => readChat(dir, name));
}
