import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import build from "../../tsdown.config.js";

const resolve = createRequire(import.meta.url).resolve;
const notices = readFileSync("NOTICES.md", "utf8");

/** The folder of a package, from a file of it. */
function folderOf(name: string): string {
  const inside = join("node_modules", name);
  const file = resolve(name);
  return file.slice(0, file.indexOf(inside) + inside.length);
}

function bundled(): readonly string[] {
  const { onlyBundle } = Array.isArray(build) || typeof build === "function" ? {} : (build.deps ?? {});
  return Array.isArray(onlyBundle) ? onlyBundle.map(String) : [];
}

test("three libraries are compiled in", () => {
  expect(bundled()).toHaveLength(3);
});

test.each(bundled())("NOTICES.md has the version and the licence of %s, which is compiled in", (name) => {
  const folder = folderOf(name);
  const { version }: { version: string } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  expect(notices).toContain(`## ${name} ${version}`);
  expect(notices).toContain(readFileSync(join(folder, "LICENSE"), "utf8").trim());
});
