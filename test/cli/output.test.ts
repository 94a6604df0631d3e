import fc from "fast-check";
import { expect, test } from "vitest";
import { harmless, harmlessJson } from "../../src/cli/output/harmless.js";
import { progressLine } from "../../src/cli/output/progress.js";
import { tableLines } from "../../src/cli/output/table.js";
import { columnsOf } from "../../src/cli/output/width.js";
import { cli, jsonl } from "../support/cli.js";
import { freshFolder } from "../support/folders.js";

/** What a terminal obeys, or what turns the order of writing around. */
const OBEYED = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
const HOSTILE = "\u001b[2J\u001b]0;owned\u0007 \u009b31m \u202egnp.exe \u0000\r\b I moved to Graz on 3 March 2025.";

test("no text can drive the terminal, and what is harmless stays as it is", () => {
  const anything = fc.string({ unit: "binary" });
  fc.assert(fc.property(anything, (text) => !OBEYED.test(harmless(text))));
  expect(harmless("Grüße, 你好, می‌خواهم, 👩‍👩‍👧")).toBe("Grüße, 你好, می‌خواهم, 👩‍👩‍👧");
  expect(harmless("\u001b[31m\u202e")).toBe("\\x1b[31m\\u{202e}");
});

test("JSON is made harmless without a change of what it says", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const json = harmlessJson(JSON.stringify({ text }, null, 2));
      return JSON.parse(json).text === text && !OBEYED.test(json.replaceAll("\n", ""));
    }),
  );
});

test.each([
  ["list"],
  ["search", "Graz"],
  ["ask", "Who moved to Graz?"],
  ["show", "ID"],
  ["export"],
  ["timeline", "--person", "Ilse"],
])("hostile words in a memory are printed harmless by %s, on a terminal too", async (...args) => {
  const uri = freshFolder();
  const common = ["--uri", uri, "--user", "ilse"];
  const input = jsonl({ speaker: "Ilse\u001b[1m", content: HOSTILE, timestamp: "2025-03-10T09:00:00Z" });
  await cli(["add", ...common], { input });
  const id = (await cli(["list", ...common])).out.split("\n")[1]?.split(" ")[0] ?? "";
  const known = args.map((arg) => (arg === "ID" ? id : arg));
  const atTerminal = { outputIsTerminal: true, env: { NO_COLOR: "1" } };
  // What is exported into a pipe or a file is for `import`, byte for byte.
  for (const surroundings of args[0] === "export" ? [atTerminal] : [{}, atTerminal]) {
    const { out, err } = await cli([...known, ...common], surroundings);
    expect(out + err).not.toBe("");
    expect((out + err).replaceAll("\n", "")).not.toMatch(OBEYED);
  }
});

test("colours are for a terminal alone, and not where NO_COLOR says so", async () => {
  const uri = freshFolder();
  await cli(["demo", "--uri", uri]);
  const list = (surroundings: object) => cli(["list", "--limit", "2", "--uri", uri, "--user", "demo"], surroundings);
  expect((await list({ outputIsTerminal: true })).out).toContain("\u001b[2m");
  expect((await list({})).out).not.toContain("\u001b");
  expect((await list({ outputIsTerminal: true, env: { NO_COLOR: "1" } })).out).not.toContain("\u001b");
  expect((await list({ outputIsTerminal: true, env: { TERM: "dumb" } })).out).not.toContain("\u001b");
});

test("the last column of a table is wrapped to the terminal's width", () => {
  const rows = [
    ["a", "one two three four five six seven"],
    ["bb", "玛塔的店面租金是多少"],
  ];
  const lines = tableLines(null, rows, { colours: false, columns: 30 });
  expect(lines).toEqual(["a   one two three four five", "    six seven", "bb  玛塔的店面租金是多少"]);
  for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(30);
});

test("progress tells rate and time left, and none of it before there is any", () => {
  const step = { what: "adding", unit: "turns", done: 1200, total: 5000 };
  expect(progressLine(step, 5000)).toBe("adding █████░░░░░░░░░░░░░░░ 1,200 of 5,000 turns, 240/s, 16 s left");
  expect(progressLine({ ...step, done: 0 }, 0)).toBe("adding ░░░░░░░░░░░░░░░░░░░░ 0 of 5,000 turns");
  expect(progressLine({ ...step, total: 500_000 }, 5000)).toContain("34 min 38 s left");
  expect(progressLine({ ...step, total: null }, 5000)).toBe("adding 1,200 turns, 240/s");
});
