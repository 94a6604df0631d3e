import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { NEEDS_LANGCHAIN, ROOT, run, runNode, specifiers } from "./consumer.js";

const folder = inject("installed");
const doors = specifiers().filter((name) => !NEEDS_LANGCHAIN.includes(name));

describe.each(doors)("%s", (door) => {
  test("import gives named exports", () => {
    const said = runNode(folder, "module", `console.log(Object.keys(await import("${door}")).length)`);
    expect(Number(said)).toBeGreaterThan(0);
  });

  test("require gives the same names as import", () => {
    const source = `
      import { createRequire } from "node:module";
      const names = (it) => Object.keys(it).filter((name) => name !== "default" && name !== "module.exports").sort().join();
      const required = createRequire(process.cwd() + "/x.js")("${door}");
      console.log(names(required) === names(await import("${door}")));
    `;
    expect(runNode(folder, "module", source).trim()).toBe("true");
  });
});

test.each([
  ["node16", "node16", "consumer.mts"],
  ["node16", "node16", "consumer.cts"],
  ["nodenext", "nodenext", "consumer.mts"],
  ["esnext", "bundler", "consumer.ts"],
])("types are found with module %s and resolution %s from %s", (module, resolution, file) => {
  const lines = doors.map((door, index) => `import * as door${index} from "${door}";\nvoid door${index};`);
  writeFileSync(join(folder, file), `${lines.join("\n")}\nexport {};\n`);
  const compilerOptions = { module, moduleResolution: resolution, target: "es2022", strict: true, noEmit: true };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: true, types: [] }, files: [file] }),
  );
  run("node", [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", "."], folder);
});

test("esbuild bundles a consumer when LanceDB and the package's data stay outside", () => {
  writeFileSync(join(folder, "entry.mjs"), doors.map((door) => `export * from "${door}";`).join("\n"));
  const esbuild = join(ROOT, "node_modules/esbuild/bin/esbuild");
  const external = ["@lancedb/lancedb", "apache-arrow"].map((name) => `--external:${name}`);
  const output = "--outfile=bundle.mjs";
  const banner = "--banner:js=import{createRequire}from'node:module';const require=createRequire(import.meta.url);";
  run(esbuild, ["entry.mjs", "--bundle", "--platform=node", "--format=esm", output, banner, ...external], folder);
  expect(runNode(folder, "module", `console.log(Object.keys(await import("./bundle.mjs")).length > 0)`)).toContain(
    "true",
  );
});
