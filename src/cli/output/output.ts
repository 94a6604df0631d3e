import { zoneOffsetMinutes } from "../../records/index.js";
import type { Sink, Terminal } from "../terminal.js";
import { harmlessJson } from "./harmless.js";
import { Progress } from "./progress.js";
import { rendered, takesColours, type Words } from "./style.js";
import { tableLines } from "./table.js";

const MINUTE_MS = 60_000;

/**
 * What a command says. There is one way to print words, and it makes them harmless: no text of a memory reaches the terminal
 * without.
 */
export class Output {
  /** Tells how far long work is. */
  readonly progress: Progress;
  readonly #terminal: Terminal;
  readonly #timeZone: string;

  constructor(
    terminal: Terminal,
    /** True: one JSON document instead of lines for people. */
    readonly json: boolean,
    timeZone: string,
  ) {
    this.#terminal = terminal;
    this.#timeZone = timeZone;
    this.progress = new Progress(terminal);
  }

  /** "2025-03-08 19:03", in the time zone of the call; "" for no time. */
  time(instant: string | null): string {
    if (instant === null) return "";
    const offset = zoneOffsetMinutes(Date.parse(instant), this.#timeZone);
    return new Date(Date.parse(instant) + offset * MINUTE_MS).toISOString().slice(0, 16).replace("T", " ");
  }

  /** One line. */
  line(...words: readonly Words[]): Promise<void> {
    return this.#write(this.#terminal.output, words);
  }

  /** One line for people, beside what the command gives. */
  note(...words: readonly Words[]): Promise<void> {
    this.progress.end();
    return this.#write(this.#terminal.errors, words);
  }

  /** Rows in columns, under a head if there is one. */
  table(head: readonly string[] | null, rows: readonly (readonly Words[])[]): Promise<void> {
    const { output, env } = this.#terminal;
    const look = { colours: takesColours(output.isTerminal, env), columns: output.columns };
    return output.write(
      tableLines(head, rows, look)
        .map((line) => `${line}\n`)
        .join(""),
    );
  }

  /** The one document of a command in JSON. */
  document(value: unknown): Promise<void> {
    return this.#terminal.output.write(`${harmlessJson(JSON.stringify(value, null, 2))}\n`);
  }

  /** Either the document, or what a person reads. */
  async give(value: unknown, forPeople: () => Promise<void>): Promise<void> {
    this.progress.end();
    await (this.json ? this.document(value) : forPeople());
  }

  #write(sink: Sink, words: readonly Words[]): Promise<void> {
    const colours = takesColours(sink.isTerminal, this.#terminal.env);
    return sink.write(`${words.map((part) => rendered(part, colours)).join("")}\n`);
  }
}
