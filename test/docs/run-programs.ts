import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { DOOR_SOURCES } from "./check-types.js";
import { type Program, ROOT } from "./pages.js";

/** How a program ended: what it printed, and the error that ended it. */
export interface Outcome {
  readonly printed: string;
  readonly error?: string;
}

const OFFLINE = new URL("../support/offline.mjs", import.meta.url).href;
const RUNNER = join(ROOT, "test/docs/runner.ts");

/** Gives esbuild the programs as files that lie in the project, and the doors as their sources. */
function pagesPlugin(programs: readonly Program[]): Plugin {
  const texts = new Map(programs.map(({ name, text }) => [name, text]));
  return {
    name: "pages",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^page:/ }, ({ path }) => ({ path: path.slice("page:".length), namespace: "page" }));
      onLoad({ filter: /.*/, namespace: "page" }, ({ path }) => ({
        contents: texts.get(path) ?? "",
        loader: "ts",
        resolveDir: ROOT,
      }));
      onResolve({ filter: /^simplemem-langchain/ }, ({ path }) => ({ path: DOOR_SOURCES[path] ?? path }));
    },
  };
}

/** Compiles all at once, two levels under the root, where the sources find the assets too. */
async function compile(programs: readonly Program[], folder: string): Promise<void> {
  await build({
    entryPoints: [
      { in: RUNNER, out: "runner" },
      ...programs.map(({ name }, index) => ({ in: `page:${name}`, out: `program-${index}` })),
    ],
    plugins: [pagesPlugin(programs)],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    sourcemap: "linked",
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    logLevel: "warning",
  });
}

async function runAll(folder: string, cwd: string, count: number): Promise<readonly string[]> {
  const files = Array.from({ length: count }, (_, index) => pathToFileURL(join(folder, `program-${index}.mjs`)).href);
  const child = spawn(
    process.execPath,
    ["--enable-source-maps", "--import", OFFLINE, join(folder, "runner.mjs"), ...files],
    { cwd, stdio: ["ignore", "pipe", "inherit"] },
  );
  return (await text(child.stdout)).split("\n");
}

/**
 * Runs programs one after another in one process without a network, each in an empty folder of its own: loading LanceDB
 * and LangGraph anew for each would take longer than all of them.
 */
export async function runPrograms(programs: readonly Program[]): Promise<ReadonlyMap<Program, Outcome>> {
  const folder = mkdtempSync(join(ROOT, "node_modules/.pages-"));
  const cwd = mkdtempSync(join(tmpdir(), "simplemem-pages-"));
  try {
    await compile(programs, folder);
    const lines = await runAll(folder, cwd, programs.length);
    return new Map(programs.map((program, index) => [program, outcomeOf(lines[index])]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(cwd, { recursive: true, force: true });
  }
}

function outcomeOf(line: string | undefined): Outcome {
  if (line === undefined || line === "") return { printed: "", error: "the process ended before this program did." };
  const { printed, error }: { printed: string; error?: string } = JSON.parse(line);
  return { printed, ...(error === undefined ? {} : { error }) };
}
