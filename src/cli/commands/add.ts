import { type Command, Option } from "commander";
import type { AddReceipt, ImportReceipt, TurnInput, WriteReport } from "../../records/index.js";
import { type Cli, type MemoryCall, performOnMemory } from "../call.js";
import { EXIT, type ExitCode } from "../exit-codes.js";
import { wrongUsage } from "../failure.js";
import { codeOfReport, flushed, tellReport } from "../flush.js";
import { FORMATS } from "../input/formats.js";
import { type AddFlags, type Prepared, prepare } from "../input/prepare.js";
import { counted } from "../output/words.js";

/** Turns that are handed over together: enough to be quick, few enough that a break comes soon. */
const BATCH = 500;

type Counts = Omit<AddReceipt, "pending">;

const NOTHING: Counts = { accepted: 0, duplicates: 0, refused: 0 };

function sum(left: Counts, right: Counts): Counts {
  return {
    accepted: left.accepted + right.accepted,
    duplicates: left.duplicates + right.duplicates,
    refused: left.refused + right.refused,
  };
}

async function addTurns(call: MemoryCall, turns: readonly TurnInput[]): Promise<Counts> {
  const { memory, output, terminal } = call;
  let counts = NOTHING;
  for (let done = 0; done < turns.length; done += BATCH) {
    output.progress.tell({ what: "adding", unit: "turns", done, total: turns.length });
    if (terminal.signal.aborted) throw await stoppedAt(call, done, turns.length, terminal.signal.reason);
    const batch = turns.slice(done, done + BATCH);
    counts = sum(
      counts,
      await memory.add(batch).catch(async (error: unknown) => {
        throw done === 0 ? error : await stoppedAt(call, done, turns.length, error);
      }),
    );
  }
  output.progress.end();
  return counts;
}

/** Says how many turns are in the log before the command ends. */
async function stoppedAt({ output }: MemoryCall, done: number, total: number, reason: unknown): Promise<unknown> {
  await output.note(
    `The first ${counted(done, "turn")} of ${total.toLocaleString("en-US")} are in the log; the others were not added.`,
  );
  return reason;
}

function countsOfImport({ turns, entries, facts }: ImportReceipt): Counts {
  const of = (kind: "added" | "known" | "refused"): number => turns[kind] + entries[kind] + facts[kind];
  return { accepted: of("added"), duplicates: of("known"), refused: of("refused") };
}

async function addLines({ memory, output, terminal }: MemoryCall, lines: readonly string[]): Promise<Counts> {
  const receipt = await memory.import(lines, {
    signal: terminal.signal,
    onProgress: ({ lines: done }) =>
      output.progress.tell({ what: "adding", unit: "records", done, total: lines.length }),
  });
  output.progress.end();
  return countsOfImport(receipt);
}

function addPrepared(call: MemoryCall, prepared: Prepared): Promise<Counts> {
  return prepared.kind === "turns" ? addTurns(call, prepared.turns) : addLines(call, prepared.lines);
}

/** Every input is read and checked before the first one is added. */
async function addAll(call: MemoryCall, files: readonly string[], flags: AddFlags): Promise<Counts> {
  const inputs: Prepared[] = [];
  for (const file of files) inputs.push(await prepare(call, file, flags));
  let counts = NOTHING;
  for (const input of inputs) counts = sum(counts, await addPrepared(call, input));
  return counts;
}

function saidDirectly({ text, speaker }: AddFlags): TurnInput | null {
  if (text === undefined) return null;
  if (speaker === undefined) throw wrongUsage("--text needs --speaker NAME: who said it.");
  return { speaker, content: text };
}

async function tellCounts({ output }: MemoryCall, { accepted, duplicates, refused }: Counts): Promise<void> {
  const known = duplicates === 0 ? "" : `, ${duplicates.toLocaleString("en-US")} known already`;
  const gone = refused === 0 ? "" : `, ${refused.toLocaleString("en-US")} refused since they were forgotten`;
  await output.line(`Added ${counted(accepted, "turn")}${known}${gone}.`);
}

async function finish(call: MemoryCall, receipt: Counts, report: WriteReport | null): Promise<ExitCode> {
  await call.output.give({ receipt, report }, async () => {
    await tellCounts(call, receipt);
    if (report !== null) await tellReport(call, report);
    else await call.output.note("They wait; `simplemem flush` makes facts of them.");
  });
  return report === null ? EXIT.ok : codeOfReport(report);
}

async function add(call: MemoryCall, files: readonly string[], flags: AddFlags): Promise<ExitCode> {
  const said = saidDirectly(flags);
  if (said !== null && files.length > 0) throw wrongUsage("either --text or files, not both.");
  const receipt =
    said === null ? await addAll(call, files.length === 0 ? ["-"] : files, flags) : await addTurns(call, [said]);
  const report = flags.wait === true ? null : await flushed(call);
  return finish(call, receipt, report);
}

/** `simplemem add` */
export function addAdd(program: Command, cli: Cli): void {
  program
    .command("add")
    .summary("add turns from files or a pipe, and make facts of them")
    .description(
      "Adds turns, and makes facts of them. All of the input is checked before the first turn is added. " +
        "A turn is in the log when it is accepted: Ctrl-C, a failing model or a crash loses none.\n\n" +
        'Each line of JSONL is one turn, {"speaker": "Ilse", "content": "I moved to Graz.", "timestamp": "2025-03-10T09:00:00+01:00"}, ' +
        'with "id", "role", "sessionId" and "metadata" where they are known, or one message, {"role": "user", "content": "…"}. ' +
        "Lines with a time and without an id get one that follows from what they say: adding them again adds nothing twice.",
    )
    .argument("[files...]", "files; - or none: the standard input")
    .addOption(new Option("--format <format>", "what the input is; absent: found out").choices(FORMATS))
    .option("--text <words>", "adds this one turn instead, said now by --speaker")
    .option("--speaker <name>", "who said --text")
    .option("--user-name <name>", "speaker of messages of the role user that carry no name")
    .option("--assistant-name <name>", "speaker of messages of the role assistant that carry no name")
    .option("--started-at <time>", "when the first message was said, for messages that carry no time")
    .option("--from-user <id>", "of a mem0 export, takes the memories of this user alone")
    .option("--wait", "leaves the turns pending; `simplemem flush` makes facts of them")
    .action(async (files: string[], flags: AddFlags, command: Command) => {
      await performOnMemory(cli, command, { mayCreate: true }, (call) => add(call, files, flags));
    });
}
