import type { EntryRow } from "../store/index.js";
import type { Arrival } from "./arrival.js";

/** The rows to be written after the decisions: new ones and changed ones, for one atomic upsert. */
export class RowSet {
  readonly #rows = new Map<string, EntryRow>();
  /** Which row took an item that is none of its own. */
  readonly #takers = new Map<string, string>();
  readonly #stored: ReadonlySet<string>;
  readonly #touched = new Set<string>();

  constructor(known: readonly EntryRow[]) {
    for (const row of known) this.#rows.set(row.entry.entryId, row);
    this.#stored = new Set(this.#rows.keys());
  }

  /** Whether the row was there before the decisions were applied. */
  wasStored({ entry }: EntryRow): boolean {
    return this.#stored.has(entry.entryId);
  }

  /** The row of this id, or the one that took its item; none when that became history meanwhile. */
  current(id: string): EntryRow | undefined {
    const row = this.#rows.get(this.#takers.get(id) ?? id);
    return row?.entry.status === "superseded" ? undefined : row;
  }

  /** The row of this id, history or not. */
  any(id: string): EntryRow | undefined {
    return this.#rows.get(id);
  }

  /** Notes that an item became part of a row: who names the item means that row. */
  took(row: EntryRow, { own }: Arrival): void {
    this.#takers.set(own.entry.entryId, row.entry.entryId);
    this.set(row);
  }

  set(row: EntryRow): void {
    this.#rows.set(row.entry.entryId, row);
    this.#touched.add(row.entry.entryId);
  }

  touched(): EntryRow[] {
    return [...this.#touched].flatMap((id) => this.#rows.get(id) ?? []);
  }
}
