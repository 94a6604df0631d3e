import type { MemoryEntry } from "../../records/index.js";
import type { Candidate, ConsolidationItem, Decision } from "./consolidator.js";

/**
 * What the decisions of one call make of what its later items are compared with: an entry that was superseded a moment ago
 * is no candidate any more, and an item that was taken for known is known by the entry that took it.
 */
export class Outcomes {
  /** As an entry is now, by its id and by the ids of the items that it took; null: it is history. */
  readonly #now = new Map<string, MemoryEntry | null>();

  /** The candidates as they are now, each once, nearest first. */
  current({ candidates }: ConsolidationItem): Candidate[] {
    const seen = new Set<string>();
    return candidates.flatMap(({ entry, similarity }) => {
      const known = this.#asItIs(entry);
      if (known === null || seen.has(known.entryId)) return [];
      seen.add(known.entryId);
      return [{ entry: known, similarity }];
    });
  }

  /** @param known the item's candidates as they were when it was decided on */
  note({ entryId, item }: ConsolidationItem, decision: Decision, known: readonly Candidate[]): void {
    if (decision.op === "add" || decision.op === "conflict") return;
    const target = known.find(({ entry }) => entry.entryId === decision.target)?.entry;
    if (target === undefined) return;
    switch (decision.op) {
      case "supersede":
      case "done":
        this.#now.set(target.entryId, null);
        break;
      case "superseded_by":
        this.#now.set(entryId, null);
        break;
      case "skip":
        this.#now.set(entryId, target);
        break;
      case "merge": {
        const timestamp = target.timestamp ?? item.timestamp;
        const grown = { ...target, losslessRestatement: decision.text, timestamp };
        this.#now.set(target.entryId, grown).set(entryId, grown);
        break;
      }
    }
  }

  #asItIs(entry: MemoryEntry): MemoryEntry | null {
    const now = this.#now.get(entry.entryId);
    if (now === undefined || now === entry) return entry;
    return now === null ? null : this.#asItIs(now);
  }
}
