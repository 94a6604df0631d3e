import type { Command } from "commander";
import type { VerifyFinding, VerifyReport } from "../../records/index.js";
import { type Cli, performOnStore, type StoreCall } from "../call.js";
import { EXIT, type ExitCode } from "../exit-codes.js";
import { bold, dim, styled, type Words } from "../output/style.js";
import { counted } from "../output/words.js";

/** Ids that are shown of one finding at most. */
const SHOWN_IDS = 5;

function whose({ scope }: VerifyFinding): string {
  return scope === null
    ? ""
    : [scope.tenantId, scope.userId, scope.agentId].filter((part) => part !== undefined).join(" / ");
}

function idWords({ ids, count }: VerifyFinding): Words {
  const more = count > SHOWN_IDS ? ", …" : "";
  return dim(ids.slice(0, SHOWN_IDS).join(", ") + more);
}

async function tellFinding({ output }: StoreCall, finding: VerifyFinding): Promise<void> {
  const { severity, rule, table, count, message } = finding;
  await output.line(
    styled(severity === "fault" ? "red" : "yellow", severity),
    " ",
    bold(rule),
    ` ${counted(count, "row")} of ${table} `,
    dim(whose(finding)),
  );
  await output.line("  ", message);
  if (finding.ids.length > 0) await output.line("  ", idWords(finding));
}

async function tell(call: StoreCall, { ok, checked, findings, omitted }: VerifyReport): Promise<void> {
  for (const finding of findings) await tellFinding(call, finding);
  if (omitted > 0) await call.output.line(`and ${omitted.toLocaleString("en-US")} more.`);
  const rows = Object.values(checked).reduce((sum, count) => sum + count, 0);
  await call.output.line(
    ok ? styled("green", "No faults") : styled("red", "There are faults"),
    ` in ${counted(rows, "row")} of ${counted(Object.keys(checked).length, "table")}.`,
  );
}

async function verify(call: StoreCall): Promise<ExitCode> {
  const { simplemem, output, terminal } = call;
  const report = await simplemem.verify({
    signal: terminal.signal,
    onProgress: ({ done, total }) => output.progress.tell({ what: "verifying", unit: "rows", done, total }),
  });
  await output.give(report, () => tell(call, report));
  return report.ok ? EXIT.ok : EXIT.faults;
}

/** `simplemem verify` */
export function addVerify(program: Command, cli: Cli): void {
  program
    .command("verify")
    .summary("check every promise of the store")
    .description(
      "Checks every promise of the store, of all users, and says what does not hold. It writes nothing. Ends with 5 when there are faults.",
    )
    .action(async (_flags: unknown, self: Command) => {
      await performOnStore(cli, self, { readOnly: true }, verify);
    });
}
