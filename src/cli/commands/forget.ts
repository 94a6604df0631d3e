import type { Command } from "commander";
import type { ForgetOptions, ForgetReceipt } from "../../records/index.js";
import { type Cli, type MemoryCall, performOnMemory } from "../call.js";
import { isConfirmed } from "../confirm.js";
import { EXIT, type ExitCode } from "../exit-codes.js";
import { wrongUsage } from "../failure.js";
import { addFilterFlags, type FilterFlags, filterOf } from "../filter-flags.js";
import { dim, type Words } from "../output/style.js";
import { counted, ENTRY_HEAD, entryRow } from "../output/words.js";

/** What is shown at most of what would go. */
const SHOWN = 20;

interface ForgetFlags extends FilterFlags {
  readonly all?: boolean;
  readonly query?: string;
  readonly purge?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** What is to go: exactly one of ids, a filter, and everything. */
type Target = Pick<ForgetOptions, "ids" | "filter" | "all">;

function targetOf(ids: readonly string[], flags: ForgetFlags): Target {
  const { filter } = filterOf(flags);
  const targets: Target[] = [
    ...(ids.length > 0 ? [{ ids }] : []),
    ...(filter === undefined ? [] : [{ filter }]),
    ...(flags.all === true ? [{ all: true } as const] : []),
  ];
  const [target, ...more] = targets;
  if (target !== undefined && more.length === 0) return target;
  throw wrongUsage("say what is to go: ids, options such as --person or --in-session, or --all; one of the three.");
}

function countsOf({ removed }: ForgetReceipt): string {
  const { entries, turns, facts } = removed;
  return [counted(entries, "fact"), counted(turns, "turn"), counted(facts, "key-value")].join(", ");
}

function isNothing({ removed }: ForgetReceipt): boolean {
  return removed.entries + removed.turns + removed.facts + removed.windows === 0;
}

/** The facts that were named, as far as they are shown. */
async function tellDoomed({ memory, output }: MemoryCall, target: Target): Promise<void> {
  if (target.all === true) return;
  const entries =
    target.ids === undefined
      ? (await memory.list({ filter: target.filter ?? {}, limit: SHOWN })).items
      : (await Promise.all(target.ids.slice(0, SHOWN).map((id) => memory.get(id)))).filter((entry) => entry !== null);
  if (entries.length > 0)
    await output.table(
      ENTRY_HEAD,
      entries.map((entry) => entryRow(entry, output)),
    );
}

async function tellReceipt({ output }: MemoryCall, receipt: ForgetReceipt): Promise<void> {
  const where = receipt.purged
    ? "from every file"
    : "from what can be read; --purge also takes the bytes out of old files";
  await output.line(`Removed ${countsOf(receipt)} ${where}.`);
  if (receipt.outside !== undefined && receipt.outside.length > 0) {
    await output.note("These belong to what all agents share, and stay: ", receipt.outside.join(", "));
  }
  if (!receipt.verified) await output.note("Not all of it could be removed; see --json for what is left.");
}

async function remove(call: MemoryCall, target: Target, planned: ForgetReceipt, flags: ForgetFlags): Promise<ExitCode> {
  const { memory, output } = call;
  if (!(await isConfirmed(call, `Remove ${countsOf(planned)} for good?`, flags.yes))) {
    await output.note("Nothing was removed.");
    return EXIT.refused;
  }
  const receipt = await memory.forget({ ...target, ...(flags.purge === true ? { purge: true } : {}) });
  await output.give(receipt, () => tellReceipt(call, receipt));
  return receipt.verified ? EXIT.ok : EXIT.failure;
}

async function forget(call: MemoryCall, ids: readonly string[], flags: ForgetFlags): Promise<ExitCode> {
  const { memory, output } = call;
  const target = targetOf(ids, flags);
  const planned = await memory.forget({ ...target, dryRun: true });
  const acts = flags.dryRun !== true && !isNothing(planned) && (flags.yes === true || call.terminal.ask !== null);
  if (!output.json) {
    await tellDoomed(call, target);
    if (!acts || flags.yes !== true) await output.line(`Would go: ${countsOf(planned)}.`);
  } else if (!acts) await output.document(planned);
  if (isNothing(planned)) return EXIT.nothingFound;
  return flags.dryRun === true ? EXIT.ok : remove(call, target, planned, flags);
}

async function candidates({ memory, output }: MemoryCall, query: string): Promise<ExitCode> {
  const receipt = await memory.forget({ query, dryRun: true });
  const found = receipt.candidates ?? [];
  const row = ({ id, kind, score, text }: (typeof found)[number]): readonly Words[] => [
    score.toFixed(2),
    kind,
    dim(id),
    text,
  ];
  await output.give(receipt, async () => {
    if (found.length === 0) await output.note("Nothing was found.");
    else await output.table(["score", "kind", "id", "text"], found.map(row));
    await output.note("Nothing is forgotten by a query: pass the ids of what is meant.");
  });
  return found.length === 0 ? EXIT.nothingFound : EXIT.ok;
}

/** `simplemem forget` */
export function addForget(program: Command, cli: Cli): void {
  const command = program
    .command("forget")
    .summary("remove facts, turns or everything; shows first what would go")
    .description(
      "Shows what would go, and removes it once that is confirmed at the terminal or by --yes; without either it ends with 4 and " +
        "removes nothing. Ids are those of facts, turns or key-values; the options select facts, --in-session alone a whole session.",
    )
    .argument("[ids...]", "ids of what is to go")
    .option("--all", "everything of the user")
    .option("--query <words>", "lists what the words may mean, with ids; removes nothing")
    .option("--purge", "also takes the bytes out of every file and old version")
    .option("--dry-run", "shows what would go, and no more")
    .option("--yes", "confirms it");
  addFilterFlags(command).action(async (ids: string[], flags: ForgetFlags, self: Command) => {
    await performOnMemory(cli, self, {}, (call) =>
      flags.query === undefined ? forget(call, ids, flags) : candidates(call, flags.query),
    );
  });
}
