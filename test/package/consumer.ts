import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What is in the cache is not asked for again; the commands stay those of the README. */
const ENV: NodeJS.ProcessEnv = {
  ...process.env,
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
};

/** A folder in which the package was installed, and what the package manager printed while doing so. */
export interface Installation {
  readonly folder: string;
  readonly log: string;
}

/** Both outputs of a command, the standard one first. @throws Error with them when it fails */
export function run(command: string, args: readonly string[], cwd: string, env = ENV): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, env, encoding: "utf8", maxBuffer: 1e8 }, (error, output, errors) => {
      const said = `${output}${errors}`;
      if (error) reject(new Error(`${command} ${args.join(" ")} failed with ${error.code}:\n${said}`));
      else resolve(said);
    });
  });
}

/** Runs a program in the folder and gives what it printed. */
export function runNode(folder: string, source: string): Promise<string> {
  return run(process.execPath, ["--input-type=module", "-e", source], folder);
}

export interface ProgramRun {
  readonly args?: readonly string[];
  /** The Node to run it. Default: the one that runs the tests. */
  readonly node?: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program of test/package/programs as one of the folder's own files, and reads the report that it printed. */
export async function runProgram(folder: string, name: string, options: ProgramRun = {}) {
  const { args = [], node = process.execPath, cwd = folder, env } = options;
  const program = join(folder, `${name}.mjs`);
  copyFileSync(fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url)), program);
  return JSON.parse(await run(node, [program, ...args], cwd, env));
}

/** A new project without dependencies, under the folder. */
export function emptyProject(parent: string): string {
  const folder = mkdtempSync(join(parent, "consumer-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, version: "1.0.0" }));
  return folder;
}

const manifest: {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
} = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/** The specifiers under which a consumer imports the package: `exports` of package.json, without the JSON file itself. */
export function specifiers(): string[] {
  return Object.keys(manifest.exports)
    .filter((path) => !path.endsWith(".json"))
    .map((path) => `${manifest.name}${path.slice(1)}`);
}

/** Doors whose peer is optional and not part of the README's install command. */
export const NEEDS_LANGCHAIN: readonly string[] = [`${manifest.name}/middleware`];

/** What the README's install command names beside the package. */
export function readmePackages(): string[] {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const found = new RegExp(`npm install ${manifest.name} ([^\`\n]+)`).exec(readme)?.[1];
  if (found === undefined) throw new Error("README.md names no install command");
  return found.trim().split(" ");
}

function lowestVersions(range: string): string[] {
  return range.split("||").map((part) => part.trim().replace(/^\^/, ""));
}

/** The lowest version of every peer; where a range has several parts, that of the part with the given number. */
export function lowestPeers(part: number): string[] {
  return Object.entries(manifest.peerDependencies).map(([name, range]) => {
    const versions = lowestVersions(range);
    return `${name}@${versions[part] ?? versions[0]}`;
  });
}

/** How many parts the widest peer range has. */
export const RANGE_PARTS = Math.max(
  ...Object.values(manifest.peerDependencies).map((range) => lowestVersions(range).length),
);
