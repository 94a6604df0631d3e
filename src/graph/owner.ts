import { readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Who holds a claim: this engine in this process. */
export interface Owner {
  /** Unique among engines, processes and machines. */
  readonly id: string;
  /** True when the owner is known to have died: a process of this machine that no longer runs. */
  readonly isDead: (owner: string) => boolean;
}

// Process numbers mean something only among processes that see each other: containers may share a host name.
function processSpace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Makes the owner of one engine. `nonce` tells engines of one process apart. */
export function createOwner(nonce: string): Owner {
  const machine = `${hostname()}|${processSpace()}`;
  return {
    id: `${machine}|${process.pid}|${nonce}`,
    isDead(owner) {
      const parts = owner.split("|");
      const pid = Number(parts.at(-2));
      return parts.slice(0, -2).join("|") === machine && Number.isInteger(pid) && pid > 0 && !isRunning(pid);
    },
  };
}
