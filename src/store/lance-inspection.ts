import { createHash } from "node:crypto";
import type { MemoryEntry } from "../records/index.js";
import { entryOf } from "./entry-cells.js";
import { all, holdsAny, oneOf, type Predicate } from "./filter.js";
import { taskKey } from "./inbox.js";
import { ownerOf, ROW_READERS } from "./inspected-rows.js";
import type {
  DamagedRow,
  HeldRow,
  InspectedPage,
  InspectedRows,
  InspectedTable,
  Inspection,
  ScopedId,
  ScopedTurn,
  StoreNotes,
  TableState,
} from "./inspection.js";
import { hashOf, scopedKey, scopeOf, turnKey } from "./keys.js";
import { ITEM_SPACE, MEMORY_SPACE, type Meta } from "./meta.js";
import { SCHEMA_VERSION } from "./migrations.js";
import { firstLineOf, isVanished } from "./retry.js";
import type { Row } from "./row.js";
import { SCOPE_COLUMNS } from "./schema.js";
import type { InboxTask, MadeKind } from "./store.js";
import type { StrayTables } from "./stray-tables.js";
import type { StoreTable } from "./table.js";
import { madeKey, tombstoneKey } from "./tombstones.js";

/** Keys of one statement: more would make it too long. */
const KEYS_PER_READ = 1_000;
/** Keys that are compared at once, as numbers of 8 bytes. */
const KEYS_PER_PASS = 4_000_000;
/** Scans that others may end by cleaning files away. */
const SCANS = 5;

/** All tables, those first in which a fault explains faults of others. */
export const INSPECTED = [
  "meta",
  "turns",
  "inbox",
  "ledger",
  "entries",
  "chunks",
  "facts",
  "tombstones",
  "claims",
  "items",
  "item_vectors",
] as const satisfies InspectedTable[];

/** What an inspection reads with. */
export interface InspectionParts {
  readonly meta: Meta;
  readonly strays: StrayTables;
  readonly tables: { readonly [table in InspectedTable]: StoreTable };
  /** Goes over to the tables that hold the vectors now. */
  readonly refresh: () => Promise<unknown>;
}

/** Names a made thing among those of all scopes. */
export function scopedIdKey({ scope, id }: ScopedId): string {
  return scopedKey(scope, id);
}

function damageOf(error: unknown): string {
  return firstLineOf(error).slice(0, 300);
}

/** 48 bits of a hash: equal for equal keys, and nearly never for others. */
function numberOf(key: string): number {
  return createHash("sha256").update(key).digest().readUIntBE(0, 6);
}

function repeated(numbers: Float64Array): ReadonlySet<number> {
  const sorted = numbers.sort();
  return new Set(sorted.filter((value, index) => index > 0 && value === sorted[index - 1]));
}

function partsOf<T>(values: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(values.length / KEYS_PER_READ);
  return Array.from({ length: count }, (_, part) => values.slice(part * KEYS_PER_READ, (part + 1) * KEYS_PER_READ));
}

function turnKeyOf({ scope, sessionId, dialogueId }: ScopedTurn): string {
  return turnKey(scope, sessionId, dialogueId);
}

/** Windows of these sessions that hold one of these turns as new ones; ids are unique within a session only. */
function windowsOf(turns: readonly ScopedTurn[]): Predicate {
  const each = (values: readonly string[]): string[] => [...new Set(values)];
  return all(
    oneOf("user_id", each(turns.map(({ scope }) => scope.userId))),
    oneOf("session_id", each(turns.map(({ sessionId }) => sessionId))),
    holdsAny("turn_ids", each(turns.map(({ dialogueId }) => dialogueId))),
  );
}

/** The rows of the whole store over LanceDB, for who checks them. */
export class LanceInspection implements Inspection {
  readonly #parts: InspectionParts;

  constructor(parts: InspectionParts) {
    this.#parts = parts;
  }

  async notes(): Promise<StoreNotes> {
    const { meta, strays } = this.#parts;
    return {
      schemaVersion: await meta.version(),
      knownVersion: SCHEMA_VERSION,
      memoryVectors: await meta.vectorSpace(MEMORY_SPACE),
      itemVectors: await meta.vectorSpace(ITEM_SPACE),
      strays: await strays.names(),
      isMoving: (await meta.vectorMove()) !== null,
    };
  }

  async tables(): Promise<readonly TableState[]> {
    await this.#parts.refresh();
    return Promise.all(INSPECTED.map((table) => this.#state(table)));
  }

  async scan<K extends InspectedTable>(
    table: K,
    visit: (page: InspectedPage<InspectedRows[K]>) => Promise<void>,
  ): Promise<void> {
    const columns = Object.keys(ROW_READERS[table].design.columns);
    await this.#scanning(table, columns, (rows) => visit(this.#read(table, rows)));
  }

  async byKeys<K extends InspectedTable>(table: K, keys: readonly string[]): Promise<InspectedPage<InspectedRows[K]>> {
    const { key } = ROW_READERS[table].design;
    return this.#read(table, await this.#rowsIn(table, key, keys));
  }

  async existing(table: InspectedTable, keys: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await this.counts(table, keys)).keys());
  }

  async counts(table: InspectedTable, keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { key } = ROW_READERS[table].design;
    const counts = new Map<string, number>();
    for (const row of await this.#rowsIn(table, key, keys, [key])) {
      counts.set(row.text(key), (counts.get(row.text(key)) ?? 0) + 1);
    }
    return counts;
  }

  async twice(table: InspectedTable): Promise<readonly string[]> {
    const { key } = ROW_READERS[table].design;
    const rows = await this.#parts.tables[table].count(all());
    const passes = Math.max(1, Math.ceil(rows / KEYS_PER_PASS));
    const found: string[] = [];
    for (let pass = 0; pass < passes; pass += 1) {
      const numbers: number[] = [];
      const isMeant = (value: number): boolean => value % passes === pass;
      await this.#scanning(table, [key], async (batch) => {
        for (const row of batch) if (isMeant(numberOf(row.text(key)))) numbers.push(numberOf(row.text(key)));
      });
      found.push(...(await this.#keysOf(table, repeated(Float64Array.from(numbers)))));
    }
    const counts = await this.counts(table, [...new Set(found)]);
    return [...counts].filter(([, count]) => count > 1).map(([one]) => one);
  }

  async waiting(turns: readonly ScopedTurn[], task: InboxTask): Promise<ReadonlySet<string>> {
    const turnOf = new Map(turns.map((turn) => [taskKey(turn.scope, turn, task), turnKeyOf(turn)]));
    const waiting = await this.existing("inbox", [...turnOf.keys()]);
    return new Set([...waiting].flatMap((one) => turnOf.get(one) ?? []));
  }

  async windowed(turns: readonly ScopedTurn[]): Promise<ReadonlySet<string>> {
    if (turns.length === 0) return new Set();
    const columns = [...Object.keys(SCOPE_COLUMNS), "session_id", "turn_ids"];
    const rows = await this.#parts.tables.ledger.read(windowsOf(turns), { columns });
    return new Set(
      rows.flatMap((row) => row.list("turn_ids").map((id) => turnKey(scopeOf(row), row.text("session_id"), id))),
    );
  }

  async records(keys: readonly string[]): Promise<ReadonlyMap<string, MemoryEntry>> {
    const rows = await this.#rowsIn("entries", "row_key", keys, ["row_key", "record"]);
    return new Map(rows.map((row) => [row.text("row_key"), entryOf(row)]));
  }

  async buriedTurns(turns: readonly ScopedTurn[]): Promise<ReadonlySet<string>> {
    return this.#buried(turns, turnKeyOf, (salt, { scope, sessionId, dialogueId }) =>
      tombstoneKey(salt, scope, sessionId, dialogueId),
    );
  }

  async buriedMade(kind: MadeKind, made: readonly ScopedId[]): Promise<ReadonlySet<string>> {
    return this.#buried(made, scopedIdKey, (salt, { scope, id }) => madeKey(salt, scope, kind, id));
  }

  async isClaimed(name: string, now: number, isDead: (owner: string) => boolean): Promise<boolean> {
    const { held } = await this.byKeys("claims", [hashOf(name)]);
    return held.some(({ value }) => value.leaseExpiresAt > now && !isDead(value.owner));
  }

  async #buried<T>(
    values: readonly T[],
    nameOf: (value: T) => string,
    keyOf: (salt: string, value: T) => string,
  ): Promise<ReadonlySet<string>> {
    const salt = values.length === 0 ? null : await this.#parts.meta.salt();
    if (salt === null) return new Set();
    const names = new Map(values.map((value) => [keyOf(salt, value), nameOf(value)]));
    const buried = await this.existing("tombstones", [...names.keys()]);
    return new Set([...buried].flatMap((one) => names.get(one) ?? []));
  }

  async #state(name: InspectedTable): Promise<TableState> {
    const table = this.#parts.tables[name];
    try {
      const exists = (await table.open()) !== null;
      const rows = await table.count(all());
      return { table: name, rows, exists, dimension: exists ? await table.dimension() : null, error: null };
    } catch (error) {
      return { table: name, rows: 0, exists: true, dimension: null, error: damageOf(error) };
    }
  }

  async #scanning(
    table: InspectedTable,
    columns: readonly string[],
    visit: (rows: readonly Row[]) => Promise<void>,
  ): Promise<void> {
    for (let scan = 1; ; scan += 1) {
      try {
        for await (const rows of this.#parts.tables[table].scan(columns)) await visit(rows);
        return;
      } catch (error) {
        if (scan >= SCANS || !isVanished(error)) throw error;
        // The vectors may have gone over to other tables.
        await this.#parts.refresh();
        this.#parts.tables[table].forget();
      }
    }
  }

  async #rowsIn(
    table: InspectedTable,
    column: string,
    values: readonly string[],
    columns?: readonly string[],
  ): Promise<readonly Row[]> {
    const pages: Row[] = [];
    for (const part of partsOf([...new Set(values)])) {
      const options = columns === undefined ? {} : { columns };
      pages.push(...(await this.#parts.tables[table].read(oneOf(column, part), options)));
    }
    return pages;
  }

  #read<K extends InspectedTable>(table: K, rows: readonly Row[]): InspectedPage<InspectedRows[K]> {
    const reader = ROW_READERS[table];
    const held: HeldRow<InspectedRows[K]>[] = [];
    const damaged: DamagedRow[] = [];
    for (const row of rows) {
      const key = row.text(reader.design.key);
      try {
        held.push({ key, scope: ownerOf(row, reader.design), ...reader.read(row) });
      } catch (error) {
        damaged.push({ key, damage: damageOf(error) });
      }
    }
    return { held, damaged };
  }

  async #keysOf(table: InspectedTable, numbers: ReadonlySet<number>): Promise<readonly string[]> {
    if (numbers.size === 0) return [];
    const { key } = ROW_READERS[table].design;
    const keys: string[] = [];
    await this.#scanning(table, [key], async (batch) => {
      for (const row of batch) if (numbers.has(numberOf(row.text(key)))) keys.push(row.text(key));
    });
    return keys;
  }
}
