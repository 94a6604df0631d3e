import { appendFileSync } from "node:fs";
import type { SimpleMemOptions } from "../../src/index.js";
import { FakeEmbeddings, fact, reply, ScriptedModel } from "./fakes.js";

/** New turns of a window. */
export const WINDOW_SIZE = 5;

/** What a process of `shared-memory-child` is told. */
export interface SharedTask {
  readonly task: "front" | "work";
  readonly uri: string;
  readonly storageOptions?: Record<string, string>;
  /** Front: whose turns it adds, in turn, and how many of each. */
  readonly users?: readonly string[];
  readonly turns?: number;
  /** Work: the file that gets a line for each call of the model, "first-turn process". */
  readonly calls?: string;
  /** Work: ends when nothing more can be done. */
  readonly once?: boolean;
  readonly leaseMs?: number;
  /** Work: milliseconds for which the first call of the model stops the whole process. */
  readonly hangMs?: number;
}

/** The turn of a user with this number. */
export function turnOf(user: string, number: number) {
  const id = `${user}-${number}`;
  return {
    id,
    speaker: "Ilse",
    content: `The code of room ${id} is ${4000 + number}.`,
    timestamp: "2025-03-04T12:00:00Z",
  };
}

/** Says again what stands under NEW, and notes that it was asked. */
export function noting(calls: string, hangMs = 0): ScriptedModel {
  let isFirst = true;
  return new ScriptedModel([
    async (prompt) => {
      const said = prompt.slice(prompt.lastIndexOf("\nNEW")).match(/The code of room \S+ is \d+/g) ?? [];
      appendFileSync(calls, `${/room (\S+)/.exec(said[0] ?? "")?.[1]} ${process.pid}\n`);
      if (isFirst && hangMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, hangMs);
      isFirst = false;
      await new Promise((resolve) => setTimeout(resolve, 30));
      return reply(...said.map((text) => fact(text)));
    },
  ]);
}

/** How every process opens the memory that they share. */
export function sharedOptions(llm: ScriptedModel | null): Omit<SimpleMemOptions, "uri"> {
  return {
    ...(llm === null ? {} : { llms: { extract: llm } }),
    embeddings: new FakeEmbeddings(),
    window: { size: WINDOW_SIZE, overlap: 0, background: false },
  };
}
