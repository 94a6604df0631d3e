import type { Command } from "commander";
import type { StintReport, WorkReport } from "../../records/index.js";
import { type Cli, performOnStore, type StoreCall } from "../call.js";
import { EXIT, type ExitCode } from "../exit-codes.js";
import { wholeNumber } from "../flags.js";
import { counted } from "../output/words.js";

interface WorkFlags {
  readonly once?: boolean;
  readonly concurrency?: number;
  readonly poll?: number;
  readonly grace: number;
}

const GRACE_S = 20;
const DAY_S = 86_400;
/** What the store needs to be let go, after the work has ended. */
const CLOSING_MS = 5_000;

async function tellStint({ output }: StoreCall, { scope, report }: StintReport): Promise<void> {
  const { windows, entries, failures } = report;
  const names = [scope.tenantId, scope.userId, scope.agentId].filter((name) => name !== undefined).join(" / ");
  if (windows.stored > 0) {
    await output.line(`${names}: ${counted(windows.stored, "window")}, ${counted(entries.added, "new fact")}.`);
  }
  const [failure] = failures;
  if (failure !== undefined)
    await output.note(`${names}: ${counted(failures.length, "window")} failed: ${failure.error}`);
}

async function tellEnd({ output }: StoreCall, { windows, entries, failures }: WorkReport): Promise<void> {
  const tries =
    failures === 0 ? "" : `; ${counted(failures, "try", "tries")} failed, ${windows.failed} of them the last`;
  await output.line(`Done: ${counted(windows.stored, "window")}, ${counted(entries.added, "new fact")}${tries}.`);
}

async function work(call: StoreCall, { once = false, concurrency, poll, grace }: WorkFlags): Promise<ExitCode> {
  const { simplemem, output, terminal } = call;
  if (!once) await output.note("Working; Ctrl-C ends it.");
  let told = Promise.resolve();
  const done = await simplemem.work({
    once,
    signal: terminal.signal,
    graceMs: grace * 1000,
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(poll === undefined ? {} : { pollMs: poll }),
    onReport: (report) => {
      if (!output.json) told = told.then(() => tellStint(call, report));
    },
  });
  await told;
  await output.give(done, () => tellEnd(call, done));
  return once && done.failures > 0 ? EXIT.windowsFailed : EXIT.ok;
}

/** `simplemem work` */
export function addWork(program: Command, cli: Cli): void {
  program
    .command("work")
    .summary("make facts of what waits, of all users, until it is ended")
    .description(
      "Makes facts of the turns of all users that other processes added, until Ctrl-C or SIGTERM: then what is under way is ended, and nothing " +
        "new begun. Any number of workers may share a store (docs/scale.md).",
    )
    .option("--once", "take all that waits, and end when nothing more can be done")
    .option("--concurrency <n>", "users that are worked for at the same time (default 4)", wholeNumber(1, 64))
    .option(
      "--poll <ms>",
      "milliseconds between two looks while nothing waits (default 1000)",
      wholeNumber(1, DAY_S * 1000),
    )
    .option("--grace <s>", "seconds that it may take to end", wholeNumber(0, DAY_S), GRACE_S)
    .action(async (flags: WorkFlags, self: Command) => {
      const graceMs = flags.grace * 1000 + CLOSING_MS;
      await performOnStore(cli, self, { mayCreate: flags.once !== true, graceMs }, (call) => work(call, flags));
    });
}
