import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { NEEDS_LANGCHAIN, ROOT, runNode, runProgram, specifiers } from "./consumer.js";

const { folder, log } = inject("npm");
const COMPLAINTS = /ERESOLVE|EBADENGINE|ERR_PNPM|unmet|peer|unsupported engine/i;

/** What a whole use of the package gives, whatever the versions of its peers. */
const USED = {
  rules: ["Ilse moved to Graz."],
  model: ["Graz is where Ilse moved to."],
  tools: {
    required: [["key", "value"], [], ["key"], ["query"]],
    recalled: "home.city = Graz [general]",
    refusal: expect.stringContaining("schema"),
  },
  wrongOption: expect.stringMatching(/^InvalidInputError .*window\.size/),
};

function importing(doors: readonly string[]): string {
  return [...doors.map((door) => `await import("${door}");`), `console.log("open");`].join("\n");
}

function versionsOf(name: string): string[] {
  const found = inject("npmTree").matchAll(new RegExp(`:${name}@([^:\\s]+)`, "g"));
  return [...new Set([...found].map(([, version = ""]) => version))];
}

function platformBinaries(names: Iterable<string>): string[] {
  return [...new Set(names)].filter((name) => name.startsWith("@lancedb/lancedb-")).sort();
}

describe("R80: the README's install command", () => {
  test("npm resolves it without a word about peers or engines", () => {
    expect(log).not.toMatch(COMPLAINTS);
    expect(log).not.toMatch(/install scripts/);
  });

  test("pnpm resolves it without a word about peers or engines", () => {
    expect(inject("pnpm").log).not.toMatch(COMPLAINTS);
  });

  test.each([
    ["npm", folder],
    ["pnpm", inject("pnpm").folder],
  ])("what %s installed stores and finds a memory, by rules, by a model and by tools", async (_manager, place) => {
    expect(await runProgram(place, "use")).toEqual(USED);
  });

  test("every door but those of the optional peer opens", async () => {
    const doors = specifiers().filter((door) => !NEEDS_LANGCHAIN.includes(door));
    expect(await runNode(inject("pnpm").folder, importing(doors))).toContain("open");
  });

  test.each(["apache-arrow", "@langchain/core", "zod"])("R80 R83: there is one version of %s", (name) => {
    expect(versionsOf(name)).toHaveLength(1);
  });

  test.each(["@langchain/core", "zod"])("R83: the package carries no copy of %s of its own", (name) => {
    expect(existsSync(join(folder, "node_modules/simplemem-langchain/node_modules", name))).toBe(false);
  });
});

describe.each(Object.entries(inject("variants")))("R83: with %s", (_name, variant) => {
  const { folder: place, log: said, packages } = variant;

  test("no peer is refused, and what was asked for is there", () => {
    expect(said).not.toMatch(COMPLAINTS);
    for (const wanted of packages.filter((name) => /@\d/.test(name))) {
      const at = wanted.lastIndexOf("@");
      const installed = JSON.parse(
        readFileSync(join(place, "node_modules", wanted.slice(0, at), "package.json"), "utf8"),
      );
      expect(`${installed.version}.`).toContain(`${wanted.slice(at + 1)}.`);
    }
  });

  test("every schema reads what it should: options, replies, tools and an agent's context", async () => {
    const report = await runProgram(place, "use", { args: ["agent"] });
    expect(report).toEqual({ ...USED, agent: expect.stringContaining("Ilse moved to Graz.") });
  });

  test("every door opens", async () => {
    expect(await runNode(place, importing(specifiers()))).toContain("open");
  });
});

test("R81: the README's table of platforms is LanceDB's list of binaries", () => {
  const lancedb = JSON.parse(readFileSync(join(folder, "node_modules/@lancedb/lancedb/package.json"), "utf8"));
  const [, table = ""] = readFileSync(join(ROOT, "README.md"), "utf8").split("## Platforms");
  const named = [...table.matchAll(/`(@lancedb\/lancedb-[a-z0-9-]+)`/g)].map(([, name = ""]) => name);
  expect(platformBinaries(named)).toEqual(platformBinaries(Object.keys(lancedb.optionalDependencies)));
});
