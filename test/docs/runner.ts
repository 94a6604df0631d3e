/** Imports the programs that it is given, in order, each in an empty folder, and tells how each ended: one JSON line. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { format } from "node:util";

const parent = process.cwd();
const [, , ...programs] = process.argv;
for (const program of programs) {
  process.chdir(mkdtempSync(join(parent, "run-")));
  const lines: string[] = [];
  console.log = (...values: unknown[]) => lines.push(format(...values));
  let error: string | undefined;
  try {
    await import(program);
  } catch (thrown) {
    error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  }
  process.stdout.write(`${JSON.stringify({ printed: lines.join("\n"), error })}\n`);
}
