import { type Command, Option } from "commander";
import { type Cli, perform } from "../call.js";
import { wholeNumber } from "../flags.js";

interface EvalFlags {
  readonly files?: string;
  readonly oneScope?: boolean;
  readonly ask?: boolean;
  readonly ablate?: boolean;
  readonly views?: string;
  readonly k?: number;
  readonly planning?: string;
  readonly store?: string;
  readonly llm?: string;
  readonly judge?: boolean;
  readonly seed?: number;
}

/** The flags as the arguments of the evaluation itself. */
function argumentsOf(flags: EvalFlags): string[] {
  const { files, oneScope, ask, ablate, views, k, planning, store, llm, judge, seed } = flags;
  const named = { files, views, k, planning, store, llm, seed };
  const switches = { "one-scope": oneScope, ask, ablate, judge };
  return [
    ...Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)])),
    ...Object.entries(switches).flatMap(([name, isOn]) => (isOn === true ? [`--${name}`] : [])),
  ];
}

async function measure(cli: Cli, self: Command, args: readonly string[]): Promise<void> {
  await perform(cli, self, async ({ output, terminal }) => {
    const { evalReport, printReport } = await import("../../eval/index.js");
    const log = (line: string): void => void output.note(line);
    const report = await evalReport(args, log, { ...terminal.env });
    await output.give(report, async () => {
      for (const line of printReport(report).split("\n")) await output.line(line);
    });
    return undefined;
  });
}

function addMeasureFlags(command: Command): Command {
  return command
    .option("--files <names>", "only these, such as 26,30")
    .option("--one-scope", "all conversations in one user's memory")
    .option("--ask", "also answer, with F1 and abstention")
    .option("--ablate", "also leave out views and features, one at a time")
    .option("--views <views>", "of semantic,lexical,symbolic,episodic")
    .option("--k <n>", "hits per question", wholeNumber(1, 1000))
    .addOption(new Option("--planning <when>", "whether a model plans the search").choices(["auto", "always", "never"]))
    .option("--store <folder>", "keeps the filled stores there, and uses them again")
    .option("--llm <file>", "a module whose default export is a LangChain chat model, which runs the stages")
    .option("--judge", "lets that model judge the answers, too")
    .option("--seed <n>", "of the intervals", wholeNumber(0, 2_147_483_647));
}

/** `simplemem eval` */
export function addEval(program: Command, cli: Cli): void {
  const evaluation = program
    .command("eval")
    .summary("measure recall and answers on conversations")
    .description(
      "Measures recall, answers and abstention on conversations, in stores of its own: no memory is touched.",
    );
  addMeasureFlags(
    evaluation
      .command("locomo")
      .description("On LoCoMo (https://github.com/snap-research/locomo), one JSON file for each conversation.")
      .argument("[folder]", "where they lie; absent: LOCOMO_DIR"),
  ).action(async (folder: string | undefined, flags: EvalFlags, self: Command) => {
    await measure(cli, self, [...(folder === undefined ? [] : ["--dir", folder]), ...argumentsOf(flags)]);
  });
  addMeasureFlags(
    evaluation
      .command("chats")
      .description("On chats between a user and an assistant.")
      .argument("<folder>", "where they lie"),
  ).action(async (folder: string, flags: EvalFlags, self: Command) => {
    await measure(cli, self, ["--chats", "--dir", folder, ...argumentsOf(flags)]);
  });
}
