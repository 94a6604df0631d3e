import { Command, CommanderError } from "commander";
import type { Cli } from "./call.js";
import { COMMANDS } from "./commands/index.js";
import { wrongUsage } from "./failure.js";
import { addGlobals } from "./globals.js";

/** The program with all its commands. Nothing of the library is loaded until a command runs. */
export function buildProgram(cli: Cli, version: string): Command {
  const { output, errors } = cli.terminal;
  const program = new Command("simplemem")
    .description("Look into the memory of an agent, and mend it.")
    .version(version)
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({
      writeOut: (text) => void output.write(text),
      writeErr: (text) => void errors.write(text),
      // What is wrong is told once, as every other failure.
      outputError: () => {},
      getOutHelpWidth: () => output.columns ?? 100,
      getOutHasColors: () => false,
    })
    .exitOverride();
  addGlobals(program);
  for (const add of COMMANDS) add(program, cli);
  for (const command of withChildren(program)) command.copyInheritedSettings(program);
  return program;
}

function withChildren(program: Command): Command[] {
  return program.commands.flatMap((command) => [command, ...withChildren(command)]);
}

/** Runs the program. @throws Failure for wrong usage, and what the command throws */
export async function runProgram(program: Command, args: readonly string[]): Promise<void> {
  try {
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw wrongUsage(error.message.replace(/^error: /, ""));
  }
}
