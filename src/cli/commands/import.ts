import { type Command, Option } from "commander";
import type { ImportOptions, ImportReceipt, WriteReport } from "../../records/index.js";
import { type Cli, type MemoryCall, performOnMemory } from "../call.js";
import { EXIT, type ExitCode } from "../exit-codes.js";
import { codeOfReport, flushed, tellReport } from "../flush.js";
import { openInput, STDIN } from "../input/lines.js";
import { counted } from "../output/words.js";

interface ImportFlags {
  readonly entries?: NonNullable<ImportOptions["entries"]>;
  readonly wait?: boolean;
}

async function imported(call: MemoryCall, file: string, { entries }: ImportFlags): Promise<ImportReceipt> {
  const { memory, output, terminal } = call;
  let done = 0;
  try {
    return await memory.import(await openInput(file, terminal), {
      ...(entries === undefined ? {} : { entries }),
      signal: terminal.signal,
      onProgress: ({ lines }) => {
        done = lines;
        output.progress.tell({ what: "importing", unit: "lines", done, total: null });
      },
    });
  } catch (error) {
    if (done > 0)
      await output.note(`The first ${counted(done, "line")} are stored; importing again goes on from there.`);
    throw error;
  }
}

/** Makes facts of turns that were exported before they were, or whose facts were left behind. */
async function completed(call: MemoryCall, { wait }: ImportFlags): Promise<WriteReport | null> {
  const { pendingTurns } = await call.memory.stats();
  return wait === true || pendingTurns === 0 ? null : flushed(call);
}

async function tell(
  call: MemoryCall,
  { turns, entries, facts }: ImportReceipt,
  report: WriteReport | null,
): Promise<void> {
  const rows = Object.entries({ turns, facts: entries, "key-values": facts }).map(([name, counts]) => [
    name,
    ...[counts.added, counts.known, counts.refused, counts.left].map(String),
  ]);
  await call.output.table(["", "added", "known", "forgotten", "left"], rows);
  if (report !== null) await tellReport(call, report);
}

async function importFile(call: MemoryCall, file: string, flags: ImportFlags): Promise<ExitCode> {
  const receipt = await imported(call, file, flags);
  const report = await completed(call, flags);
  await call.output.give({ receipt, report }, () => tell(call, receipt, report));
  return report === null ? EXIT.ok : codeOfReport(report);
}

/** `simplemem import` */
export function addImport(program: Command, cli: Cli): void {
  program
    .command("import")
    .summary("take an export in")
    .description(
      "Takes in what `export` wrote, into the memory that --user names. What is there stays as it is, so that importing again goes on " +
        "after a break. What other programs wrote is for `add`.",
    )
    .argument("[file]", "the export; - or none: the standard input", STDIN)
    .addOption(
      new Option(
        "--entries <how>",
        "facts as they are, or made anew of the turns and compared with what is known",
      ).choices(["keep", "anew"]),
    )
    .option("--wait", "leaves turns that wait pending")
    .action(async (file: string, flags: ImportFlags, self: Command) => {
      await performOnMemory(cli, self, { mayCreate: true }, (call) => importFile(call, file, flags));
    });
}
