import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder that holds the programs of test/support, built. */
    programs: string;
  }
}

const SUPPORT = dirname(fileURLToPath(import.meta.url));
const ROOT = join(SUPPORT, "../..");
const PROGRAM = /-(child|worker)\.ts$/;

/**
 * Builds the programs that tests start as processes, once per run: compiling the sources anew in each of the many
 * processes would cost more than what they do. Two levels under the root, where the sources find the assets too.
 */
export default async function buildPrograms(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(ROOT, "node_modules/.programs-"));
  const entryPoints = readdirSync(SUPPORT)
    .filter((file) => PROGRAM.test(file))
    .map((file) => join(SUPPORT, file));
  await build({
    entryPoints,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    logLevel: "warning",
  });
  project.provide("programs", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
