import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { freshInstall, run, runNode } from "./consumer.js";

const folder = inject("installed");
const IMPORT_ALL = `
  const { SimpleMem } = await import("simplemem-langchain");
  console.log(typeof SimpleMem.open);
`;

const STORE_AND_FIND = `
  import { SimpleMem } from "simplemem-langchain";
  const simplemem = await SimpleMem.open({ uri: "memory://" });
  const memory = simplemem.scope({ userId: "ilse" });
  await memory.add([{ speaker: "Ilse", content: "I moved to Graz.", timestamp: "2025-03-10T09:00:00+01:00" }]);
  await memory.flush();
  const { hits } = await memory.search("Graz");
  console.log(hits.map((hit) => hit.text).join());
  await simplemem.close();
`;

function versionsOf(name: string, place: string): string[] {
  const said = run("npm", ["ls", name, "--all", "--parseable", "--long"], place);
  return [...new Set([...said.matchAll(new RegExp(`:${name}@([^:\\s]+)`, "g"))].map(([, version = ""]) => version))];
}

describe("the README's install command", () => {
  test("npm resolves it without a conflict or a warning about peers", () => {
    expect(inject("installLog")).not.toMatch(/ERESOLVE|EBADENGINE|install scripts/);
  });

  test("what it installs stores and finds a memory", () => {
    expect(runNode(folder, "module", STORE_AND_FIND)).toContain("Graz");
  });

  test("pnpm resolves it and the package opens", ({ onTestFinished }) => {
    const other = freshInstall("pnpm", inject("tarball"));
    onTestFinished(() => rmSync(other.folder, { recursive: true, force: true }));
    expect(other.log).not.toMatch(/unmet peer|ERR_PNPM/);
    expect(runNode(other.folder, "module", IMPORT_ALL)).toContain("function");
  });

  test("zod 3.25 is enough", ({ onTestFinished }) => {
    const other = freshInstall("npm", inject("tarball"), "zod@3.25");
    onTestFinished(() => rmSync(other.folder, { recursive: true, force: true }));
    expect(runNode(other.folder, "module", IMPORT_ALL)).toContain("function");
  });

  test.each(["apache-arrow", "@langchain/core", "zod"])("installs one version of %s", (name) => {
    expect(versionsOf(name, folder)).toHaveLength(1);
  });

  test.each(["@langchain/core", "zod"])("carries no copy of %s of its own", (name) => {
    expect(existsSync(join(folder, "node_modules/simplemem-langchain/node_modules", name))).toBe(false);
  });
});

test("without the native part of LanceDB the package loads, and open says what is missing", () => {
  const scoped = join(folder, "node_modules/@lancedb");
  const natives = readdirSync(scoped).filter((name) => name.startsWith("lancedb-"));
  expect(natives.length).toBeGreaterThan(0);
  for (const name of natives) renameSync(join(scoped, name), join(folder, name));
  try {
    const said = runNode(
      folder,
      "module",
      `import { SimpleMem } from "simplemem-langchain";
       await SimpleMem.open({ uri: "./memory" }).then(() => console.log("opened"), (e) => console.log(e.name));`,
    );
    expect(said.trim()).toBe("StoreOpenError");
  } finally {
    for (const name of natives) renameSync(join(folder, name), join(scoped, name));
  }
});
