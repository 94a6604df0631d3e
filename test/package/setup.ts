import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { emptyProject, type Installation, lowestPeers, RANGE_PARTS, ROOT, readmePackages, run } from "./consumer.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** Installed by npm with the README's command, then with what `extras` adds. */
    npm: Installation;
    /** `npm ls --all` after the README's command alone. */
    npmTree: string;
    /** Installed by pnpm with the README's packages. */
    pnpm: Installation;
    /** Installed by pnpm with the ends of the peer ranges, by name. */
    variants: Readonly<Record<string, Installation & { readonly packages: readonly string[] }>>;
    /** The program of Node 22. */
    node22: string;
  }
}

/** The newest major of pnpm that runs on Node 20. */
const PNPM = "pnpm@10.34.8";
const NODE_22 = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
/** What other tests need beside the README's packages: the optional peer, and a second copy of core. */
const EXTRAS = ["langchain", `second-core@npm:${lowestPeers(0).find((peer) => peer.startsWith("@langchain/core@"))}`];

async function pack(folder: string): Promise<string> {
  const said = await run("npm", ["pack", "--json", "--pack-destination", folder], ROOT);
  const filename = /"filename": "([^"]+)"/.exec(said)?.[1];
  if (filename === undefined) throw new Error(`npm pack names no file:\n${said}`);
  return join(folder, filename);
}

async function installWithNpm(tarball: string, parent: string) {
  const folder = emptyProject(parent);
  const log = await run("npm", ["install", tarball, ...readmePackages()], folder);
  const tree = await run("npm", ["ls", "--all", "--parseable", "--long"], folder);
  await run("npm", ["install", ...EXTRAS], folder);
  return { npm: { folder, log }, npmTree: tree };
}

async function installWithPnpm(tarball: string, parent: string) {
  const tools = emptyProject(parent);
  await run("npm", ["install", PNPM, `${NODE_22}@22`], tools);
  const add = async (packages: readonly string[]): Promise<Installation> => {
    const folder = emptyProject(parent);
    const log = await run("node", [join(tools, "node_modules/pnpm/bin/pnpm.cjs"), "add", tarball, ...packages], folder);
    return { folder, log };
  };
  const pnpm = await add(readmePackages());
  const withoutZod = readmePackages().filter((name) => name !== "zod");
  const choices = new Map([["the newest zod 3", [...withoutZod, "langchain", "zod@3.25"]]]);
  for (let part = 0; part < RANGE_PARTS; part++) {
    const packages = lowestPeers(part);
    choices.set(`the lowest peers, ${packages.find((peer) => peer.startsWith("zod@"))}`, packages);
  }
  const variants: Record<string, Installation & { packages: readonly string[] }> = {};
  for (const [name, packages] of choices) variants[name] = { ...(await add(packages)), packages };
  return { pnpm, variants, node22: join(tools, "node_modules", NODE_22, "bin/node") };
}

/** Packs dist as it stands, and installs the tarball once for all tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const parent = mkdtempSync(join(tmpdir(), "simplemem-package-"));
  const remove = () => rm(parent, { recursive: true, force: true });
  try {
    const tarball = await pack(parent);
    const installed = await Promise.all([installWithNpm(tarball, parent), installWithPnpm(tarball, parent)]);
    const provided = { ...installed[0], ...installed[1] };
    project.provide("npm", provided.npm);
    project.provide("npmTree", provided.npmTree);
    project.provide("pnpm", provided.pnpm);
    project.provide("variants", provided.variants);
    project.provide("node22", provided.node22);
  } catch (error) {
    await remove();
    throw error;
  }
  return remove;
}
