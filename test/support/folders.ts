import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder of its own for one test, removed afterwards. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "simplemem-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The files under a folder whose bytes hold the text. */
export function filesHolding(folder: string, text: string): string[] {
  const needle = Buffer.from(text, "utf8");
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name))
    .filter((path) => readFileSync(path).includes(needle));
}
