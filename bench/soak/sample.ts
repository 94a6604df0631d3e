import { readdirSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

/** What a process and its folder held at a moment, the heap after garbage was collected. Plain JSON. */
export interface Sample {
  /** Seconds since the beginning. */
  readonly seconds: number;
  readonly heapBytes: number;
  /** Buffers and what else native code holds for JavaScript. */
  readonly externalBytes: number;
  readonly rssBytes: number;
  /** Timers, sockets, pipes and requests that keep, or may keep, the process alive. */
  readonly resources: number;
  readonly openFiles: number;
  readonly files: number;
  readonly bytes: number;
  /** Turns that were added until then, of which most were forgotten again. */
  readonly turns: number;
}

async function collectGarbage(): Promise<void> {
  if (globalThis.gc === undefined) throw new Error("start it with --expose-gc");
  // What finalizers let go of is garbage of the next round.
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc();
    await setImmediate();
  }
}

async function sizeOf(folder: string): Promise<{ readonly files: number; readonly bytes: number }> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  // A file may be folded into another meanwhile.
  const sizes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return { files: paths.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Where there is no /proc, none are counted. */
function openFiles(): number {
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
}

export async function sampled(folder: string, seconds: number, turns: number): Promise<Sample> {
  await collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return {
    seconds,
    heapBytes: heapUsed,
    externalBytes: external,
    rssBytes: rss,
    resources: process.getActiveResourcesInfo().length,
    openFiles: openFiles(),
    ...(await sizeOf(folder)),
    turns,
  };
}
