import { type DialogueTurn, type MemoryEntry, turnPlace, type WindowRecord } from "../../records/index.js";
import type { ExactScope, MemoryStore } from "../../store/index.js";
import {
  headerLine,
  type MovedEntry,
  type MovedRecord,
  type MovedTurn,
  type MovedWindow,
  type RecordOf,
  recordLine,
} from "./lines.js";

/** Rows that are read at once. */
const PAGE = 1_000;

function movedTurn({ contentHash: _hash, ...turn }: DialogueTurn): MovedTurn {
  return turn;
}

function movedEntry({ embeddingModel: _model, ...entry }: MemoryEntry): MovedEntry {
  return entry;
}

function movedWindow({ agentId: _agent, owner: _owner, leaseExpiresAt: _lease, ...window }: WindowRecord): MovedWindow {
  return window;
}

async function* turnRecords(store: MemoryStore, scope: ExactScope): AsyncGenerator<RecordOf<"turn">> {
  for await (const turns of store.turns.pages(scope, PAGE)) {
    const waiting = await store.inbox.waiting(scope, "extract", turns);
    for (const turn of turns) {
      const pending = waiting.has(turnPlace(turn)) ? { pending: true as const } : {};
      yield { type: "turn", turn: movedTurn(turn), ...pending };
    }
  }
}

/** Turns first: what is made of them finds them when it is imported. */
async function* records(store: MemoryStore, scope: ExactScope): AsyncGenerator<MovedRecord> {
  yield* turnRecords(store, scope);
  for await (const windows of store.ledger.pages(scope, PAGE)) {
    for (const window of windows) yield { type: "window", window: movedWindow(window) };
  }
  for await (const entries of store.entries.pages(scope, PAGE)) {
    for (const { entry, changes } of entries) yield { type: "entry", entry: movedEntry(entry), changes };
  }
  for await (const facts of store.facts.pages(scope, PAGE)) for (const fact of facts) yield { type: "fact", fact };
}

async function* linesOfAll(
  records: AsyncGenerator<MovedRecord>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  let written = 0;
  yield headerLine();
  for await (const record of records) {
    signal?.throwIfAborted();
    written += 1;
    yield recordLine(record);
  }
  yield recordLine({ type: "end", records: written });
}

/** The lines of everything in exactly this scope. */
export function exportLines(
  store: MemoryStore,
  scope: ExactScope,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  return linesOfAll(records(store, scope), signal);
}

async function* chosenTurns(store: MemoryStore, scope: ExactScope, ids: ReadonlySet<string>) {
  for await (const record of turnRecords(store, scope)) if (ids.has(record.turn.dialogueId)) yield record;
}

/** The lines of turns with these ids alone. */
export function turnLines(
  store: MemoryStore,
  scope: ExactScope,
  ids: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  return linesOfAll(chosenTurns(store, scope, ids), signal);
}
