import { beforeAll, expect, test } from "vitest";
import { typeErrors } from "./check-types.js";
import { docstringExamples } from "./examples.js";
import { blocksOf, HIDDEN_LANGUAGES, type Program, programsOf, readPages } from "./pages.js";
import { type Outcome, runPrograms } from "./run-programs.js";

const pages = readPages();
const programs = pages.flatMap(programsOf);
const examples = docstringExamples();
const runnable = programs.filter(({ isRun }) => isRun);

function pageOf(...lines: string[]) {
  return { path: "docs/page.md", lines };
}

/** Programs that must be found wanting, so that the checks of the others mean something. */
const [illTyped, throwing, misprinting] = [
  'const port: number = "80";',
  'throw new RangeError("no");',
  'console.log("one"); // → two',
].flatMap((code, index) => programsOf(pageOf(...Array.from({ length: index }, () => ""), "```ts", code, "```")));

let errors: ReadonlyMap<Program, readonly string[]>;
let outcomes: ReadonlyMap<Program, Outcome>;

/** What is amiss with a program that ran: its error, or the first line that it did not print. */
function amiss(program: Program | undefined): string | undefined {
  const outcome = program === undefined ? undefined : outcomes.get(program);
  if (program === undefined || outcome === undefined) throw new Error("this program was not run.");
  if (outcome.error !== undefined) return `${program.name}: ${outcome.error}`;
  let from = 0;
  for (const expected of program.prints) {
    const at = outcome.printed.indexOf(expected, from);
    if (at === -1) return `${program.name}: says that it prints ${expected}, and prints\n${outcome.printed}`;
    from = at + expected.length;
  }
  return undefined;
}

beforeAll(async () => {
  const probes = [illTyped, throwing, misprinting].flatMap((probe) => probe ?? []);
  errors = typeErrors([...programs, ...examples, ...probes]);
  outcomes = await runPrograms([...runnable, ...probes]);
}, 300_000);

test.each(programs)("$name is typed as the package's sources are", (program) => {
  expect(errors.get(program)).toEqual([]);
});

test.each(examples)("the examples in the docstrings of $page are typed as the code is", (program) => {
  expect(errors.get(program)).toEqual([]);
});

test.each(runnable)("$name runs offline and prints what it says", (program) => {
  expect(amiss(program)).toBeUndefined();
});

test("what does not compile, throws or prints something else is named by page and line", () => {
  expect(illTyped && errors.get(illTyped)).toEqual([
    "docs/page.md:2: Type 'string' is not assignable to type 'number'.",
  ]);
  expect(amiss(throwing)).toMatch(/^docs\/page\.md:3: RangeError: no\n.*docs\/page\.md:3/);
  expect(amiss(misprinting)).toBe("docs/page.md:4: says that it prints two, and prints\none");
});

test("hidden code and what continues a block are part of its program, at their lines", () => {
  const shown = ["```ts no-run", "b", "```", "text", "```ts continued", "c", "```"];
  const page = pageOf("<!-- setup", "a", "-->", ...shown, "<!-- teardown", "d", "-->");
  const text = ["", "a", "", "", "b", "", "", "", "c", "", "", "d", ""].join("\n");
  expect(programsOf(page)).toEqual([{ name: "docs/page.md:5", page: "docs/page.md", text, isRun: false, prints: [] }]);
});

test.each([
  ["a block that does not end", ["```ts", "a"], "docs/page.md:1: this block does not end."],
  ["a set-up before no block", ["<!-- setup", "a", "-->"], "docs/page.md:2: no block follows this set-up."],
  ["a continuation of nothing", ["```ts continued", "a", "```"], "docs/page.md:2: no block stands before this one."],
])("%s is refused", (_, lines, message) => {
  expect(() => programsOf(pageOf(...lines))).toThrow(message);
});

test("every block says its language, so that none goes unchecked", () => {
  const known = ["ts", "sh", "json", "mermaid", "text", ...HIDDEN_LANGUAGES];
  const others = pages.flatMap((page) =>
    blocksOf(page)
      .filter(({ language }) => !known.includes(language))
      .map(({ line, language }) => `${page.path}:${line}: ${language}`),
  );
  expect(others).toEqual([]);
});
