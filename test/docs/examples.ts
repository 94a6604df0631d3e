import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Program, ROOT } from "./pages.js";

/** The floors that doors open. */
const FLOORS = ["agents", "graph", "memory", "memory/foreign", "memory/items", "records", "retrievers"];
const FILES = ["src/models/local-embeddings.ts"];

const EXPORT = /^export (?:async )?(?<kind>function|class|const|interface|type) (?<name>\w+)/gm;
const EXAMPLE = /^\s*\* @example(.*)$/;
const GIVEN = /^export (?:declare const (?<constant>\w+)|\{ (?<names>[\w, ]+) \})/gm;

function sourceFiles(): readonly string[] {
  const listed = FLOORS.flatMap((floor) =>
    readdirSync(join(ROOT, "src", floor)).flatMap((name) => (name.endsWith(".ts") ? [`src/${floor}/${name}`] : [])),
  );
  return [...listed, ...FILES];
}

function givenNames(): readonly string[] {
  const text = readFileSync(join(ROOT, "test/docs/given.ts"), "utf8");
  return [...text.matchAll(GIVEN)].flatMap(({ groups }) => groups?.constant ?? groups?.names?.split(", ") ?? []);
}

/** One line that imports what the file exports, and what examples take for granted. */
function imports(path: string, source: string): string {
  const own = [...source.matchAll(EXPORT)].map(({ groups }) => ({ kind: groups?.kind, name: groups?.name ?? "" }));
  const isType = (kind: string | undefined): boolean => kind === "interface" || kind === "type";
  const named = own.map(({ kind, name }) => (isType(kind) ? `type ${name}` : name));
  const given = givenNames().filter((name) => own.every((one) => one.name !== name));
  const up = "../".repeat(path.split("/").length - 1);
  return `import { ${named.join(", ")} } from "${up}${path.replace(/ts$/, "js")}"; import { ${given.join(", ")} } from "${up}test/docs/given.js";`;
}

/** The examples of a file's docstrings, each a function of its own, every line at the number that it has in the file. */
function exampleLines(source: string): readonly string[] {
  let isInside = false;
  return source.split("\n").map((line, index) => {
    const code = EXAMPLE.exec(line)?.[1];
    const isEnd = line.trimEnd().endsWith("*/");
    const isTag = code !== undefined || /^\s*\* @/.test(line);
    const closing = isInside && (isTag || isEnd) ? "}; " : "";
    if (isTag || isEnd) isInside = code !== undefined && !isEnd;
    if (code === undefined) return isInside ? line.replace(/^\s*\* ?/, "") : closing;
    return `${closing}export const example${index} = async () => { ${code.replace("*/", "}")}`;
  });
}

/** The examples of what the doors open, a program for each file that has any. */
export function docstringExamples(): readonly Program[] {
  return sourceFiles().flatMap((path) => {
    const source = readFileSync(join(ROOT, path), "utf8");
    if (!source.includes("@example")) return [];
    const [first = "", ...rest] = exampleLines(source);
    const text = [`${imports(path, source)} ${first}`, ...rest].join("\n");
    return [{ name: `${path}:1`, page: path, text, isRun: false, prints: [] }];
  });
}
