import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { cli, ILSE, jsonl } from "../support/cli.js";
import { freshFolder } from "../support/folders.js";

const USER = ["--user", "ilse"];

async function statsOf(uri: string) {
  const simplemem = await SimpleMem.open({ uri });
  const stats = await simplemem.scope({ userId: "ilse" }).stats();
  await simplemem.close({ flush: false });
  return stats;
}

function file(name: string, text: string): string {
  const path = join(freshFolder(), name);
  writeFileSync(path, text);
  return path;
}

test("what is piped in is added, and becomes facts", async () => {
  const uri = freshFolder();
  const run = await cli(["add", "--uri", uri, ...USER], { input: jsonl(...ILSE) });
  expect(run).toMatchObject({ code: 0, out: "Added 2 turns.\nFacts: 2 added (1 window).\n", err: "" });
  expect(await statsOf(uri)).toMatchObject({ turns: 2, entries: { active: 2 }, pendingTurns: 0 });
});

test("the same input added again adds nothing, also when its lines name no ids", async () => {
  const uri = freshFolder();
  const input = jsonl(...ILSE.map(({ id: _id, ...turn }) => turn));
  const doubled = input + input;
  expect((await cli(["--uri", uri, ...USER, "add"], { input: doubled })).out).toContain("Added 4 turns.");
  expect((await cli(["--uri", uri, ...USER, "add"], { input: doubled })).out).toContain(
    "Added 0 turns, 4 known already.",
  );
});

test("a turn without time and id is said now, and is new each time", async () => {
  const uri = freshFolder();
  const input = jsonl({ speaker: "Ilse", content: "Good morning, it is 7 already." });
  await cli(["add", "--uri", uri, ...USER], { input });
  await cli(["add", "--uri", uri, ...USER], { input });
  expect((await statsOf(uri)).turns).toBe(2);
});

test.each([
  ["no JSON", '{"speaker": "Ilse"', /line 3: this is no JSON/],
  ["a field that no turn has", '{"speaker":"Ilse","content":"x","timestmap":"2025"}', /line 3: .*timestmap/],
  ["a time that is none", '{"speaker":"Ilse","content":"x","timestamp":"yesterday"}', /line 3: .*yesterday/],
  ["nobody who speaks", '{"content":"x"}', /line 3: .*speaker/],
  ["no object", "[1]", /line 3: .*object/],
])("a line that holds %s is named, and nothing is added", async (_what, line, message) => {
  const uri = freshFolder();
  const run = await cli(["add", "--uri", uri, ...USER], { input: `${jsonl(...ILSE)}${line}\n` });
  expect(run.code).toBe(2);
  expect(run.err).toMatch(message);
  expect(run.err).toContain("Nothing was added.");
  expect(run.err.trimEnd()).not.toContain("\n");
  expect((await statsOf(uri)).turns).toBe(0);
});

test("two lines of one id that say different things are both named, and nothing is added", async () => {
  const uri = freshFolder();
  const input = jsonl(ILSE[0], { ...ILSE[1], id: "t1" });
  const run = await cli(["add", "--uri", uri, ...USER], { input });
  expect(run).toMatchObject({ code: 2, err: expect.stringMatching(/line 2: .*"t1".*line 1/) });
  expect((await statsOf(uri)).turns).toBe(0);
});

test("of several files none is added when one does not fit", async () => {
  const uri = freshFolder();
  const good = file("good.jsonl", jsonl(...ILSE));
  const bad = file("bad.jsonl", "nonsense\n");
  const run = await cli(["add", good, bad, "--uri", uri, ...USER]);
  expect(run).toMatchObject({ code: 2, err: expect.stringContaining("bad.jsonl, line 1") });
  expect((await statsOf(uri)).turns).toBe(0);
});

test("an id that the log knows with other words ends the command with the number of turns that are in the log", async () => {
  const uri = freshFolder();
  await cli(["add", "--uri", uri, ...USER, "--wait"], { input: jsonl({ ...ILSE[0], id: "n600" }) });
  const many = Array.from({ length: 601 }, (_, index) => ({
    id: `n${index}`,
    speaker: "Ilse",
    content: `Room ${index} is free.`,
    timestamp: "2025-03-10T09:00:00Z",
  }));
  const run = await cli(["add", "--uri", uri, ...USER, "--wait"], { input: jsonl(...many) });
  expect(run.code).toBe(2);
  expect(run.err).toContain("The first 500 turns of 601 are in the log");
  expect(run.err).toContain('"n600"');
  expect((await statsOf(uri)).turns).toBe(501);
});

const FOREIGN = {
  "messages.json": [
    { role: "user", content: "I moved to Graz on 3 March 2025.", timestamp: "2025-03-10T09:00:00Z" },
    { role: "assistant", content: "How is the flat?", timestamp: "2025-03-10T09:01:00Z" },
  ],
  "chat.json": { messages: [{ role: "user", content: "I moved to Graz.", created_at: 1_741_600_000 }] },
  "turns.json": ILSE,
  "locomo.json": {
    session_1: [{ speaker: "Ilse", dia_id: "D1:1", text: "I moved to Graz." }],
    session_1_date_time: "1:56 pm on 8 May, 2023",
  },
  "mem0.json": {
    results: [{ id: "m1", memory: "Ilse lives in Graz.", user_id: "i", created_at: "2025-03-10T09:00:00Z" }],
  },
  "items.json": [
    { namespace: ["ilse"], key: "home", value: { text: "Ilse lives in Graz." }, updated_at: "2025-03-10T09:00:00Z" },
  ],
};

test.each(Object.entries(FOREIGN))("%s is known by what it holds", async (name, document) => {
  const uri = freshFolder();
  const path = file(name, JSON.stringify(document, null, 2));
  const run = await cli(["add", path, "--uri", uri, ...USER]);
  expect(run).toMatchObject({ code: 0, err: "" });
  const found = await cli(["search", "Graz", "--uri", uri, ...USER]);
  expect(found.out).toContain("Graz");
});

test("what cannot be told is refused with the formats that there are", async () => {
  const uri = freshFolder();
  const run = await cli(["add", file("x.json", '{"a": 1}'), "--uri", uri, ...USER]);
  expect(run).toMatchObject({ code: 2, err: expect.stringContaining("jsonl|json|openai|locomo|mem0|langgraph") });
});

test("one thing can be said without a file", async () => {
  const uri = freshFolder();
  const run = await cli(["add", "--text", "I keep 12 bees.", "--speaker", "Ilse", "--uri", uri, ...USER]);
  expect(run).toMatchObject({ code: 0, out: expect.stringContaining("Added 1 turn.") });
  expect(await cli(["add", "--text", "I keep bees.", "--uri", uri, ...USER])).toMatchObject({ code: 2 });
});

test("turns that are left waiting are found, and flush makes facts of them", async () => {
  const uri = freshFolder();
  await cli(["add", "--wait", "--uri", uri, ...USER], { input: jsonl(...ILSE) });
  expect((await statsOf(uri)).pendingTurns).toBe(2);
  expect((await cli(["search", "clocks", "--uri", uri, ...USER])).out).toContain("clocks");
  expect(await cli(["flush", "--uri", uri, ...USER])).toMatchObject({ code: 0, out: "Facts: 2 added (1 window).\n" });
});

test("on a terminal progress is told with rate and time left, elsewhere not at all", async () => {
  const many = Array.from({ length: 1200 }, (_, index) => ({ speaker: "Ilse", content: `Word ${index}.` }));
  const run = (errorsAreTerminal: boolean) =>
    cli(["add", "--wait", "--uri", freshFolder(), ...USER], { input: jsonl(...many), errorsAreTerminal });
  expect((await run(true)).err).toMatch(/adding █+░+ [\d,]+ of 1,200 turns, [\d,]+\/s, \d+ s left/);
  expect((await run(false)).err).toBe("They wait; `simplemem flush` makes facts of them.\n");
});
