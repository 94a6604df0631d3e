import type { Command } from "commander";
import type { ListOptions } from "../../records/index.js";
import { type Cli, type MemoryCall, performOnMemory } from "../call.js";
import { addFilterFlags, type FilterFlags, filterOf } from "../filter-flags.js";
import { wholeNumber } from "../flags.js";
import { ENTRY_HEAD, entryRow } from "../output/words.js";

/** Entries of a page where nobody says how many. */
const PAGE = 100;

interface ListFlags extends FilterFlags {
  readonly limit: number;
  readonly cursor?: string;
  readonly asOf?: string;
}

function listOptions({ limit, cursor, asOf, status, kind, ...flags }: ListFlags): ListOptions {
  return {
    ...filterOf(flags),
    limit,
    ...(status === undefined ? {} : { status }),
    ...(kind === undefined ? {} : { kind }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(asOf === undefined ? {} : { asOf }),
  };
}

async function list({ memory, output }: MemoryCall, flags: ListFlags): Promise<undefined> {
  const page = await memory.list(listOptions(flags));
  await output.give(page, async () => {
    if (page.items.length === 0) await output.note("There is nothing to list.");
    else
      await output.table(
        ENTRY_HEAD,
        page.items.map((entry) => entryRow(entry, output)),
      );
    if (page.cursor !== undefined) await output.note(`There is more: --cursor ${page.cursor}, or a higher --limit.`);
  });
}

/** `simplemem list` */
export function addList(program: Command, cli: Cli): void {
  const command = program
    .command("list")
    .summary("list facts in the order in which they were made")
    .description("Lists facts in the order in which they were made; without --status, those that are active.")
    .option("--limit <n>", "facts of a page", wholeNumber(1, 1_000_000), PAGE)
    .option("--cursor <cursor>", "goes on where the page before ended")
    .option("--as-of <time>", "what was believed at this time, ISO 8601");
  addFilterFlags(command).action(async (flags: ListFlags, self: Command) => {
    await performOnMemory(cli, self, {}, (call) => list(call, flags));
  });
}
