import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const OFFLINE = new URL("../support/offline.mjs", import.meta.url).href;

const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(ROOT, "package.json"), "utf8"),
);
const examples = Object.entries(scripts).flatMap(([name, command]) => {
  const file = /^tsx (examples\/\S+\.ts)$/.exec(command)?.[1];
  return name.startsWith("example:") ? [{ name, file }] : [];
});

/** The README prints the quickstart, which therefore asserts nothing itself. The others end with an error when their outcome is another. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  "example:quickstart": /^Ane \[\s+\{\s+id: '\w+',\s+sourceIds: \[ '/,
};

/** Runs a TypeScript program without a network. @throws when it ends with another code than 0 */
async function outputOf(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", "--import", OFFLINE, ...args], {
    cwd: ROOT,
  });
  return stdout;
}

test.each(examples)(
  "$name runs offline and reaches its outcome",
  async ({ name, file }) => {
    if (file === undefined) throw new Error(`${name} does not run a file of examples/`);
    if (PRINTED[name] === undefined) expect(readFileSync(join(ROOT, file), "utf8")).toMatch(/^\s*assert\b/m);
    expect(await outputOf(file)).toMatch(PRINTED[name] ?? /\S/);
  },
  180_000,
);

test("a program that reaches for the network fails, also when it ignores the error", async () => {
  const reaching = 'await fetch("http://192.0.2.1/").catch(() => console.log("ignored"));';
  await expect(outputOf("--input-type=module", "-e", reaching)).rejects.toMatchObject({ stdout: "ignored\n", code: 1 });
});
