import { createHmac, randomBytes } from "node:crypto";
import { DimensionMismatchError } from "../records/index.js";
import { EVERY_ROW, equals } from "./filter.js";
import type { Journal } from "./store.js";
import type { StoreTable, TableDesign } from "./table.js";
import { UntilWritten } from "./until-written.js";
import type { VectorSpace } from "./vectors.js";

export const META: TableDesign = {
  name: "meta",
  key: "name",
  wordColumns: [],
  columns: { name: "key", value: "text" },
};

const VERSION = "schema_version";
const SALT = "salt";
/** Begins the names of journal rows. */
const JOURNAL = "journal ";

/** A vector space of the store: the name under which it is settled, and what to do when another embedder comes. */
export interface SpaceDesign {
  readonly name: string;
  readonly wayOut: string;
}

/** The space of entries and chunks. */
export const MEMORY_SPACE: SpaceDesign = {
  name: "vectors",
  wayOut: "Call reembed(), or open the store with the former embedder.",
};

/** The space of items: their embedder may be another than the memory's. */
export const ITEM_SPACE: SpaceDesign = {
  name: "item_vectors",
  wayOut: "Open the items with the former embedder, or keep them in another folder.",
};

/** Under this name stands the space that vectors are being made for. */
const MOVE = "vector_move";

/** More than there are names. */
const KEPT_VALUES = 20;

/** Named values of the whole store. What is settled stays as it was written first, whoever wrote it. */
export class Meta {
  readonly #table: StoreTable;
  readonly #values: UntilWritten<string | null>;

  constructor(table: StoreTable) {
    this.#table = table;
    this.#values = new UntilWritten(table, KEPT_VALUES);
  }

  async version(): Promise<number | null> {
    const value = await this.#get(VERSION);
    return value === null ? null : Number(value);
  }

  async setVersion(version: number): Promise<void> {
    await this.#table.upsert([{ name: VERSION, value: String(version) }]);
  }

  async vectorSpace(design: SpaceDesign): Promise<VectorSpace | null> {
    const value = await this.#get(design.name);
    if (value === null) return null;
    const space: VectorSpace = JSON.parse(value);
    return space;
  }

  /**
   * Settles a space of the store's vectors; of several that do so at once the first wins.
   * @throws DimensionMismatchError when it is settled otherwise
   */
  async settleVectorSpace(wanted: VectorSpace, design: SpaceDesign): Promise<VectorSpace> {
    const space: VectorSpace = JSON.parse(await this.#settle(design.name, JSON.stringify(wanted)));
    checkSpace(space, wanted, design);
    return space;
  }

  /** The space that vectors are being made for; null when none is. */
  async vectorMove(): Promise<VectorSpace | null> {
    const value = await this.#get(MOVE);
    if (value === null || value === "") return null;
    const space: VectorSpace = JSON.parse(value);
    return space;
  }

  async setVectorMove(space: VectorSpace | null): Promise<void> {
    await this.#table.upsert([{ name: MOVE, value: space === null ? "" : JSON.stringify(space) }]);
  }

  /** The one commit by which reads and writes go over to vectors of another space. */
  async changeVectorSpace(space: VectorSpace, design: SpaceDesign): Promise<void> {
    await this.#table.upsert([{ name: design.name, value: JSON.stringify(space) }]);
  }

  /** Secret of this store, with which the ids of what was forgotten are hashed. */
  async salt(): Promise<string | null> {
    return this.#get(SALT);
  }

  async settleSalt(make: () => string = () => randomBytes(32).toString("hex")): Promise<string> {
    return (await this.#get(SALT)) ?? this.#settle(SALT, make());
  }

  /** An HMAC with the secret of this store. */
  async seal(text: string): Promise<string> {
    return createHmac("sha256", await this.settleSalt())
      .update(text)
      .digest("hex");
  }

  /** Rows that come and go, beside the values that stay. */
  readonly journal: Journal = {
    write: (id, value) => this.#table.upsert([{ name: `${JOURNAL}${id}`, value }]),
    all: async () => {
      const rows = await this.#table.read(EVERY_ROW);
      const written = rows.map((row) => ({ name: row.text("name"), text: row.text("value") }));
      return written
        .filter(({ name }) => name.startsWith(JOURNAL))
        .map(({ name, text }) => ({ id: name.slice(JOURNAL.length), text }));
    },
    remove: async (id) => {
      await this.#table.remove(equals("name", `${JOURNAL}${id}`));
    },
  };

  async #get(name: string): Promise<string | null> {
    return this.#values.of(name, async () => {
      const [row] = await this.#table.read(equals("name", name), { limit: 1 });
      return row?.text("value") ?? null;
    });
  }

  async #settle(name: string, value: string): Promise<string> {
    await this.#table.insertNew([{ name, value }]);
    return (await this.#get(name)) ?? value;
  }
}

/** @throws DimensionMismatchError naming both lengths, both embedders and the way out */
export function checkSpace(found: VectorSpace, wanted: VectorSpace, design: SpaceDesign): void {
  if (found.dimension === wanted.dimension && found.embedder === wanted.embedder) return;
  throw new DimensionMismatchError(
    `the store holds vectors of ${found.dimension} numbers made by ${found.embedder}, but ${wanted.embedder} makes vectors of ${wanted.dimension}. ${design.wayOut} The store was left unchanged.`,
    found.dimension,
    wanted.dimension,
  );
}
