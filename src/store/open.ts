import { type Logger, SILENT_LOGGER, SimpleMemError, StoreOpenError } from "../records/index.js";
import { Database, loadModules } from "./connection.js";
import type { InspectableStore } from "./inspection.js";
import { LanceStore } from "./lance-store.js";
import { writeModeOf } from "./write-mode.js";

export interface OpenStoreOptions {
  /**
   * A folder, `memory://` (a store of its own for each call, gone with the process), or s3://, gs://, az://, db:// with
   * `storageOptions`.
   */
  readonly uri: string;
  readonly storageOptions?: Record<string, string>;
  /** Makes and changes nothing; what is missing reads as empty. */
  readonly readOnly?: boolean;
  /**
   * True: no other process writes, so that object storage may be written that does not keep writers apart. Without it such a
   * store is opened read-only. Means nothing elsewhere. Default false.
   */
  readonly singleWriter?: boolean;
  readonly clock?: () => number;
  readonly logger?: Logger;
}

/**
 * Opens the store, and makes it when there is none.
 * @throws StoreOpenError when LanceDB does not load or the address cannot be opened
 * @throws NotWritableError when the folder is not writable; it never falls back to memory
 * @throws StoreVersionError when a newer library or another program made the tables; nothing was changed
 * @example const store = await openStore({ uri: "./memory" });
 */
export async function openStore(options: OpenStoreOptions): Promise<InspectableStore> {
  const { uri, storageOptions, logger = SILENT_LOGGER } = options;
  const modules = await loadModules();
  const database = new Database(modules, {
    uri,
    ...(await writeModeOf(modules, options, logger)),
    ...(storageOptions === undefined ? {} : { storageOptions }),
  });
  const store = new LanceStore(database, logger);
  try {
    await store.open();
  } catch (error) {
    await database.close();
    if (error instanceof SimpleMemError) throw error;
    throw new StoreOpenError(`${uri} cannot be opened: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  return store;
}
