import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A page of the documentation, as it lies in the folder. */
export interface Page {
  /** Relative to the project: "docs/memory.md". */
  readonly path: string;
  readonly lines: readonly string[];
}

/** A fenced block, or a hidden comment that stands before one. */
export interface Block {
  /** First line of its content, counted from 1. */
  readonly line: number;
  readonly language: string;
  /** What follows the language in the info string; readers of the rendered page do not see it. */
  readonly flags: readonly string[];
  readonly code: readonly string[];
}

/** One TypeScript program of a page: a block with its set-up, and the blocks that continue it. */
export interface Program {
  /** Page and line of the first block: "docs/memory.md:12". */
  readonly name: string;
  readonly page: string;
  /** Its code, every line at the number that it has in the page: an error's line is the page's. */
  readonly text: string;
  readonly isRun: boolean;
  /** What it says that it prints, in this order. */
  readonly prints: readonly string[];
}

const FENCE = /^```(\S*)\s*(.*)$/;
/** A comment with code that the reader need not see, closed by `-->`: it goes before the next block, or after the last. */
const HIDDEN = /^<!-- (setup|teardown)$/;
const PRINTS = /\/\/ → (.+)$/;

export const HIDDEN_LANGUAGES: readonly string[] = ["setup", "teardown"];

/** README.md, CONTRIBUTING.md, and what lies in docs. */
export function readPages(): readonly Page[] {
  const docs = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
  const paths = ["README.md", "CONTRIBUTING.md", ...docs.sort().map((name) => `docs/${name}`)];
  return paths.map((path) => ({ path, lines: readFileSync(join(ROOT, path), "utf8").split("\n") }));
}

/** All blocks of a page, in their order. @throws Error for a block that does not end */
export function blocksOf({ path, lines }: Page): readonly Block[] {
  const blocks: Block[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const opening = FENCE.exec(line) ?? HIDDEN.exec(line);
    if (opening === null) continue;
    const close = opening[0].startsWith("```") ? "```" : "-->";
    const end = lines.indexOf(close, index + 1);
    if (end === -1) throw new Error(`${path}:${index + 1}: this block does not end.`);
    const flags = (opening[2] ?? "").split(/\s+/).filter((flag) => flag !== "");
    blocks.push({ line: index + 2, language: opening[1] ?? "", flags, code: lines.slice(index + 1, end) });
    index = end;
  }
  return blocks;
}

/** @throws Error for hidden code or a continuation that belongs to no block */
export function programsOf(page: Page): readonly Program[] {
  const groups: Block[][] = [];
  let setup: Block[] = [];
  for (const block of blocksOf(page)) {
    if (block.language === "setup") setup.push(block);
    else if (block.language === "teardown") lastOf(groups, page, block).push(block);
    else if (block.language === "ts") {
      if (block.flags.includes("continued")) lastOf(groups, page, block).push(...setup, block);
      else groups.push([...setup, block]);
      setup = [];
    }
  }
  if (setup[0] !== undefined) throw new Error(`${page.path}:${setup[0].line}: no block follows this set-up.`);
  return groups.map((group) => toProgram(page, group));
}

function lastOf(groups: readonly Block[][], { path }: Page, { line }: Block): Block[] {
  const last = groups.at(-1);
  if (last === undefined) throw new Error(`${path}:${line}: no block stands before this one.`);
  return last;
}

function toProgram(page: Page, blocks: readonly Block[]): Program {
  const text = page.lines.map(() => "");
  for (const { line, code } of blocks) text.splice(line - 1, code.length, ...code);
  const shown = blocks.filter(({ language }) => language === "ts");
  return {
    name: `${page.path}:${shown[0]?.line}`,
    page: page.path,
    text: text.join("\n"),
    isRun: shown.every(({ flags }) => !flags.includes("no-run")),
    prints: shown.flatMap(({ code }) => code.flatMap((line) => PRINTS.exec(line)?.[1] ?? [])),
  };
}
