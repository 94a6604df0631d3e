import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { type CliRun, type CliSurroundings, cli, ILSE, jsonl } from "../support/cli.js";
import { freshFolder } from "../support/folders.js";

const USER = ["--user", "ilse"];

/** A memory of what Ilse said, and a way to run commands on it. */
async function ilse() {
  const uri = freshFolder();
  const run = (args: readonly string[], surroundings: CliSurroundings = {}): Promise<CliRun> =>
    cli([...args, "--uri", uri, ...USER], surroundings);
  await run(["add"], { input: jsonl(...ILSE) });
  const rows = (await run(["list"])).out.split("\n");
  const idOf = (word: string): string => rows.find((row) => row.includes(word))?.split(" ")[0] ?? "";
  return { uri, run, moved: idOf("moved"), clocks: idOf("clocks") };
}

test("an answer comes with the turn that proves it; an abstention ends with 3", async () => {
  const { run } = await ilse();
  const answered = await run(["ask", "Who", "repairs", "clocks?"]);
  expect(answered).toMatchObject({ code: 0, err: "" });
  expect(answered.out).toMatch(/^Ane\n.*Ilse, 2025-03-10 08:01, turn t2: “My sister Ane repairs clocks there.”/);
  const unknown = await run(["ask", "What does oil cost?"]);
  expect(unknown).toMatchObject({ code: 3, out: expect.stringContaining("I do not know.") });
});

test("a search that finds nothing ends with 3", async () => {
  const { run } = await ilse();
  expect(await run(["search", "Graz", "-k", "1"])).toMatchObject({ code: 0, out: expect.stringContaining("Graz") });
  expect(await run(["search", "Graz", "--person", "Nobody"])).toMatchObject({ code: 3, err: "Nothing was found.\n" });
});

test("show gives a fact with the words that prove it and its history; an unknown id ends with 3", async () => {
  const { run, moved } = await ilse();
  const shown = await run(["show", moved]);
  expect(shown.out).toMatch(/^Ilse moved to Graz on 3 March 2025\.\n/);
  expect(shown.out).toContain("I moved to Graz on 3 March 2025.");
  expect(shown.out).toMatch(/1 .*extracted +rule/);
  expect(await run(["show", "nobody"])).toMatchObject({ code: 3, out: "", err: expect.stringContaining("nobody") });
});

test("update changes a fact, history keeps the former words, and restore brings them back", async () => {
  const { run, moved } = await ilse();
  const updated = await run([
    "update",
    moved,
    "--text",
    "Ilse moved to Linz on 3 March 2025.",
    "--reason",
    "she said so",
    "--pin",
  ]);
  expect(updated).toMatchObject({ code: 0, out: expect.stringContaining("pinned") });
  const shown = await run(["show", moved]);
  expect(shown.out).toContain("she said so");
  expect(shown.out).toContain("Ilse moved to Graz");
  await run(["restore", moved, "1"]);
  expect((await run(["list"])).out).toContain("Ilse moved to Graz");
  expect(await run(["update", moved])).toMatchObject({ code: 2 });
  expect(await run(["update", moved, "--text", "x", "--if-version", "1"])).toMatchObject({ code: 4 });
  const cleared = await run([
    "update",
    moved,
    "--clear",
    "when",
    "--clear",
    "until",
    "--attribute",
    "from=Wien",
    "--json",
  ]);
  expect(cleared.json()).toMatchObject({ timestamp: null, attributes: { from: "Wien" } });
});

test("facts are remembered, recalled, listed by session, and forgotten once that is confirmed", async () => {
  const { run } = await ilse();
  await run(["facts", "remember", "home.city", "Graz", "--category", "home"]);
  expect((await run(["facts", "recall", "home.*"])).out).toContain("Graz");
  expect(await run(["facts", "recall", "work.*"])).toMatchObject({ code: 3 });
  expect((await run(["facts", "--session", "other"])).err).toBe("There are none.\n");
  expect((await run(["facts", "list", "--session", "other", "--all-sessions"])).out).toContain("home.city");
  expect(await run(["facts", "forget", "home.city"])).toMatchObject({ code: 4, out: "" });
  expect(await run(["facts", "forget", "home.city"], { answer: "n" })).toMatchObject({ code: 4 });
  expect(await run(["facts", "forget", "home.city", "--yes"])).toMatchObject({ code: 0 });
  expect(await run(["facts", "forget", "home.city", "--yes"])).toMatchObject({ code: 3 });
});

test("a timeline needs something that it is about", async () => {
  const { run } = await ilse();
  expect((await run(["timeline", "--person", "Ane"])).out).toContain("clocks");
  expect(await run(["timeline"])).toMatchObject({ code: 2 });
  expect(await run(["timeline", "--person", "Nobody"])).toMatchObject({ code: 3 });
});

test("what waits for a review is listed, approved, rejected and edited", async () => {
  const { run, moved, clocks } = await ilse();
  expect((await run(["review"])).err).toBe("Nothing waits for a review.\n");
  for (const id of [moved, clocks]) await run(["update", id, "--confidence", "0.2"]);
  expect((await run(["review"])).out).toMatch(/low confidence.*moved[\s\S]*low confidence.*clocks/);
  expect(await run(["review", "approve", moved])).toMatchObject({ code: 0 });
  expect((await run(["review", "edit", clocks, "--text", "Ane repairs watches."])).out).toContain("watches");
  expect((await run(["review", "list"])).err).toBe("Nothing waits for a review.\n");
  expect(await run(["review", "reject", moved])).toMatchObject({ code: 2 });
});

describe("forget", () => {
  test("shows what would go and removes nothing where nobody confirms it", async () => {
    const { run, moved } = await ilse();
    const shown = await run(["forget", moved]);
    expect(shown).toMatchObject({ code: 4, err: expect.stringContaining("--yes") });
    expect(shown.out).toContain("Ilse moved to Graz");
    expect(shown.out).toContain("Would go: 2 facts, 1 turn, 0 key-values.");
    expect(await run(["forget", moved], { answer: "no" })).toMatchObject({ code: 4 });
    expect(await run(["forget", moved, "--dry-run"])).toMatchObject({ code: 0 });
    expect((await run(["list"])).out).toContain("moved");
  });

  test.each([
    ["--yes", ["--yes", "--purge"], {}],
    ["the person at the terminal", ["--purge"], { answer: "y" }],
  ])("removes what %s confirms", async (_who, flags, surroundings) => {
    const { run, moved } = await ilse();
    expect(await run(["forget", moved, ...flags], surroundings)).toMatchObject({
      code: 0,
      out: expect.stringContaining("from every file"),
    });
    expect((await run(["list"])).out).not.toContain("moved");
  });

  test("takes ids, options or everything, one of the three; of nothing it ends with 3", async () => {
    const { run, moved } = await ilse();
    expect(await run(["forget", "--yes"])).toMatchObject({ code: 2 });
    expect(await run(["forget", moved, "--all", "--yes"])).toMatchObject({ code: 2 });
    expect(await run(["forget", "--person", "Nobody", "--yes"])).toMatchObject({ code: 3 });
    expect(await run(["forget", "--all", "--yes"])).toMatchObject({ code: 0 });
    expect((await run(["stats", "--json"])).json()).toMatchObject({ turns: 0, entries: {} });
  });

  test("forgets nothing by a query, but lists what it may mean", async () => {
    const { run, clocks } = await ilse();
    expect((await run(["forget", "--query", "clocks"])).out).toContain(clocks);
    expect((await run(["stats", "--json"])).json()).toMatchObject({ turns: 2 });
  });
});

test("an export is imported into another memory, and the file appears when it is whole", async () => {
  const { run, uri } = await ilse();
  const file = join(freshFolder(), "ilse.jsonl");
  expect(await run(["export", file])).toMatchObject({ code: 0 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(existsSync(`${file}.part`)).toBe(false);
  expect((await run(["export"])).out).toBe(readFileSync(file, "utf8"));
  expect(await run(["export", file])).toMatchObject({ code: 2, err: expect.stringContaining("--force") });
  expect(await run(["export", file, "--force"])).toMatchObject({ code: 0 });
  const copy = ["--uri", uri, "--user", "copy"];
  expect((await cli(["import", file, ...copy])).out).toMatch(/turns +2 +0/);
  expect((await cli(["import", ...copy], { input: readFileSync(file, "utf8") })).out).toMatch(/turns +0 +2/);
  expect((await cli(["ask", "Who repairs clocks?", ...copy])).out).toContain("Ane");
  expect(await cli(["add", file, ...copy])).toMatchObject({
    code: 2,
    err: expect.stringContaining("simplemem import"),
  });
});

test("a line of an export that does not fit is named, and so are the lines that are stored", async () => {
  const { run } = await ilse();
  const lines = (await run(["export"])).out.split("\n");
  const file = join(freshFolder(), "cut.jsonl");
  writeFileSync(file, [...lines.slice(0, 2), "nonsense", ...lines.slice(2)].join("\n"));
  const imported = await cli(["import", file, "--uri", freshFolder(), ...USER]);
  expect(imported).toMatchObject({ code: 2, err: expect.stringContaining("line 3") });
});

test("maintain, reembed, stats and users say what there is", async () => {
  const { run } = await ilse();
  expect((await run(["maintain"])).out).toMatch(/examined +2/);
  expect((await run(["maintain", "--everyone"])).out).toMatch(/examined +2/);
  expect((await run(["reembed"])).out).toMatch(/facts +2/);
  expect((await run(["stats"])).out).toMatch(/turns +2, 0 of them waiting/);
  expect((await run(["users"])).out).toContain("ilse");
});

/** Every command, with input that it takes; ID stands for a fact's. */
const COMMAND_LINES = [
  "stats",
  "users",
  "list",
  "search Graz",
  "ask Who repairs clocks?",
  "ask What does oil cost?",
  "show ID",
  "timeline --person Ane",
  "review",
  "facts",
  "facts remember a b",
  "facts recall a",
  "facts forget a --yes",
  "update ID --topic home",
  "restore ID 1",
  "flush",
  "work --once",
  "maintain",
  "reembed",
  "add",
  "forget ID",
  "forget --query clocks",
  "forget ID --yes",
  "demo",
];

test("with --json every command gives one document", async () => {
  const { run, moved } = await ilse();
  const exported = await run(["export", "--json"]);
  expect((await run(["import", "--json"], { input: exported.out })).json()).toMatchObject({ receipt: { lines: 7 } });
  for (const line of COMMAND_LINES) {
    const { out } = await run([...line.replace("ID", moved).split(" "), "--json"], { input: "" });
    expect(() => JSON.parse(out), line).not.toThrow();
  }
});

test("the demo fills a memory of its own and says how to go on", async () => {
  const uri = freshFolder();
  const run = await cli(["demo", "--uri", uri]);
  expect(run).toMatchObject({ code: 0, err: "" });
  expect(run.out).toContain("Oda Reyl");
  expect(run.out).toContain(`simplemem list --user demo --uri ${uri}`);
  const again = await cli(["demo", "--uri", uri]);
  expect(again.out).toContain("A conversation of 98 turns");
  await using simplemem = await SimpleMem.open({ uri });
  expect(await simplemem.users.list()).toEqual([{ userId: "demo" }]);
});
