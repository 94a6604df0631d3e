/**
 * Opens each of the folders that are named on the command line, read-only, verifies it and reads everything, and prints one line of
 * JSON for each. A process of its own: what a damaged file does to native code must not end the one that asks.
 */
import { createHash } from "node:crypto";
import { open } from "./store.js";
import { VICTIM } from "./tally.js";

interface Probed {
  readonly folder: string;
  /** The error with which it would not open, be verified or be read. */
  readonly error: string | null;
  readonly isTyped: boolean;
  readonly rules: readonly string[];
  /** Of everything that the scope's export holds. */
  readonly hash: string;
}

async function probed(folder: string): Promise<Probed> {
  const rules: string[] = [];
  try {
    const simplemem = await open(folder, { readOnly: true });
    const { findings } = await simplemem.verify();
    rules.push(...findings.filter(({ severity }) => severity === "fault").map(({ rule }) => rule));
    const hash = createHash("sha256");
    for await (const line of simplemem.scope(VICTIM).export()) hash.update(line);
    await simplemem.scope(VICTIM).search("the locker code of room base-7", { planning: "never" });
    await simplemem.close();
    return { folder, error: null, isTyped: true, rules, hash: hash.digest("hex") };
  } catch (error) {
    const isTyped = error instanceof Error && error.message.startsWith("simplemem-langchain:");
    const line = error instanceof Error ? `${error.name}: ${error.message.split("\n")[0]}` : String(error);
    return { folder, error: line.slice(0, 300), isTyped, rules, hash: "" };
  }
}

for (const folder of process.argv.slice(2)) process.stdout.write(`${JSON.stringify(await probed(folder))}\n`);
