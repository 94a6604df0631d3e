import { type Command, Option } from "commander";
import type { EntryPatch, MemoryEntry } from "../../records/index.js";
import { type Cli, type MemoryCall, performOnMemory } from "../call.js";
import { wrongUsage } from "../failure.js";
import { wholeNumber } from "../flags.js";
import { ENTRY_HEAD, entryRow } from "../output/words.js";
import { addPatchFlags, type PatchFlags, patchOf, reasonOf } from "../patch-flags.js";

const VERSIONS = 1_000_000;

interface UpdateFlags extends PatchFlags {
  readonly status?: NonNullable<EntryPatch["status"]>;
  readonly ifVersion?: number;
  readonly pin?: boolean;
  readonly unpin?: boolean;
}

/** Prints an entry as it is now. */
export function tellEntry({ output }: MemoryCall, entry: MemoryEntry): Promise<void> {
  return output.give(entry, () => output.table(ENTRY_HEAD, [entryRow(entry, output)]));
}

function change(
  { memory }: MemoryCall,
  id: string,
  patch: EntryPatch,
  flags: UpdateFlags,
): Promise<MemoryEntry | null> {
  if (Object.keys(patch).length === 0) return memory.get(id);
  const { ifVersion } = flags;
  return memory.update(id, patch, { ...reasonOf(flags), ...(ifVersion === undefined ? {} : { ifVersion }) });
}

async function update(call: MemoryCall, id: string, flags: UpdateFlags): Promise<undefined> {
  const { status, pin, unpin } = flags;
  const patch: EntryPatch = { ...patchOf(flags), ...(status === undefined ? {} : { status }) };
  if (pin === true && unpin === true) throw wrongUsage("either --pin or --unpin, not both.");
  const pins = pin === true || unpin === true;
  if (Object.keys(patch).length === 0 && !pins) throw wrongUsage("say what is to be changed, such as --text.");
  let entry = await change(call, id, patch, flags);
  if (pin === true) entry = await call.memory.pin(id, reasonOf(flags));
  if (unpin === true) entry = await call.memory.unpin(id, reasonOf(flags));
  if (entry !== null) await tellEntry(call, entry);
  return undefined;
}

/** `simplemem update` and `simplemem restore` */
export function addUpdate(program: Command, cli: Cli): void {
  const command = program
    .command("update")
    .summary("correct a fact")
    .description("Changes what is named of a fact and nothing else; the version before stays in its history.")
    .argument("<id>", "id of a fact");
  addPatchFlags(command)
    .addOption(
      new Option("--status <status>", "what has become of it").choices(["active", "done", "doubtful", "archived"]),
    )
    .option("--pin", "marks it as not to be archived by itself")
    .option("--unpin", "takes that mark away")
    .option("--if-version <n>", "only when this is its version", wholeNumber(1, VERSIONS))
    .action(async (id: string, flags: UpdateFlags, self: Command) => {
      await performOnMemory(cli, self, {}, (call) => update(call, id, flags));
    });
  addRestore(program, cli);
}

interface RestoreFlags {
  readonly reason?: string;
  readonly force?: boolean;
}

function addRestore(program: Command, cli: Cli): void {
  program
    .command("restore")
    .summary("make a former version of a fact current again")
    .description("Makes what a fact said in a former version current again, as a new version.")
    .argument("<id>", "id of a fact")
    .argument("<version>", "which version, as `show` numbers them", wholeNumber(1, VERSIONS))
    .option("--reason <words>", "why; stands in the history")
    .option("--force", "also when another fact took its place")
    .action(async (id: string, version: number, flags: RestoreFlags, self: Command) => {
      await performOnMemory(cli, self, {}, async (call) => {
        const force = flags.force === true ? { force: true } : {};
        await tellEntry(call, await call.memory.restore(id, version, { ...reasonOf(flags), ...force }));
        return undefined;
      });
    });
}
