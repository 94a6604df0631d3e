import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { DOOR_SOURCES } from "./check-types.js";
import { blocksOf, ROOT, readPages } from "./pages.js";
import { firstColumn } from "./tables.js";

const readme = readPages().filter(({ path }) => path === "README.md");
const lines = readme.flatMap((page) => page.lines);
const blocks = readme.flatMap(blocksOf);

test("the first program is examples/quickstart.ts", () => {
  const example = readFileSync(join(ROOT, "examples/quickstart.ts"), "utf8");
  const first = blocks.find(({ language }) => language === "ts");
  expect(first?.code.join("\n")).toBe(example.replace('"../src/index.js"', '"simplemem-langchain"').trim());
});

test("the graphs are those of the code", async () => {
  const drawn = blocks.filter(({ language }) => language === "mermaid");
  await using simplemem = await SimpleMem.open({ uri: "memory://" });
  const graphs = [await simplemem.writeGraph.getGraphAsync(), await simplemem.readGraph.getGraphAsync()];
  expect(drawn.map(({ code }) => code.join("\n"))).toEqual(graphs.map((graph) => graph.drawMermaid().trim()));
});

test("the doors are those of the package", () => {
  expect([...firstColumn("README.md", "## Doors")].sort()).toEqual(Object.keys(DOOR_SOURCES).sort());
});

test("the tables are those of a folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "simplemem-readme-"));
  try {
    const simplemem = await SimpleMem.open({ uri: folder });
    await simplemem.scope({ userId: "ilse" }).add({ speaker: "Ilse", content: "I keep bees." });
    await (await simplemem.store()).put(["notes"], "bees", { text: "Three hives." });
    await simplemem.close();
    const tables = readdirSync(folder).flatMap((name) => (name.endsWith(".lance") ? [name.replace(".lance", "")] : []));
    const named = firstColumn("README.md", "## What is stored where");
    expect([...named].sort()).toEqual(tables.sort());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the platforms are those for which the store has a binary", () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const shipped = Object.keys(packages["node_modules/@lancedb/lancedb"].optionalDependencies);
  const named = lines.flatMap((line) => /`(@lancedb\/lancedb-[\w-]+)`/.exec(line)?.[1] ?? []);
  expect([...named].sort()).toEqual(shipped.filter((name) => name.startsWith("@lancedb/")).sort());
});
