import type { Cli } from "./call.js";
import { EXIT, type ExitCode } from "./exit-codes.js";
import { exitCodeOf, Interruption, messageOf } from "./failure.js";
import { harmless } from "./output/harmless.js";
import { rendered, styled, takesColours } from "./output/style.js";
import { buildProgram, runProgram } from "./program.js";
import type { Terminal } from "./terminal.js";
import { packageVersion } from "./version.js";

async function tell({ errors, env }: Terminal, error: unknown, debug: boolean): Promise<void> {
  const message = messageOf(error);
  if (message === "") return;
  const name = rendered(styled("red", "simplemem:"), takesColours(errors.isTerminal, env));
  await errors.write(`${name} ${harmless(message)}\n`);
  if (debug && error instanceof Error) {
    for (const line of (error.stack ?? "").split("\n")) await errors.write(`${harmless(line)}\n`);
  }
}

/**
 * Runs the command line.
 * @param args what stands after the program's name
 * @returns the number with which the program is to end; it never rejects
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const cli: Cli = {
    terminal,
    finish: (last) => {
      code = last;
    },
  };
  try {
    await runProgram(buildProgram(cli, packageVersion()), args);
    return code;
  } catch (error) {
    const cause: unknown = terminal.signal.aborted ? terminal.signal.reason : error;
    const shown = cause instanceof Interruption ? cause : error;
    await tell(terminal, shown, args.includes("--debug"));
    return exitCodeOf(shown);
  }
}
