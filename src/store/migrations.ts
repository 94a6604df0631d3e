import { StoreVersionError } from "../records/index.js";
import type { Meta } from "./meta.js";

/** What migrations may do to the store. */
export interface Steps {
  makeItems(): Promise<unknown>;
  /** Entries whose fields lie in columns of their own get a record; others stay as they are. */
  makeRecords(): Promise<unknown>;
  addColumns(): Promise<unknown>;
}

/** What brings a store from the version before to `version`. Released ones are never changed. */
export interface Migration {
  readonly version: number;
  readonly run: (steps: Steps) => Promise<unknown>;
}

/**
 * Version 1 is what the tables are made with. Version 2 adds the items; a library that does not know them must not open
 * the store, for its purge would leave them. Version 3 adds the changes of entries and the metadata of chunks; rows from before
 * have neither. Before it, the record of an entry became one column, so that what has none gets it here. Version 4 changes nothing by itself: from then on vectors that were made anew lie in tables of other names, which a
 * library that does not know of them would take for missing.
 */
export const MIGRATIONS: readonly Migration[] = Object.freeze([
  { version: 1, run: async () => {} },
  { version: 2, run: (steps: Steps) => steps.makeItems() },
  {
    version: 3,
    run: async (steps: Steps) => {
      await steps.makeRecords();
      await steps.addColumns();
    },
  },
  { version: 4, run: async () => {} },
]);

export const SCHEMA_VERSION = 4;

/**
 * @throws StoreVersionError when a newer version of the library made the store; no file was changed
 */
export function checkVersion(found: number | null): void {
  if (found === null || (Number.isInteger(found) && found <= SCHEMA_VERSION)) return;
  throw new StoreVersionError(
    `the store has schema version ${found}, this library knows ${SCHEMA_VERSION}. It was left unchanged; update simplemem-langchain.`,
  );
}

/**
 * A read-only store cannot be brought up to date, and its tables lack what this version reads.
 * @throws StoreVersionError when an older version of the library made the store
 */
export function checkIsCurrent(found: number | null): void {
  if (found === null || found >= SCHEMA_VERSION) return;
  throw new StoreVersionError(
    `the store has schema version ${found}, this library reads ${SCHEMA_VERSION}. Open it once without readOnly, which brings it up to date.`,
  );
}

/** Runs the migrations that the store lacks, in order; each is noted when it is done. */
export async function migrate(meta: Meta, steps: Steps, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  const found = await meta.version();
  checkVersion(found);
  for (const { version, run } of migrations) {
    if (version <= (found ?? 0)) continue;
    await run(steps);
    await meta.setVersion(version);
  }
}
