import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { inject } from "vitest";

/** Where a program of test/support stands, built: "writer-child" for writer-child.ts. */
export function programPath(name: string): string {
  return join(inject("programs"), `${name}.mjs`);
}

/** Starts a program of test/support as a process of its own. */
export function startChild(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [programPath(name), ...args], { env: { ...process.env, ...env } });
}

/** What a process printed, and how it ended. */
export interface Ended {
  readonly lines: readonly string[];
  readonly errors: string;
  readonly code: number | null;
}

/** Waits for the end of a process; `onLine` sees each line as it comes. */
export function ended(
  child: ChildProcessWithoutNullStreams,
  onLine: (count: number) => void = () => {},
): Promise<Ended> {
  let output = "";
  let errors = "";
  child.stdout.on("data", (data: Buffer) => {
    output += data.toString("utf8");
    onLine(output.split("\n").length - 1);
  });
  child.stderr.on("data", (data: Buffer) => {
    errors += data.toString("utf8");
  });
  return new Promise((resolve) => {
    child.on("close", (code) => {
      const lines = output.split("\n");
      // What follows the last line break was cut off by the kill.
      resolve({ lines: lines.slice(0, -1), errors, code });
    });
  });
}
