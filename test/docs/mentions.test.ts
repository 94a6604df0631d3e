import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { blocksOf, type Page, ROOT, readPages } from "./pages.js";

const pages = readPages();
const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(ROOT, "package.json"), "utf8"),
);

const NPM_COMMAND = /\bnpm (?:run (?<script>[\w:-]+)|(?<builtIn>test)\b)/g;
/** A short name that follows in a list of scripts: `example:tools`. */
const SCRIPT_NAME = /`(?<script>(?:example|bench|docs):[\w:-]+)`/g;
const LINK = /\]\((?<target>[^)\s]+)\)/g;
const PROJECT_FILE = /\b(?:src|test|examples|bench|scripts|docs)\/[\w./-]*\.\w+/g;

/** Every match on a page with its page and line. */
function findAll({ path, lines }: Page, pattern: RegExp) {
  return lines.flatMap((line, index) =>
    [...line.matchAll(pattern)].map((match) => ({ at: `${path}:${index + 1}`, text: match[0], groups: match.groups })),
  );
}

/** The anchor that GitHub gives to a heading. */
function anchorOf(heading: string): string {
  return heading
    .replace(/^#+\s+/, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

function anchorsOf(page: Page): readonly string[] {
  const inBlocks = new Set(blocksOf(page).flatMap(({ line, code }) => code.map((_, index) => line + index)));
  return page.lines.filter((line, index) => /^#+\s/.test(line) && !inBlocks.has(index + 1)).map(anchorOf);
}

function brokenLinks(page: Page): readonly string[] {
  return findAll(page, LINK).flatMap(({ at, groups }) => {
    const target = groups?.target ?? "";
    if (/^https?:/.test(target)) return [];
    const [path, anchor] = target.split("#");
    const file = path === undefined || path === "" ? page.path : join(dirname(page.path), path);
    if (!existsSync(join(ROOT, file))) return [`${at}: there is no ${file}`];
    const linked = pages.find((other) => other.path === file);
    const isThere = anchor === undefined || linked === undefined || anchorsOf(linked).includes(anchor);
    return isThere ? [] : [`${at}: ${file} has no heading #${anchor}`];
  });
}

test.each(pages)("every npm script that $path names exists", (page) => {
  const named = [...findAll(page, NPM_COMMAND), ...findAll(page, SCRIPT_NAME)];
  const missing = named.filter(({ groups }) => scripts[groups?.script ?? groups?.builtIn ?? ""] === undefined);
  expect(missing.map(({ at, text }) => `${at}: ${text}`)).toEqual([]);
});

test.each(pages)("every link of $path leads somewhere", (page) => {
  expect(brokenLinks(page)).toEqual([]);
});

test.each(pages)("every file of the project that $path names exists", (page) => {
  const missing = findAll(page, PROJECT_FILE).filter(({ text }) => !existsSync(join(ROOT, text)));
  expect(missing.map(({ at, text }) => `${at}: ${text}`)).toEqual([]);
});

test("every page of docs is linked from its table", () => {
  const index = readFileSync(join(ROOT, "docs/README.md"), "utf8");
  const names = pages.map(({ path }) => path.replace("docs/", "")).filter((name) => name !== "README.md");
  const unlinked = names.filter((name) => name !== "CONTRIBUTING.md" && !index.includes(`(${name})`));
  expect(unlinked).toEqual([]);
});
