import type { WriteReport } from "../records/index.js";
import type { MemoryCall } from "./call.js";
import { EXIT, type ExitCode } from "./exit-codes.js";
import { counted } from "./output/words.js";

/** Makes facts of what is pending, and tells how far it is. */
export async function flushed(call: MemoryCall, options: { retryFailed?: boolean } = {}): Promise<WriteReport> {
  const { memory, output, terminal } = call;
  const report = await memory.flush({
    ...options,
    signal: terminal.signal,
    onProgress: ({ windows, extracted, stored, failed }) => {
      const done = stored + failed;
      const isReading = done === 0 && extracted < windows;
      const what = isReading ? "reading" : "making facts";
      output.progress.tell({ what, unit: "windows", done: isReading ? extracted : done, total: windows });
    },
  });
  output.progress.end();
  return report;
}

/** What a flush did, for a person. */
export async function tellReport({ output }: MemoryCall, report: WriteReport): Promise<void> {
  const { windows, entries } = report;
  const parts = Object.entries(entries).filter(([, count]) => count > 0);
  const facts = parts.map(([name, count]) => `${count} ${name}`).join(", ") || "none";
  await output.line(`Facts: ${facts} (${counted(windows.stored, "window")}).`);
  const [failure] = report.failures;
  if (failure === undefined) return;
  await output.note(`${counted(windows.failed + windows.pending, "window")} could not be processed: ${failure.error}`);
  await output.note("The turns are kept; `simplemem flush --retry-failed` tries again.");
}

/** With which number a command ends that made facts. */
export function codeOfReport({ failures, windows }: WriteReport): ExitCode {
  return failures.length > 0 || windows.failed > 0 ? EXIT.windowsFailed : EXIT.ok;
}
