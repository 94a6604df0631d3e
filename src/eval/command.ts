import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { z } from "zod/v4";
import { InvalidInputError, VIEWS } from "../records/index.js";
import { readChats } from "./chats.js";
import type { EvalConversation } from "./conversation.js";
import { type EvalOptions, type EvalReport, evaluate } from "./evaluate.js";
import { LOCOMO_CATEGORIES, readLocomo } from "./locomo.js";
import { printReport } from "./table.js";

export const EVAL_HELP = `Measures memory on conversations.
  --dir DIR       LoCoMo's files (default: LOCOMO_DIR, else ../shared/locomo)
  --files 26,30   only these files
  --chats         chats instead of LoCoMo (of --dir, default test/fixtures/chats)
  --one-scope     all conversations in one user's memory
  --ask           also answer, with F1 and abstention
  --ablate        also ablate views and features, sweep a floor of the score, compare kinds of memory
  --views A,B     of ${VIEWS.join(", ")}
  --k N           hits per question (default 50)
  --planning P    auto, always or never
  --store DIR     keep the filled stores there, and use them again
  --llm FILE      a module whose default export is a LangChain chat model: it runs the stages
  --judge         let that model judge the answers, too
  --seed N        of the intervals (default 1)
  --json FILE     write the report there`;

const ARGUMENTS = {
  dir: { type: "string" },
  files: { type: "string" },
  chats: { type: "boolean", default: false },
  "one-scope": { type: "boolean", default: false },
  ask: { type: "boolean", default: false },
  ablate: { type: "boolean", default: false },
  views: { type: "string" },
  k: { type: "string", default: "50" },
  planning: { type: "string", default: "auto" },
  store: { type: "string" },
  llm: { type: "string" },
  judge: { type: "boolean", default: false },
  seed: { type: "string", default: "1" },
  json: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

const CHATS = "test/fixtures/chats";
const moduleSchema = z.object({
  default: z.custom<BaseChatModel>(
    (value) => typeof value === "object" && value !== null && "invoke" in value,
    "must be a LangChain chat model",
  ),
});
const choicesSchema = z.object({
  views: z.array(z.enum(VIEWS)).min(1).optional(),
  k: z.coerce.number<string>().int().min(1).max(1000),
  planning: z.enum(["auto", "always", "never"]),
  seed: z.coerce.number<string>().int(),
});

/** Where LoCoMo lies: `LOCOMO_DIR`, else beside the project. */
export function locomoFolder(environment: NodeJS.ProcessEnv): string {
  return environment.LOCOMO_DIR ?? "../shared/locomo";
}

function readArguments(args: readonly string[]) {
  const { values, positionals } = parseArgs({ args: [...args], options: ARGUMENTS, allowPositionals: true });
  const choices = choicesSchema.safeParse({ ...values, views: values.views?.split(",") });
  if (choices.success) return { values, folder: positionals[0], choices: choices.data };
  const issue = choices.error.issues[0];
  throw new InvalidInputError(`--${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? "does not fit"}.`);
}

type Arguments = ReturnType<typeof readArguments>;

function readConversations({ values, folder }: Arguments, environment: NodeJS.ProcessEnv): EvalConversation[] {
  const dir = folder ?? values.dir ?? (values.chats ? CHATS : locomoFolder(environment));
  if (!existsSync(dir)) {
    throw new InvalidInputError(`there is no folder ${resolve(dir)}; name the conversations' folder with --dir.`);
  }
  const files = values.files?.split(",");
  return values.chats ? readChats(dir, files) : readLocomo(dir, files);
}

async function readModel(path: string | undefined): Promise<BaseChatModel | undefined> {
  if (path === undefined) return undefined;
  return moduleSchema.parse(await import(pathToFileURL(resolve(path)).href)).default;
}

function toOptions(
  { values, choices }: Arguments,
  llm: BaseChatModel | undefined,
  log: (line: string) => void,
): EvalOptions {
  const { views, ...rest } = choices;
  return {
    ...rest,
    oneScope: values["one-scope"],
    asks: values.ask,
    ablates: values.ablate,
    progress: log,
    ...(views === undefined ? {} : { views }),
    ...(values.store === undefined ? {} : { store: values.store }),
    ...(llm === undefined ? {} : { llm }),
    ...(llm === undefined || !values.judge ? {} : { judge: llm }),
  };
}

/** Where a command writes. */
export interface Console {
  readonly print: (text: string) => void;
  /** What goes on, for people who wait. */
  readonly log: (text: string) => void;
}

async function measured(given: Arguments, log: Console["log"], environment: NodeJS.ProcessEnv): Promise<EvalReport> {
  const conversations = readConversations(given, environment);
  return evaluate(conversations, toOptions(given, await readModel(given.values.llm), log));
}

/**
 * What the command measures, for another program to print.
 * @throws InvalidInputError for a wrong argument or a folder that is not there
 */
export function evalReport(
  args: readonly string[],
  log: Console["log"],
  environment: NodeJS.ProcessEnv,
): Promise<EvalReport> {
  return measured(readArguments(args), log, environment);
}

/**
 * The command behind `npm run eval`.
 * @throws InvalidInputError for a wrong argument or a folder that is not there
 */
export async function evalCommand(
  args: readonly string[],
  { print, log }: Console,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const given = readArguments(args);
  if (given.values.help) return print(EVAL_HELP);
  const report = await measured(given, log, environment);
  if (given.values.json !== undefined) writeFileSync(given.values.json, `${JSON.stringify(report, null, 2)}\n`);
  print(printReport(report));
  if (!given.values.chats) print(`\nCategories: ${LOCOMO_CATEGORIES.join(", ")}.`);
}
