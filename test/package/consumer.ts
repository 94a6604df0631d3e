import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The newest major of pnpm that runs on Node 20. */
const PNPM = "pnpm@10";

/** Both outputs of a command. @throws Error with them when it fails */
export function run(command: string, args: readonly string[], cwd: string): string {
  const result = spawnSync(command, args, { cwd, encoding: "utf8" });
  const said = `${result.stdout}${result.stderr}`;
  if (result.status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${result.status}:\n${said}`);
  return said;
}

/** The README's install command, with the tarball for the name, in an empty folder. */
export function freshInstall(manager: "npm" | "pnpm", tarball: string, zod = "zod"): { folder: string; log: string } {
  const folder = mkdtempSync(join(tmpdir(), `simplemem-${manager}-`));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, version: "1.0.0" }));
  const packages = [tarball, "@langchain/core", "@langchain/langgraph", zod];
  const log =
    manager === "npm"
      ? run("npm", ["install", ...packages], folder)
      : run("npx", ["--yes", PNPM, "add", ...packages], folder);
  return { folder, log };
}

/** The specifiers under which a consumer imports the package: `exports` of package.json, without the JSON file itself. */
export function specifiers(): string[] {
  const { name, exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return Object.keys(exports)
    .filter((path) => !path.endsWith(".json"))
    .map((path) => `${name}${path.slice(1)}`);
}

/** Doors whose peer is optional and not part of the README's install command. */
export const NEEDS_LANGCHAIN: readonly string[] = ["simplemem-langchain/middleware"];

/** Runs a program in the folder and gives what it printed. */
export function runNode(folder: string, kind: "module" | "commonjs", source: string): string {
  return run("node", [`--input-type=${kind}`, "-e", source], folder);
}
