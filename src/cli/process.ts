import { createInterface } from "node:readline/promises";
import type { ExitCode } from "./exit-codes.js";
import { interrupted, pipeClosed, terminated } from "./failure.js";
import { runCli } from "./run.js";
import type { Sink } from "./terminal.js";

/** A stream of the process. Where the reader of a pipe is gone, what is written goes nowhere. */
function sinkOf(stream: NodeJS.WriteStream, onClosed: () => void): Sink {
  let isClosed = false;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    isClosed = true;
    onClosed();
  });
  return {
    isTerminal: stream.isTTY,
    columns: stream.columns,
    write: (text) =>
      new Promise((resolve) => {
        if (isClosed) resolve();
        // An error is told to the listener above; whoever waits goes on.
        else stream.write(text, () => resolve());
      }),
  };
}

/** Asks on the terminal. The end of the input is an empty answer. */
async function ask(question: string, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // While it reads a line, the terminal hands Ctrl-C to it alone.
  lines.on("SIGINT", () => process.emit("SIGINT"));
  const closed = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
  try {
    return await Promise.race([lines.question(question, { signal }), closed]);
  } finally {
    lines.close();
  }
}

function abortOn(controller: AbortController): void {
  for (const [name, reason] of [
    ["SIGINT", interrupted()],
    ["SIGTERM", terminated()],
  ] as const) {
    process.on(name, () => {
      // Who asks twice does not want to wait.
      if (controller.signal.aborted) process.exit(reason.code);
      controller.abort(reason);
    });
  }
}

/** Runs the command line of this process. @returns the number with which it is to end */
export function runProcess(): Promise<ExitCode> {
  const controller = new AbortController();
  abortOn(controller);
  const hangUp = (): void => controller.abort(pipeClosed());
  const sitsThere = process.stdin.isTTY;
  return runCli(process.argv.slice(2), {
    input: sitsThere ? null : process.stdin,
    ask: sitsThere ? (question) => ask(question, controller.signal) : null,
    output: sinkOf(process.stdout, hangUp),
    errors: sinkOf(process.stderr, hangUp),
    env: process.env,
    signal: controller.signal,
    clock: Date.now,
  });
}
