import type { Metadata } from "../records/index.js";
import type { Scored } from "./found.js";

/** Where an item is: a list of labels, and a key that is unique within it. */
export interface ItemPlace {
  readonly namespace: readonly string[];
  readonly key: string;
}

/** A value that a program keeps under a namespace and a key. It belongs to no scope. */
export interface ItemRow extends ItemPlace {
  /** The value as JSON text. */
  readonly json: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** How long it lives after a write or a refresh; null: for ever. */
  readonly ttlMs: number | null;
  readonly expiresAt: string | null;
}

/** An item as it is written. */
export interface ItemWrite extends ItemPlace {
  readonly json: string;
  /** The fields of the value that are a string, a number, a flag or null: by these it can be selected. */
  readonly fields: Metadata;
  /** One per indexed text, maybe none. */
  readonly vectors: readonly (readonly number[])[];
  readonly ttlMs: number | null;
}

/** Items under a prefix of labels (of none: all) that have not expired by `now` (ms). */
export interface ItemSelection {
  readonly prefix: readonly string[];
  /** Fields that must have exactly this value. */
  readonly equal?: Metadata;
  readonly now: number;
}

/** The items of LangGraph's BaseStore. Expired ones are seen by no read. */
export interface ItemTable {
  get(places: readonly ItemPlace[], now: number): Promise<readonly ItemRow[]>;
  /** Upserts by place: an item that is there keeps `createdAt`, and loses its former vectors. Each place once. */
  put(writes: readonly ItemWrite[], now: number): Promise<void>;
  /** In the order of creation. */
  list(selection: ItemSelection, limit?: number): Promise<readonly ItemRow[]>;
  /**
   * Items by the cosine of their nearest vector, best first, among the `vectors` nearest ones. `complete` when there
   * are no more.
   */
  nearest(
    vector: readonly number[],
    selection: ItemSelection,
    vectors: number,
  ): Promise<{ readonly items: readonly Scored<ItemRow>[]; readonly complete: boolean }>;
  /** Items without a vector, in the order of creation. */
  unindexed(selection: ItemSelection): Promise<readonly ItemRow[]>;
  /** Gives an item without vectors its vectors, and changes nothing else; false when it was written anew since it was read. */
  index(item: ItemWrite, now: number): Promise<boolean>;
  /** Each namespace that holds an item, once. */
  namespaces(selection: ItemSelection): Promise<readonly (readonly string[])[]>;
  /** Lets these items live for their `ttlMs` from `now` on. */
  refresh(items: readonly ItemRow[], now: number): Promise<void>;
  remove(places: readonly ItemPlace[]): Promise<void>;
  /** Removes every item under the prefix, expired ones too, with all vectors; answers how many items. */
  removeUnder(prefix: readonly string[]): Promise<number>;
  /** Removes expired items, and vectors that two writers of one item left behind; answers how many items. */
  sweep(now: number): Promise<number>;
}
