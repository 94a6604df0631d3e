import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { megabytes } from "../../suite/numbers.js";
import type { Cells } from "../../suite/part.js";

interface Packed {
  readonly size: number;
  readonly unpackedSize: number;
  readonly entryCount: number;
}

interface Locked {
  readonly dev?: boolean;
  readonly peer?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
}

function readJson<T>(file: string): T {
  const value: T = JSON.parse(readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8"));
  return value;
}

/** Packages that installing this one brings, beside its peers and what LanceDB calls optional. */
function broughtAlong(): number {
  const { packages } = readJson<{ packages: { [path: string]: Locked } }>("package-lock.json");
  return Object.entries(packages).filter(
    ([path, { dev, peer, devOptional, optional }]) => path !== "" && !dev && !peer && !devOptional && !optional,
  ).length;
}

/** What `npm pack` would send, and what it depends on. The package must be built. */
export function packageRow(): Cells {
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [archive]: Packed[] = JSON.parse(packed.toString());
  const { dependencies, peerDependencies } = readJson<{ dependencies: object; peerDependencies: object }>(
    "package.json",
  );
  return {
    "packed MB": megabytes(archive?.size ?? 0),
    "unpacked MB": megabytes(archive?.unpackedSize ?? 0),
    files: archive?.entryCount ?? 0,
    dependencies: Object.keys(dependencies).length,
    "with theirs": broughtAlong(),
    peers: Object.keys(peerDependencies).length,
  };
}
