import { createWriteStream, existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { finished } from "node:stream/promises";
import type { Command } from "commander";
import { type Cli, type MemoryCall, performOnMemory } from "../call.js";
import { wrongUsage } from "../failure.js";
import { harmlessJson } from "../output/harmless.js";
import { counted } from "../output/words.js";

interface ExportFlags {
  readonly force?: boolean;
}

async function* countedLines({ memory, output, terminal }: MemoryCall): AsyncGenerator<string> {
  let done = 0;
  for await (const line of memory.export({ signal: terminal.signal })) {
    done += 1;
    output.progress.tell({ what: "exporting", unit: "lines", done, total: null });
    yield line;
  }
  output.progress.end();
}

/** A terminal gets the lines so that they cannot drive it; they mean the same. */
async function toOutput(call: MemoryCall): Promise<void> {
  const { output } = call.terminal;
  for await (const line of countedLines(call)) await output.write(output.isTerminal ? harmlessJson(line) : line);
}

/** The file appears when it is whole. */
async function toFile(call: MemoryCall, file: string): Promise<number> {
  const part = `${file}.part`;
  const stream = createWriteStream(part, { mode: 0o600 });
  let lines = 0;
  try {
    for await (const line of countedLines(call)) {
      lines += 1;
      if (!stream.write(line))
        await new Promise<void>((resolve, reject) => stream.once("drain", resolve).once("error", reject));
    }
    stream.end();
    await finished(stream);
    await rename(part, file);
  } catch (error) {
    stream.destroy();
    await rm(part, { force: true });
    throw error;
  }
  return lines;
}

async function exported(call: MemoryCall, file: string | undefined, { force }: ExportFlags): Promise<undefined> {
  if (file === undefined || file === "-") {
    await toOutput(call);
    return undefined;
  }
  if (force !== true && existsSync(file)) throw wrongUsage(`${file} is there already; --force replaces it.`);
  const lines = await toFile(call, file);
  await call.output.give({ file, lines }, () => call.output.line(`Exported ${counted(lines, "line")} to ${file}.`));
  return undefined;
}

/** `simplemem export` */
export function addExport(program: Command, cli: Cli): void {
  program
    .command("export")
    .summary("write everything of a user as JSON Lines")
    .description("Writes turns, facts with their histories and key-values as JSON Lines, which `import` takes in.")
    .argument("[file]", "the file, which nobody else may read; - or none: the standard output")
    .option("--force", "replaces the file")
    .action(async (file: string | undefined, flags: ExportFlags, self: Command) => {
      await performOnMemory(cli, self, {}, (call) => exported(call, file, flags));
    });
}
