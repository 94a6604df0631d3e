import type { Command } from "commander";
import type { MaintenanceReport } from "../../records/index.js";
import { type Cli, performOnMemory, performOnStore, type StoreCall } from "../call.js";
import { EXIT, type ExitCode } from "../exit-codes.js";
import { styled } from "../output/style.js";
import { sizeWords } from "../output/words.js";

interface MaintainFlags {
  readonly everyone?: boolean;
}

function summary({
  examined,
  expired,
  decay,
  duplicates,
  clusters,
  bytes,
}: MaintenanceReport): readonly (readonly string[])[] {
  return [
    ["examined", String(examined)],
    ["expired", `${expired.entries} facts, ${expired.facts} key-values`],
    ["archived", String(decay.archived)],
    ["came back", String(decay.revived)],
    ["joined", String(duplicates.joined)],
    ["patterns", `${clusters.made} of ${clusters.parts} facts`],
    ["size", `${sizeWords(bytes.before)} before, ${sizeWords(bytes.after)} after`],
  ];
}

async function tell({ output }: StoreCall, report: MaintenanceReport): Promise<ExitCode> {
  await output.give(report, () => output.table(null, summary(report)));
  for (const { message } of report.alerts) await output.note(styled("yellow", message));
  return report.failures.length > 0 ? EXIT.failure : EXIT.ok;
}

/** `simplemem maintain` */
export function addMaintain(program: Command, cli: Cli): void {
  program
    .command("maintain")
    .summary("archive what is old, join what repeats, fold small files")
    .description(
      "Archives what has expired or nobody asked for, joins what was stored twice, sums up what repeats, and folds small files.",
    )
    .option("--everyone", "of all users of the store")
    .action(async ({ everyone }: MaintainFlags, self: Command) => {
      if (everyone === true) {
        await performOnStore(cli, self, {}, async (call) =>
          tell(call, await call.simplemem.maintain({ signal: call.terminal.signal })),
        );
        return;
      }
      await performOnMemory(cli, self, {}, async (call) =>
        tell(call, await call.memory.maintain({ signal: call.terminal.signal })),
      );
    });
}
