import { TextDecoder } from "node:util";
import { ImportError, type ImportSource } from "../../records/index.js";

/** One line of an export, without its end. */
export interface NumberedLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

function textOf(chunk: unknown, decoder: TextDecoder): string {
  if (typeof chunk === "string") return chunk;
  if (chunk instanceof Uint8Array) return decoder.decode(chunk, { stream: true });
  throw new ImportError(`an export is text or bytes, got a value of type ${typeof chunk}.`, null);
}

/**
 * The lines of a text that comes in pieces. Blank ones are left out, but counted. A long line is joined once, however many
 * pieces it comes in.
 */
export async function* linesOf(source: ImportSource): AsyncGenerator<NumberedLine> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let pieces: string[] = [];
  let number = 0;
  for await (const chunk of source) {
    const [first = "", ...rest] = textOf(chunk, decoder).split("\n");
    pieces.push(first);
    for (const part of rest) {
      const text = pieces.join("").trim();
      pieces = [part];
      number += 1;
      if (text !== "") yield { number, text };
    }
  }
  const last = (pieces.join("") + decoder.decode()).trim();
  if (last !== "") yield { number: number + 1, text: last };
}
