import { Readable } from "node:stream";
import { runCli } from "../../src/cli/run.js";
import type { Sink, Terminal } from "../../src/cli/terminal.js";

/** What a run of the program gave. */
export interface CliRun {
  readonly code: number;
  /** The standard output. */
  readonly out: string;
  /** The standard error output. */
  readonly err: string;
  /** The output as JSON. */
  json(): unknown;
}

/** What surrounds a run; nobody sits at a terminal unless it says so. */
export interface CliSurroundings {
  readonly input?: string;
  /** What the person at the terminal answers, whatever is asked. */
  readonly answer?: string;
  readonly outputIsTerminal?: boolean;
  readonly errorsAreTerminal?: boolean;
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Told each piece of the error output as it comes. */
  readonly onError?: (text: string) => void;
}

function sink(pieces: string[], isTerminal: boolean, columns?: number, tell: (text: string) => void = () => {}): Sink {
  return {
    isTerminal,
    columns,
    write: async (text) => {
      pieces.push(text);
      tell(text);
    },
  };
}

function terminalOf(surroundings: CliSurroundings, out: string[], err: string[]): Terminal {
  const { input, answer, columns, env = {}, signal = new AbortController().signal } = surroundings;
  return {
    input: answer === undefined ? Readable.from(input === undefined ? [] : [Buffer.from(input)]) : null,
    ask: answer === undefined ? null : async () => answer,
    output: sink(out, surroundings.outputIsTerminal ?? false, columns),
    errors: sink(err, surroundings.errorsAreTerminal ?? false, columns, surroundings.onError),
    env,
    signal,
    clock: Date.now,
  };
}

/** Runs the program within this process. */
export async function cli(args: readonly string[], surroundings: CliSurroundings = {}): Promise<CliRun> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(args, terminalOf(surroundings, out, err));
  const text = out.join("");
  return { code, out: text, err: err.join(""), json: () => JSON.parse(text) };
}

/** The lines of JSONL that say these things. */
export function jsonl(...turns: readonly object[]): string {
  return turns.map((turn) => `${JSON.stringify(turn)}\n`).join("");
}

/** Two things that Ilse said. */
export const ILSE = [
  { id: "t1", speaker: "Ilse", content: "I moved to Graz on 3 March 2025.", timestamp: "2025-03-10T09:00:00+01:00" },
  { id: "t2", speaker: "Ilse", content: "My sister Ane repairs clocks there.", timestamp: "2025-03-10T09:01:00+01:00" },
] as const;
