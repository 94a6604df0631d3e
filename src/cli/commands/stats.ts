import type { Command } from "commander";
import type { Stats } from "../../records/index.js";
import { type Cli, performOnMemory } from "../call.js";
import { dim, styled, type Words } from "../output/style.js";
import { sizeWords } from "../output/words.js";

function entryWords({ entries }: Stats): string {
  const parts = Object.entries(entries).map(
    ([status, count]) => `${count.toLocaleString("en-US")} ${status.replace("_", " ")}`,
  );
  return parts.join(", ") || "none";
}

function windowWords({ windows }: Stats): Words {
  const text = `${windows.stored} stored, ${windows.pending} pending, ${windows.failed} failed`;
  return windows.failed > 0 ? styled("yellow", text) : text;
}

function statRows(stats: Stats): readonly (readonly Words[])[] {
  return [
    [
      dim("turns"),
      `${stats.turns.toLocaleString("en-US")}, ${stats.pendingTurns.toLocaleString("en-US")} of them waiting`,
    ],
    [dim("facts made of them"), entryWords(stats)],
    [dim("key-values"), stats.facts.toLocaleString("en-US")],
    [dim("windows"), windowWords(stats)],
    [dim("size of the store"), sizeWords(stats.bytes)],
  ];
}

/** `simplemem stats` */
export function addStats(program: Command, cli: Cli): void {
  program
    .command("stats")
    .summary("count what is there")
    .description("Counts turns, facts, key-values and windows of a user, and the size of the whole store.")
    .action(async (_flags: unknown, command: Command) => {
      await performOnMemory(cli, command, {}, async ({ memory, output }) => {
        const stats = await memory.stats();
        await output.give(stats, () => output.table(null, statRows(stats)));
        return undefined;
      });
    });
}
