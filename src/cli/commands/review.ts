import type { Command } from "commander";
import type { MemoryEntry, ReviewItem } from "../../records/index.js";
import { type Cli, type MemoryCall, performOnMemory } from "../call.js";
import { wholeNumber } from "../flags.js";
import { dim, styled, type Words } from "../output/style.js";
import { addPatchFlags, type PatchFlags, reasonOf, somePatchOf } from "../patch-flags.js";
import { tellEntry } from "./update.js";

interface ListFlags {
  readonly limit?: number;
  readonly cursor?: string;
}

function itemRow({ entry, reasons }: ReviewItem): readonly Words[] {
  return [
    dim(entry.entryId),
    styled("yellow", reasons.join(", ").replaceAll("_", " ")),
    entry.speaker,
    entry.losslessRestatement,
  ];
}

async function list({ memory, output }: MemoryCall, flags: ListFlags): Promise<undefined> {
  const page = await memory.review.list(flags);
  await output.give(page, async () => {
    if (page.items.length === 0) await output.note("Nothing waits for a review.");
    else await output.table(["id", "why", "said by", "statement"], page.items.map(itemRow));
    if (page.cursor !== undefined) await output.note(`There is more: --cursor ${page.cursor}, or a higher --limit.`);
  });
  return undefined;
}

type Decision = (call: MemoryCall, id: string, flags: PatchFlags) => Promise<MemoryEntry>;

function addDecision(cli: Cli, command: Command, decide: Decision): void {
  command.argument("<id>", "id of a fact that waits").action(async (id: string, flags: PatchFlags, self: Command) => {
    await performOnMemory(cli, self, {}, async (call) => {
      await tellEntry(call, await decide(call, id, flags));
      return undefined;
    });
  });
}

/** `simplemem review` */
export function addReview(program: Command, cli: Cli): void {
  const review = program
    .command("review")
    .summary("facts that a person should look at: list, approve, reject, edit")
    .description("Facts that a person should look at: contradicted, doubted, or from a source that is not trusted.");
  review
    .command("list", { isDefault: true })
    .description("Lists what waits, and why.")
    .option("--limit <n>", "facts of a page", wholeNumber(1, 1_000_000))
    .option("--cursor <cursor>", "goes on where the page before ended")
    .action(async (flags: ListFlags, self: Command) => {
      await performOnMemory(cli, self, {}, (call) => list(call, flags));
    });
  const decision = (name: string, about: string): Command =>
    review.command(name).description(about).option("--reason <words>", "why; stands in the history");
  addDecision(cli, decision("approve", "Takes it for true."), ({ memory }, id, flags) =>
    memory.review.approve(id, reasonOf(flags)),
  );
  addDecision(cli, decision("reject", "Puts it away as not true."), ({ memory }, id, flags) =>
    memory.review.reject(id, reasonOf(flags)),
  );
  addDecision(
    cli,
    addPatchFlags(review.command("edit").description("Corrects it, and takes it for true.")),
    ({ memory }, id, flags) => memory.review.edit(id, somePatchOf(flags), reasonOf(flags)),
  );
}
