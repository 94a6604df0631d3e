import { CHUNKS, chunkOf } from "./chunks.js";
import { CLAIMS } from "./claims.js";
import { ENTRIES, entryCells, entryKey, entryRowOf } from "./entry-cells.js";
import { FACTS, factOf, factRowKey } from "./facts.js";
import { INBOX, taskKey, waitingTurnOf } from "./inbox.js";
import type { InspectedEntry, InspectedRows, InspectedTable } from "./inspection.js";
import { ITEM_VECTORS, ITEMS, itemKey, itemOf } from "./item-cells.js";
import { chunkId, scopedKey, scopeOf, turnKey } from "./keys.js";
import { LEDGER, windowOf } from "./ledger.js";
import { META } from "./meta.js";
import { cellsOfRow, type Row } from "./row.js";
import type { ChunkRow, ExactScope, InboxTask } from "./store.js";
import type { TableDesign } from "./table.js";
import { TOMBSTONES } from "./tombstones.js";
import { TURNS, turnOf } from "./turns.js";

/** What a row holds, and the key under which it should lie. */
interface Content<T> {
  readonly ownKey: string;
  /** Ids by which a person knows it. */
  readonly ids: readonly string[];
  readonly value: T;
}

/** How the rows of a table are read. */
export interface RowReader<T> {
  readonly design: TableDesign;
  readonly read: (row: Row) => Content<T>;
}

const TASKS = ["extract", "index"] as const satisfies InboxTask[];

function hasScope({ columns }: TableDesign): boolean {
  return "user_id" in columns;
}

/** Whose a row is; null in tables that belong to nobody. */
export function ownerOf(row: Row, design: TableDesign): ExactScope | null {
  return hasScope(design) ? scopeOf(row) : null;
}

function entryContent(row: Row): Content<InspectedEntry> {
  const scope = scopeOf(row);
  const stored = entryRowOf(row);
  const names = Object.keys(ENTRIES.columns).filter((name) => name !== "vector" && name !== "changes");
  const found = cellsOfRow(row, ENTRIES.columns, names);
  const due = entryCells(scope, stored);
  const differing = names.filter(
    (name) => name !== "row_key" && JSON.stringify(found[name]) !== JSON.stringify(due[name]),
  );
  return {
    ownKey: entryKey(scope, row.text("entry_id")),
    ids: [row.text("entry_id")],
    value: { ...stored, differing },
  };
}

function chunkContent(row: Row): Content<ChunkRow> {
  const chunk = chunkOf(row);
  const ordinal = Number(chunk.chunkId.slice(chunk.chunkId.lastIndexOf(":") + 1));
  const ownKey = chunkId(scopeOf(row), chunk.sessionId, chunk.dialogueId, ordinal);
  return { ownKey, ids: [chunk.dialogueId], value: chunk };
}

function inboxContent(row: Row): Content<InspectedRows["inbox"]> {
  const task = row.oneOf("task", TASKS);
  const turn = waitingTurnOf(row);
  return { ownKey: taskKey(scopeOf(row), turn, task), ids: [row.text("dialogue_id")], value: { task, turn } };
}

function named<T>(row: Row, key: string, value: T): Content<T> {
  return { ownKey: row.text(key), ids: [], value };
}

/** One for each table of the store. */
export const ROW_READERS: { readonly [table in InspectedTable]: RowReader<InspectedRows[table]> } = Object.freeze({
  turns: {
    design: TURNS,
    read: (row) => {
      const turn = turnOf(row);
      return { ownKey: turnKey(scopeOf(row), turn.sessionId, turn.dialogueId), ids: [turn.dialogueId], value: turn };
    },
  },
  inbox: { design: INBOX, read: inboxContent },
  ledger: {
    design: LEDGER,
    read: (row) => {
      const window = windowOf(row);
      return { ownKey: scopedKey(scopeOf(row), window.windowId), ids: [window.windowId], value: window };
    },
  },
  entries: { design: ENTRIES, read: entryContent },
  chunks: { design: CHUNKS, read: chunkContent },
  facts: {
    design: FACTS,
    read: (row) => {
      const fact = factOf(row);
      return { ownKey: factRowKey(scopeOf(row), fact), ids: [fact.key], value: fact };
    },
  },
  tombstones: { design: TOMBSTONES, read: (row) => named(row, "row_key", { kind: row.text("kind") }) },
  claims: {
    design: CLAIMS,
    read: (row) => named(row, "row_key", { owner: row.text("owner"), leaseExpiresAt: row.number("lease_expires_at") }),
  },
  meta: { design: META, read: (row) => named(row, "name", { value: row.text("value") }) },
  items: {
    design: ITEMS,
    read: (row) => {
      const item = itemOf(row);
      return { ownKey: itemKey(item), ids: [item.key], value: { json: item.json } };
    },
  },
  item_vectors: {
    design: ITEM_VECTORS,
    read: (row) => named(row, "row_key", { vector: row.vectorOrNull("vector") ?? [] }),
  },
});
