import type { ExtractedItem, MemoryEntry } from "../../../src/records/index.js";
import { emptyUsage, SILENT_LOGGER } from "../../../src/records/index.js";
import type { Decision } from "../../../src/stages/consolidate/index.js";
import { createRuleConsolidator } from "../../../src/stages/consolidate/index.js";
import type { StageRun } from "../../../src/stages/run.js";
import { entryOf } from "../../support/store.js";

export const run: StageRun = { usage: emptyUsage(), logger: SILENT_LOGGER, now: () => 0 };

export function item(text: string, over: Partial<ExtractedItem> = {}): ExtractedItem {
  return {
    losslessRestatement: text,
    keywords: [],
    timestamp: null,
    timestampEnd: null,
    mentionedAt: "2025-02-01T10:00:00.000Z",
    location: null,
    persons: [],
    entities: [],
    topic: null,
    attributes: {},
    kind: "fact",
    speaker: "Ilse",
    sourceRole: "user",
    sourceIds: ["t2"],
    confidence: 0.9,
    importance: 0.5,
    ...over,
  };
}

export function entry(text: string, over: Partial<MemoryEntry> = {}): MemoryEntry {
  return entryOf({
    ...item(text, { mentionedAt: "2025-01-01T10:00:00.000Z", sourceIds: ["t1"] }),
    entryId: "known",
    sessionId: "s",
    createdAt: "2025-01-01T10:00:00.000Z",
    updatedAt: "2025-01-01T10:00:00.000Z",
    embeddingModel: "stub",
    ...over,
  });
}

export async function decide(next: ExtractedItem, ...known: readonly MemoryEntry[]): Promise<Decision | undefined> {
  const candidates = known.map((one) => ({ entry: one, similarity: 1 }));
  const { decisions } = await createRuleConsolidator().consolidate(
    { items: [{ entryId: "new", item: next, candidates }] },
    run,
  );
  return decisions[0];
}
