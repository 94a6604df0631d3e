import { StoreConflictError } from "../records/index.js";
import { EVERY_ROW, oneOf } from "./filter.js";
import { MEMORY_SPACE, type Meta } from "./meta.js";
import type { MoveReport, MoveRequest, TextSource } from "./move.js";
import { pagesOf } from "./pages.js";
import { cellsOfRow } from "./row.js";
import type { Cells } from "./schema.js";
import type { StrayTables } from "./stray-tables.js";
import type { StoreTable, TableDesign } from "./table.js";
import type { VectorTables } from "./vector-tables.js";
import { checkVector, tableNameIn, type VectorSpace } from "./vectors.js";

/** Rows that are read, embedded and written at once. */
const PAGE = 500;
/** Passes beside writers; what these leave is done while nobody writes. */
const PASSES_BESIDE = 3;
/** A purge throws the copies away; a move that meets so many is given up. */
const TRIES = 5;

type Source = TextSource & { readonly table: StoreTable };

interface MoveParts {
  readonly meta: Meta;
  readonly vectors: VectorTables;
  readonly sources: readonly Source[];
  readonly strays: StrayTables;
  readonly tableOf: (design: TableDesign) => StoreTable;
}

/** A table, and the one that takes its place. */
interface Pair extends Source {
  readonly copy: StoreTable;
  /** All columns but the vector. */
  readonly columns: readonly string[];
}

/** A row that was copied, and the vector that it got. */
interface Copied {
  readonly cells: Cells;
  readonly vector: readonly number[] | null;
}

/** The vector of a row whose text is the one that was copied: only other columns changed. */
function keptVector({ copy, textOf }: Pair, cells: Cells, copied: ReadonlyMap<string, Copied>) {
  const known = copied.get(String(cells[copy.design.key]));
  return known !== undefined && textOf(known.cells) === textOf(cells) ? known.vector : null;
}

/**
 * Makes all vectors anew: into tables beside those in use, row by row, until these hold the same; then one commit makes them those
 * in use. A pass compares what is there and does what is missing, so that it also goes on after a break, and takes in what was
 * written meanwhile.
 */
export class VectorMove {
  #embeddedTexts = 0;
  #done = 0;
  #total = 0;

  constructor(
    private readonly parts: MoveParts,
    private readonly request: MoveRequest,
  ) {}

  async run(): Promise<MoveReport> {
    // Kept over tries: one may fail when all is moved, while it clears away what is left of before.
    let former: string | null = this.request.embedder;
    for (let tries = 1; ; tries += 1) {
      const target = await this.#begin();
      if (target === null) return this.#report(former);
      former = this.parts.vectors.embedder;
      try {
        await this.#moveTo(target);
        await this.parts.strays.drop();
        return await this.#report(former);
      } catch (error) {
        if (await this.#isOurs(target)) throw error;
        if (tries < TRIES) continue;
        throw new StoreConflictError("the vectors cannot be made anew while so much is purged; try again later.", {
          cause: error,
        });
      }
    }
  }

  /** Where the vectors go; null when there is nothing to do. */
  async #begin(): Promise<VectorSpace | null> {
    const { meta, vectors, strays } = this.parts;
    const { dimension, embedder } = this.request;
    const now = await vectors.refreshed();
    if (now === null || (now.embedder === embedder && now.dimension === dimension)) {
      await meta.setVectorMove(null);
      await strays.drop();
      return null;
    }
    const begun = await meta.vectorMove();
    const goesOn = begun?.embedder === embedder && begun.dimension === dimension;
    const generation = Math.max(now.generation ?? 0, begun?.generation ?? 0) + (goesOn ? 0 : 1);
    const target = { dimension, embedder, generation };
    await meta.setVectorMove(target);
    await strays.drop();
    return target;
  }

  async #moveTo(target: VectorSpace): Promise<void> {
    const pairs = await Promise.all(this.parts.sources.map((source) => this.#pair(source, target)));
    const counts = await Promise.all(pairs.map(({ table }) => table.count(EVERY_ROW)));
    this.#done = 0;
    this.#total = counts.reduce((sum, count) => sum + count, 0);
    for (let pass = 0; pass < PASSES_BESIDE; pass += 1) {
      if ((await this.#passAll(pairs, target)) === 0) break;
    }
    await this.#alone(pairs, async () => {
      await this.#passAll(pairs, target);
      await this.parts.meta.changeVectorSpace(target, MEMORY_SPACE);
      await this.parts.meta.setVectorMove(null);
    });
    await this.parts.vectors.refreshed();
  }

  async #pair(source: Source, target: VectorSpace): Promise<Pair> {
    const { design } = source.table;
    const copy = this.parts.tableOf({ ...design, name: tableNameIn(target, design.name) });
    await copy.create(target.dimension);
    return { ...source, copy, columns: Object.keys(design.columns).filter((name) => name !== "vector") };
  }

  /** Runs while nobody writes to any of the tables. */
  #alone<T>([first, ...rest]: readonly Pair[], work: () => Promise<T>): Promise<T> {
    return first === undefined ? work() : first.table.alone(() => this.#alone(rest, work));
  }

  /** Answers how many rows differed. */
  async #passAll(pairs: readonly Pair[], target: VectorSpace): Promise<number> {
    let differed = 0;
    for (const pair of pairs) differed += (await this.#fill(pair, target)) + (await this.#removeGone(pair));
    return differed;
  }

  async #fill(pair: Pair, target: VectorSpace): Promise<number> {
    const { table, columns } = pair;
    const { key } = table.design;
    let differed = 0;
    for await (const rows of pagesOf(table, EVERY_ROW, { order: [key], size: PAGE, columns })) {
      this.request.signal?.throwIfAborted();
      const copied = await this.#copied(
        pair,
        rows.map((row) => row.text(key)),
      );
      const missing = rows
        .map((row) => pair.madeBy(cellsOfRow(row, table.design.columns, columns), target.embedder))
        .filter((cells) => JSON.stringify(copied.get(String(cells[key]))?.cells) !== JSON.stringify(cells));
      if (missing.length > 0) await this.#copy(pair, missing, copied, target);
      differed += missing.length;
      this.#tell(rows.length);
    }
    return differed;
  }

  /** Rows that were copied already, by their keys. */
  async #copied({ copy, columns }: Pair, keys: readonly string[]): Promise<ReadonlyMap<string, Copied>> {
    const { key } = copy.design;
    const rows = await copy.read(oneOf(key, keys), { columns: [...columns, "vector"] });
    return new Map(
      rows.map((row) => [
        row.text(key),
        { cells: cellsOfRow(row, copy.design.columns, columns), vector: row.vectorOrNull("vector") },
      ]),
    );
  }

  async #copy(pair: Pair, rows: readonly Cells[], copied: ReadonlyMap<string, Copied>, target: VectorSpace) {
    const { copy, textOf } = pair;
    const made = rows.map((cells) => ({ cells, vector: keptVector(pair, cells, copied) }));
    const bare = made.filter(({ vector }) => vector === null).map(({ cells }) => cells);
    const vectors = await this.request.embed(bare.map(textOf));
    this.#embeddedTexts += bare.length;
    const fresh = new Map(bare.map((cells, index) => [cells, vectors[index] ?? []]));
    const whole = made.map(({ cells, vector }) => ({ ...cells, vector: vector ?? fresh.get(cells) ?? [] }));
    for (const { vector } of whole) checkVector(vector, target);
    if (!(await this.#isOurs(target))) throw new StoreConflictError("the copies were thrown away by a purge.");
    await copy.upsert(whole);
  }

  async #removeGone({ table, copy }: Pair): Promise<number> {
    const { key } = table.design;
    let removed = 0;
    for await (const rows of pagesOf(copy, EVERY_ROW, { order: [key], size: PAGE, columns: [key] })) {
      const keys = rows.map((row) => row.text(key));
      const held = new Set((await table.read(oneOf(key, keys), { columns: [key] })).map((row) => row.text(key)));
      const gone = keys.filter((one) => !held.has(one));
      if (gone.length > 0) removed += await copy.remove(oneOf(key, gone));
    }
    return removed;
  }

  async #isOurs({ generation }: VectorSpace): Promise<boolean> {
    return (await this.parts.meta.vectorMove())?.generation === generation;
  }

  #tell(rows: number): void {
    this.#done = Math.min(this.#total, this.#done + rows);
    this.request.onProgress?.({ done: this.#done, total: this.#total });
  }

  async #report(former: string | null): Promise<MoveReport> {
    const [entries = 0, chunks = 0] = await Promise.all(this.parts.sources.map(({ table }) => table.count(EVERY_ROW)));
    return { former, entries, chunks, embeddedTexts: this.#embeddedTexts };
  }
}
