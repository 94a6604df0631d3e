import type { Command } from "commander";
import { type Cli, performOnMemory } from "../call.js";
import { codeOfReport, flushed, tellReport } from "../flush.js";

interface FlushFlags {
  readonly retryFailed?: boolean;
}

/** `simplemem flush` */
export function addFlush(program: Command, cli: Cli): void {
  program
    .command("flush")
    .summary("make facts of the turns that wait")
    .description("Makes facts of the turns that wait, for instance after `add` was interrupted or a model failed.")
    .option("--retry-failed", "also takes up windows whose tries were used up")
    .action(async ({ retryFailed = false }: FlushFlags, command: Command) => {
      await performOnMemory(cli, command, {}, async (call) => {
        const report = await flushed(call, { retryFailed });
        await call.output.give(report, () => tellReport(call, report));
        return codeOfReport(report);
      });
    });
}
