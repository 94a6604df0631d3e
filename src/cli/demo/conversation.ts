import { readFileSync } from "node:fs";
import { z } from "zod/v4";
import { packageFile } from "../package-file.js";

const turnSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  speaker: z.string(),
  role: z.enum(["user", "assistant", "tool", "system"]).optional(),
  content: z.string(),
  timestamp: z.string(),
});
const questionSchema = z.object({
  question: z.string(),
  answer: z.string(),
  /** Ids of the turns that prove the answer. */
  evidence: z.array(z.string()),
  /** True when the conversation does not hold the answer. */
  abstain: z.boolean(),
});

/** One turn of a conversation that is shown. */
export type DemoTurn = Readonly<z.infer<typeof turnSchema>>;
/** A question about it. */
export type DemoQuestion = Readonly<z.infer<typeof questionSchema>>;

function read<T>(name: string, schema: z.ZodType<T>): T {
  return schema.parse(JSON.parse(readFileSync(packageFile(`examples/data/${name}`), "utf8")));
}

/** The conversation that comes with the package. */
export function demoTurns(): DemoTurn[] {
  return read("conversation.json", z.array(turnSchema));
}

/** Questions about it. */
export function demoQuestions(): DemoQuestion[] {
  return read("questions.json", z.array(questionSchema));
}
