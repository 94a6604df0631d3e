import type { Line } from "./lines.js";

export const VICTIM = { userId: "u-ilse" };
export const BYSTANDER = { userId: "u-bram" };
/** Turns of the other user, of which nothing may change. */
export const BYSTANDER_TURNS = ["bram-1", "bram-2", "bram-3"];
/** Of a value that was removed. */
export const NOTHING = "-";

/** A value that somebody set, as far as it was acknowledged: each of these may be it. */
type Possible = readonly string[];

/** An entry whose topic was corrected. */
interface Corrected {
  readonly topics: Possible;
  /** Turns that prove it: where one of them is forgotten it may go. */
  readonly sourceIds: readonly string[];
}

/**
 * What a memory acknowledged, kept outside of it: which turns must be there, which must be gone, which may be either, since nobody
 * was told how it ended; and what was set or corrected.
 */
export class Tally {
  /** Turns whose `add` resolved. */
  readonly accepted = new Set<string>();
  /** Turns whose `forget` was called, whether it resolved or not. */
  readonly doomed = new Set<string>();
  readonly forgotten = new Set<string>();
  /** Turns whose `forget` with its purge resolved: no file holds their words. */
  readonly purged = new Set<string>();
  /** Users who were deleted, with all files. */
  readonly deleted = new Set<string>();
  readonly corrected = new Map<string, Corrected>();
  /** Facts and items, "fact key" or "item key". */
  readonly values = new Map<string, Possible>();

  /** What a process printed. Marks that tell nothing about the memory are left alone. */
  take([mark, id = "", ...more]: Line): void {
    const [value = "", former = ""] = more;
    if (mark === "accepted") this.accepted.add(id);
    if (mark === "forgetting") this.doomed.add(id);
    if (mark === "forgotten") this.forgotten.add(id);
    if (mark === "purged") this.purged.add(id);
    if (mark === "deleted") this.deleted.add(id);
    if (mark === "correcting") this.#correct(id, [...this.#topicsOf(id, former), value], more.slice(2));
    if (mark === "corrected") this.#correct(id, [value]);
    // About to be set: from now on either counts.
    if (mark === "setting") this.values.set(id, [...(this.values.get(id) ?? [NOTHING]), value]);
    if (mark === "set") this.values.set(id, [value]);
  }

  /** Turns that must be there: nobody asked to forget them. */
  get due(): readonly string[] {
    return [...this.accepted].filter((id) => !this.doomed.has(id));
  }

  /** What a correction before this one left; the topic before the first. */
  #topicsOf(entryId: string, former: string): Possible {
    return this.corrected.get(entryId)?.topics ?? [former];
  }

  #correct(entryId: string, topics: Possible, sourceIds = this.corrected.get(entryId)?.sourceIds ?? []): void {
    this.corrected.set(entryId, { topics, sourceIds });
  }
}
