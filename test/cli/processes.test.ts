import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { jsonl } from "../support/cli.js";
import { freshFolder } from "../support/folders.js";
import { post } from "../support/http.js";
import { ended, startChild } from "../support/processes.js";

const TOKEN = "token-of-ilse-for-this-test";

function turnsOf(name: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: `${name}-${index}`,
    speaker: "Ilse Corrin",
    content: `The locker code of room ${name}-${index} is ${10_000 + index}.`,
    timestamp: "2025-03-10T09:00:00Z",
  }));
}

function turnsFile(name: string, count: number): string {
  const path = join(freshFolder(), `${name}.jsonl`);
  writeFileSync(path, jsonl(...turnsOf(name, count)));
  return path;
}

async function statsOf(uri: string) {
  await using simplemem = await SimpleMem.open({ uri, window: { background: false } });
  return await simplemem.scope({ userId: "ilse" }).stats();
}

test("a pipe closed by its reader ends the program quietly", async () => {
  const child = startChild("cli-child", ["--help"]);
  child.stdout.destroy();
  expect(await ended(child)).toMatchObject({ code: 0, errors: "" });
});

test.each([
  [["--version"], 0],
  [["bogus"], 2],
  [["list"], 2],
  [["list", "--user", "u", "--uri", "/nowhere/at/all"], 7],
])("%j ends with %d", async (args, code) => {
  expect((await ended(startChild("cli-child", args))).code).toBe(code);
});

/** Options with an extractor that says when it begins, and never ends. */
function hangingConfig(): string {
  const path = join(freshFolder(), "hanging.mjs");
  const extract = 'extract: () => { process.stderr.write("extracting\\n"); return new Promise(() => {}); }';
  writeFileSync(path, `export default { stages: { extract: { ${extract} } } };`);
  return path;
}

test.each([
  ["SIGINT", 1, 130],
  ["SIGTERM", 1, 143],
  ["SIGINT", 2, 130],
] as const)("%s, %d times, while facts are made loses no turn, and flush goes on", async (signal, times, code) => {
  const uri = freshFolder();
  const common = ["--uri", uri, "--user", "ilse"];
  const child = startChild("cli-child", ["add", turnsFile("a", 60), ...common, "--config", hangingConfig()]);
  const ending = ended(child);
  // All turns are in the log before the first is extracted.
  child.stderr.once("data", () => {
    child.kill(signal);
    if (times === 2) setTimeout(() => child.kill(signal), 100);
  });
  const end = await ending;
  expect(end.code).toBe(code);
  if (times === 1) expect(end.errors).toContain("what was accepted is kept");
  expect(await statsOf(uri)).toMatchObject({ turns: 60, windows: { stored: 0 } });
  expect((await ended(startChild("cli-child", ["flush", ...common]))).code).toBe(0);
  expect(await statsOf(uri)).toMatchObject({ turns: 60, pendingTurns: 0, windows: { pending: 0, failed: 0 } });
});

async function addWaiting(uri: string, ...users: readonly string[]): Promise<void> {
  await using simplemem = await SimpleMem.open({ uri, window: { background: false } });
  for (const userId of users) await simplemem.scope({ userId }).add(turnsOf(userId, 60));
  await simplemem.close({ flush: false });
}

test("SIGTERM ends a worker with 0: it lets go of what it cannot end in time, and the next one makes facts of all users' turns", async () => {
  const uri = freshFolder();
  await addWaiting(uri, "ilse", "bram");
  const hanging = startChild("cli-child", ["work", "--uri", uri, "--grace", "0", "--config", hangingConfig()]);
  hanging.stderr.on("data", (data: Buffer) => {
    if (String(data).includes("extracting")) hanging.kill("SIGTERM");
  });
  expect(await ended(hanging)).toMatchObject({ code: 0, lines: ["Done: 0 windows, 0 new facts."] });
  const worker = await ended(startChild("cli-child", ["work", "--once", "--uri", uri]));
  expect(worker).toMatchObject({ code: 0, errors: "" });
  expect(worker.lines.at(-1)).toBe("Done: 4 windows, 120 new facts.");
  expect(worker.lines.join()).toMatch(/(?=.*ilse: 2 windows)(?=.*bram: 2 windows)/);
  expect(await statsOf(uri)).toMatchObject({ turns: 60, pendingTurns: 0, entries: { active: 60 } });
});

/** `simplemem serve` over a folder, and where it is. */
async function startServing(common: readonly string[]) {
  const child = startChild("cli-child", ["serve", "--json", ...common], { SIMPLEMEM_TOKEN: TOKEN });
  const ending = ended(child);
  const [said] = await once(child.stdout, "data");
  const { url }: { url: string } = JSON.parse(String(said));
  return { child, ending, url };
}

/** Adds turns through the server, one after the other; answers how many it accepted. */
async function addThrough(url: string, count: number): Promise<number> {
  let accepted = 0;
  for (let index = 0; index < count; index += 1) {
    const content = `The locker code of room s-${index} is ${20_000 + index}.`;
    const turns = [{ id: `s-${index}`, speaker: "Ilse Corrin", content, timestamp: "2025-03-10T09:00:00Z" }];
    const answer = await post(`${url}/v1/add`, TOKEN, { turns });
    if (answer.status === 200) accepted += 1;
  }
  return accepted;
}

test("two processes that add and a server, on one folder at once, keep every turn, and verify finds no fault", async () => {
  const uri = freshFolder();
  const common = ["--uri", uri, "--user", "ilse"];
  const server = await startServing(common);
  const add = (name: string) => ended(startChild("cli-child", ["add", turnsFile(name, 30), ...common]));
  const [accepted, ...ends] = await Promise.all([addThrough(server.url, 15), add("a"), add("b")]);
  server.child.kill("SIGINT");
  ends.push(await server.ending);
  expect(accepted).toBe(15);
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(ends.slice(0, 2).map(({ errors }) => errors)).toEqual(["", ""]);
  expect((await ended(startChild("cli-child", ["flush", ...common]))).code).toBe(0);
  expect(await statsOf(uri)).toMatchObject({ turns: 75, pendingTurns: 0, entries: { active: 75 } });
  const verified = await ended(startChild("cli-child", ["verify", "--uri", uri]));
  expect(verified).toMatchObject({ code: 0, errors: "" });
});
