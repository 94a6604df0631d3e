import { z } from "zod/v4";
import type { MemoryEntry, RebuildQuestion, RebuildReport, ScopedMemory } from "../../records/index.js";
import type { ExactScope } from "../../store/index.js";
import type { Engine } from "../engine.js";
import { check, type SimpleMemOptions, signalSchema } from "../options.js";
import { wording } from "../wording.js";
import { exportLines, turnLines } from "./export.js";
import { settledTurns } from "./open-turns.js";
import { switchOver } from "./switch-over.js";

/** Options of `rebuild`. */
export interface RebuildOptions {
  /** What differs from the options that the engine was opened with. Default: nothing. */
  readonly with?: Partial<
    Pick<
      SimpleMemOptions,
      | "llm"
      | "llms"
      | "embeddings"
      | "window"
      | "instructions"
      | "stages"
      | "redact"
      | "limits"
      | "review"
      | "countTokens"
    >
  >;
  /** Searched for in both, so that their recall is told. Default: none. */
  readonly questions?: readonly RebuildQuestion[];
  /** Hits of a search that count, 1 to 1,000. Default 10. */
  readonly k?: number;
  /**
   * Puts the new entries in the place of the present ones when they are made. Default false: nothing changes. What a person
   * corrected, pinned or forgot stays as it is, and what is new stands beside what is retired in the histories.
   */
  readonly apply?: boolean;
  /** Aborts it; once the switch has begun it is carried out. */
  readonly signal?: AbortSignal;
}

const DEFAULT_K = 10;
const optionsSchema = z.strictObject({
  with: z.record(z.string(), z.unknown()).optional(),
  questions: z.array(z.strictObject({ question: z.string(), evidence: z.array(z.string()).min(1) })).optional(),
  k: z.int().min(1).max(1000).optional(),
  apply: z.boolean().optional(),
  signal: signalSchema.optional(),
});

type Difference = Pick<RebuildReport, "added" | "lost" | "changed" | "same">;

function proof({ sessionId, sourceIds }: MemoryEntry): string {
  return JSON.stringify([sessionId, [...sourceIds].sort()]);
}

/** Those of the entries whose words none of the others has. */
function unlike(entries: readonly MemoryEntry[], others: readonly MemoryEntry[]): readonly MemoryEntry[] {
  const said = new Set(others.map((entry) => wording(entry.losslessRestatement)));
  return entries.filter((entry) => !said.has(wording(entry.losslessRestatement)));
}

/** Statements of the same turns in other words are one that changed; of several, the first that is left. */
function differenceOf(now: readonly MemoryEntry[], anew: readonly MemoryEntry[]): Difference {
  const left = [...unlike(anew, now)];
  const lost: string[] = [];
  const changed: { now: string; anew: string }[] = [];
  const onlyNow = unlike(now, anew);
  for (const entry of onlyNow) {
    const place = left.findIndex((other) => proof(other) === proof(entry));
    const [other] = place < 0 ? [] : left.splice(place, 1);
    if (other === undefined) lost.push(entry.losslessRestatement);
    else changed.push({ now: entry.losslessRestatement, anew: other.losslessRestatement });
  }
  const added = left.map((entry) => entry.losslessRestatement);
  return { added, lost, changed, same: now.length - onlyNow.length };
}

async function recallOf(memory: ScopedMemory, { questions = [], k = DEFAULT_K, signal }: RebuildOptions) {
  let sum = 0;
  for (const { question, evidence } of questions) {
    const { hits } = await memory.search(question, { k, ...(signal === undefined ? {} : { signal }) });
    const found = new Set(hits.flatMap(({ sourceIds }) => sourceIds));
    sum += evidence.filter((id) => found.has(id)).length / evidence.length;
  }
  return sum / questions.length;
}

/** Makes the entries of a scope anew beside it, tells how they differ, and changes over where that is asked for. */
export async function rebuild(
  engine: Engine,
  scope: ExactScope,
  options: RebuildOptions,
  handleOver: (engine: Engine) => ScopedMemory,
): Promise<RebuildReport> {
  const { questions = [], apply = false, signal } = check(optionsSchema, options, "the options of rebuild");
  const other = await engine.beside(options.with ?? {});
  const [present, anew] = [handleOver(engine), handleOver(other)];
  try {
    const flow = signal === undefined ? {} : { signal };
    const settled = apply ? await settledTurns(engine.store, scope) : null;
    const lines =
      settled === null ? exportLines(engine.store, scope, signal) : turnLines(engine.store, scope, settled, signal);
    const imported = await anew.import(lines, { ...flow, entries: "anew" });
    const { failures, usage } = await anew.flush(flow);
    const [before, after] = [(await present.list()).items, (await anew.list()).items];
    const recall =
      questions.length === 0 ? null : { now: await recallOf(present, options), anew: await recallOf(anew, options) };
    const entries = { now: before.length, anew: after.length };
    const difference = differenceOf(before, after);
    signal?.throwIfAborted();
    const applied = settled === null ? null : await switchOver(engine, other, scope, settled);
    return { turns: imported.turns.added, entries, ...difference, recall, failures, usage, applied };
  } finally {
    other.markClosed();
    await other.writer.settle();
    await other.store.close();
  }
}
