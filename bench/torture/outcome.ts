import type { SimpleMem } from "../../src/index.js";
import type { Tally } from "./tally.js";
import { differences } from "./witness.js";

/** What was tried of one kind, and how it ended. Plain JSON. */
export interface Outcome {
  readonly part: string;
  readonly what: string;
  /** How often. */
  readonly tried: number;
  /** What did not hold, in words; empty when all did. */
  readonly faults: readonly string[];
  /** What else was seen, such as the errors that were thrown, and how often. */
  readonly seen: { readonly [what: string]: number };
}

/** Counts what happens, kind by kind. */
export class Outcomes {
  readonly #kinds = new Map<string, { tried: number; faults: string[]; seen: Map<string, number> }>();

  constructor(private readonly part: string) {}

  tried(what: string, faults: readonly string[], seen: readonly string[] = []): void {
    const kind = this.#kinds.get(what) ?? { tried: 0, faults: [], seen: new Map<string, number>() };
    this.#kinds.set(what, kind);
    kind.tried += 1;
    kind.faults.push(...faults);
    for (const one of seen) kind.seen.set(one, (kind.seen.get(one) ?? 0) + 1);
  }

  all(): readonly Outcome[] {
    return [...this.#kinds].map(([what, { tried, faults, seen }]) => ({
      part: this.part,
      what,
      tried,
      faults,
      seen: Object.fromEntries(seen),
    }));
  }
}

/** What did not hold, and what is due to be seen. */
export interface Broken {
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** What `verify` and the tally find broken in the store of a folder. Warnings are told apart: after a kill they are due. */
export async function brokenIn(simplemem: SimpleMem, tally: Tally, folder: string): Promise<Broken> {
  const { findings } = await simplemem.verify();
  const shown = findings.map(({ severity, rule, message }) => ({ severity, text: `${rule}: ${message}`, rule }));
  return {
    faults: [
      ...shown.filter(({ severity }) => severity === "fault").map(({ text }) => text),
      ...(await differences(simplemem, tally, folder)),
    ],
    warnings: shown.filter(({ severity }) => severity === "warning").map(({ rule }) => `warned ${rule}`),
  };
}

export function table(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ part, what, tried, faults, seen }) => {
    const notes = Object.entries(seen).map(([one, count]) => `${one} ×${count}`);
    return `| ${part} | ${what} | ${tried} | ${faults.length} | ${notes.join("; ").replaceAll("|", "\\|")} |`;
  });
  return ["| part | what was done | times | faults | seen |", "|---|---|---|---|---|", ...rows].join("\n");
}
