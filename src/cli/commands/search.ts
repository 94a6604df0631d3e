import type { Command } from "commander";
import type { Hit } from "../../records/index.js";
import { type Cli, type MemoryCall, performOnMemory } from "../call.js";
import { EXIT, type ExitCode } from "../exit-codes.js";
import type { Output } from "../output/output.js";
import { dim, type Words } from "../output/style.js";
import { addSearchFlags, type SearchFlags, searchOptions } from "../search-flags.js";

const HEAD = ["score", "when", "kind", "found by", "id", "text"];

function hitRow({ id, kind, score, timestamp, views, text }: Hit, output: Output): readonly Words[] {
  return [score.toFixed(2), output.time(timestamp), kind, dim(views.join(", ")), dim(id), text];
}

async function search(call: MemoryCall, query: string, flags: SearchFlags): Promise<ExitCode> {
  const { memory, output, terminal } = call;
  const result = await memory.search(query, searchOptions(flags, terminal.signal));
  await output.give(result, async () => {
    if (result.hits.length === 0) await output.note("Nothing was found.");
    else
      await output.table(
        HEAD,
        result.hits.map((hit) => hitRow(hit, output)),
      );
  });
  if (result.degraded !== undefined) await output.note(dim(`Not as good as it could be: ${result.degraded}`));
  return result.hits.length === 0 ? EXIT.nothingFound : EXIT.ok;
}

/** `simplemem search` */
export function addSearch(program: Command, cli: Cli): void {
  const command = program
    .command("search")
    .summary("find facts and turns")
    .description("Finds facts, turns and key-values, best first. Ends with 3 when there are none.")
    .argument("<query...>", "what to search for; it needs no quotes");
  addSearchFlags(command).action(async (words: string[], flags: SearchFlags, self: Command) => {
    await performOnMemory(cli, self, {}, (call) => search(call, words.join(" "), flags));
  });
}
