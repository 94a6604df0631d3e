import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const REMOUNT_TRIES = 100;
const REMOUNT_WAIT_MS = 20;

function lineOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}

/** A file system of a few megabytes in memory, which may be mounted anew with other options. Linux, as root. */
export class SmallDisk {
  private constructor(readonly folder: string) {}

  /** @throws what `mount` says when it is not permitted */
  static mount(size: string): SmallDisk {
    const folder = mkdtempSync(join(tmpdir(), "simplemem-disk-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "pipe" });
    return new SmallDisk(folder);
  }

  /** The one that is mounted there. */
  static at(folder: string): SmallDisk {
    return new SmallDisk(folder);
  }

  /** While a file is open for writing the system refuses to make it read-only: it is asked again until that is done. */
  async remount(options: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        execFileSync("mount", ["-o", `remount,${options}`, this.folder], { stdio: "pipe" });
        return;
      } catch (error) {
        if (tries === REMOUNT_TRIES) throw error;
        await setTimeout(REMOUNT_WAIT_MS);
      }
    }
  }

  remove(): void {
    execFileSync("umount", ["-l", this.folder], { stdio: "pipe" });
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Why no file system can be mounted here; null when one can. */
export function mountFault(): string | null {
  try {
    SmallDisk.mount("1m").remove();
    return null;
  } catch (error) {
    return lineOf(error);
  }
}
