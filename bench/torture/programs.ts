import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const HERE = import.meta.dirname;
const ROOT = join(HERE, "../..");
/** What some of the libraries still ask for by `require`. */
const REQUIRE = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
const PROGRAMS = ["victim", "probe"];

/** The programs that are started as processes, built once: compiling the sources in each would take longer than what they do. */
export class Programs {
  /** Two levels under the root, where the sources find the assets too. */
  readonly #folder = mkdtempSync(join(ROOT, "node_modules/.torture-"));

  async build(): Promise<void> {
    await build({
      entryPoints: PROGRAMS.map((name) => join(HERE, `${name}.ts`)),
      outdir: this.#folder,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      target: "node20",
      external: ["@lancedb/lancedb", "apache-arrow"],
      minify: true,
      banner: { js: REQUIRE },
      logLevel: "warning",
    });
  }

  start(name: string, args: readonly string[]): ChildProcessWithoutNullStreams {
    return spawn(process.execPath, [join(this.#folder, `${name}.mjs`), ...args]);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Calls back with each whole line that a process prints; resolves when it has ended. */
export function linesOf(
  child: ChildProcessWithoutNullStreams,
  onLine: (line: string) => void,
): Promise<{ readonly errors: string; readonly code: number | null; readonly signal: string | null }> {
  let rest = "";
  let errors = "";
  child.stdout.on("data", (data: Buffer) => {
    const lines = (rest + data.toString("utf8")).split("\n");
    // What follows the last line break was cut off by the kill.
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
  child.stderr.on("data", (data: Buffer) => {
    errors += data.toString("utf8");
  });
  return new Promise((resolve) => {
    child.on("close", (code, signal) => resolve({ errors, code, signal }));
  });
}
