import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { ROOT, run, runNode, runProgram, specifiers } from "./consumer.js";

const { folder } = inject("npm");
const doors = specifiers();

interface Report {
  readonly node: string;
  readonly doors: Readonly<Record<string, { readonly imported: string[]; readonly required: string[] }>>;
  readonly torn: readonly string[];
  readonly connections: number;
  readonly variablesSet: number;
}

describe.each([
  [20, process.execPath],
  [22, inject("node22")],
])("R82 on Node %i", (major, node) => {
  const place = join(folder, `empty-${major}`);
  let report: Report;

  beforeAll(async () => {
    mkdirSync(place);
    report = await runProgram(folder, "doors", { args: doors, node, cwd: place, env: { HOME: place, TMPDIR: place } });
  });

  // The first column is the oldest Node that is supported; the one that runs the tests may be newer.
  test("the program is at least of that major", () => {
    expect(Number.parseInt(report.node, 10)).toBeGreaterThanOrEqual(major);
  });

  test.each(doors)("%s gives the same names to import and to require", (door) => {
    const names = report.doors[door];
    expect(names?.imported.length).toBeGreaterThan(0);
    expect(names?.required).toEqual(names?.imported);
  });

  test("by either route a class is the same one through every door", () => {
    expect(report.torn).toEqual([]);
  });

  test("importing makes no file, sets no variable, needs none and opens no connection", () => {
    expect(readdirSync(place)).toEqual([]);
    expect(report).toMatchObject({ connections: 0, variablesSet: 0 });
  });
});

test.each([
  ["node16", "node16", "consumer.mts"],
  ["node16", "node16", "consumer.cts"],
  ["nodenext", "nodenext", "consumer.mts"],
  ["nodenext", "nodenext", "consumer.cts"],
  ["esnext", "bundler", "consumer.ts"],
])("R82: types are found with module %s and resolution %s from %s", async (module, resolution, file) => {
  const lines = doors.map((door, index) => `import * as door${index} from "${door}";\nvoid door${index};`);
  const typed = `import { SimpleMem } from "simplemem-langchain";
// @ts-expect-error An address is required: were the types lost, nothing would be wrong here.
void (() => SimpleMem.open({}));`;
  writeFileSync(join(folder, file), `${lines.join("\n")}\n${typed}\n`);
  const compilerOptions = { module, moduleResolution: resolution, target: "es2022", strict: true, noEmit: true };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: true, types: [] }, files: [file] }),
  );
  await run("node", [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", "."], folder);
});

test("R81: the servers need nothing but the package, and say which one is missing for MCP", async () => {
  const source = `
    import { SimpleMem } from "simplemem-langchain";
    import { startServer } from "simplemem-langchain/server";
    import { runMcpStdio } from "simplemem-langchain/mcp";
    const memory = await SimpleMem.open({ uri: "memory://" });
    const globals = [Request, Response, fetch];
    const tokens = [{ token: "0123456789abcdef", userId: "ilse" }];
    const { url, close } = await startServer({ memory, tokens, port: 0, closeMemory: true });
    const { status } = await fetch(url + "/health");
    const error = await runMcpStdio({ memory, scope: { userId: "ilse" } }).catch((error) => error);
    const kept = [Request, Response, fetch].every((one, index) => one === globals[index]);
    await close();
    console.log(JSON.stringify({ status, kept, name: error.name, message: error.message }));
  `;
  expect(JSON.parse(await runNode(folder, source))).toEqual({
    status: 200,
    kept: true,
    name: "MissingPackageError",
    message: expect.stringContaining("npm install @modelcontextprotocol/sdk"),
  });
});

test("R82: the types of the servers name no package that users need not have", () => {
  const dist = join(ROOT, "dist");
  for (const file of readdirSync(dist).filter((name) => /\.d\.c?ts$/.test(name))) {
    expect(readFileSync(join(dist, file), "utf8"), file).not.toMatch(/from ["'](hono|@hono|@modelcontextprotocol)/);
  }
});

test("R82: esbuild bundles a consumer when LanceDB stays outside", async () => {
  writeFileSync(join(folder, "entry.mjs"), doors.map((door) => `export * from "${door}";`).join("\n"));
  const esbuild = join(ROOT, "node_modules/esbuild/bin/esbuild");
  const external = ["@lancedb/lancedb", "apache-arrow", "@modelcontextprotocol/sdk/*"].map(
    (name) => `--external:${name}`,
  );
  const output = "--outfile=bundle.mjs";
  const banner = "--banner:js=import{createRequire}from'node:module';const require=createRequire(import.meta.url);";
  await run(esbuild, ["entry.mjs", "--bundle", "--platform=node", "--format=esm", output, banner, ...external], folder);
  const source = `const { SimpleMem } = await import("./bundle.mjs"); console.log(typeof SimpleMem.open);`;
  expect(await runNode(folder, source)).toContain("function");
});
