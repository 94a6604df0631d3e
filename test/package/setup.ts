import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { freshInstall, ROOT, run } from "./consumer.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** The packed package. */
    tarball: string;
    /** A folder where npm installed it with the README's command. */
    installed: string;
    /** What npm printed while doing so. */
    installLog: string;
  }
}

export default function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), "simplemem-pack-"));
  run("npm", ["run", "build"], ROOT);
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: ROOT, encoding: "utf8" });
  const [{ filename }] = JSON.parse(packed.slice(packed.indexOf("[\n")));
  const tarball = join(folder, filename);
  const installed = freshInstall("npm", tarball);
  project.provide("tarball", tarball);
  project.provide("installed", installed.folder);
  project.provide("installLog", installed.log);
  return () => {
    for (const place of [folder, installed.folder]) rmSync(place, { recursive: true, force: true });
  };
}
