import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { LocalEmbeddings } from "../../src/models/index.js";
import { type ExactScope, exactScope, type MemoryStore, openStore } from "../../src/store/index.js";
import { inChild, isMain } from "./child.js";
import { SESSION_TURNS, type SessionRows, sessionRows } from "./seed-rows.js";
import { Sentences } from "./sentences.js";

/**
 * Fills stores row by row through the store's own tables, below the public API: no bench would end in which a million
 * entries were extracted. What is measured afterwards goes through the public API alone. A store that was begun is gone on with.
 */

/** Holds as many entries as the store's size says. */
export const LARGE: ExactScope = exactScope({ userId: "large" });
/** Holds the same number of entries, whatever the size of the store. */
export const SMALL: ExactScope = exactScope({ userId: "small" });
export const SMALL_ENTRIES = 1_000;

/** Sessions that are written at once. */
const SESSIONS_AT_ONCE = 125;
/** From so many rows on `maintain` gives the vectors an index, by default. */
const VECTOR_INDEX_FROM = 50_000;

/** Fewer rows are not worth two processes. */
const TOGETHER_UP_TO = 2_000;

/** What a process fills: what was said, or what is known. Each writes to tables of its own, so that two need not wait. */
type Half = "said" | "known";

type Writer = (store: MemoryStore, scope: ExactScope, sessions: readonly SessionRows[]) => Promise<void>;

const WRITERS: { readonly [half in Half]: Writer } = {
  async said(store, scope, sessions) {
    await store.turns.insert(
      scope,
      sessions.flatMap(({ turns }) => turns),
    );
    await store.chunks.put(
      scope,
      sessions.flatMap(({ chunks }) => chunks),
    );
  },
  async known(store, scope, sessions) {
    await store.ledger.insert(
      scope,
      sessions.map(({ window }) => window),
    );
    await store.entries.put(
      scope,
      sessions.flatMap(({ entries }) => entries),
    );
  },
};

/** The last table of each half tells how far it has come. */
const WRITTEN: { readonly [half in Half]: (store: MemoryStore, scope: ExactScope) => Promise<number> } = {
  said: (store, scope) => store.chunks.count(scope),
  known: (store, scope) => store.entries.size(scope),
};

async function openForSeeding(folder: string): Promise<{ store: MemoryStore; embeddings: LocalEmbeddings }> {
  const [store, embeddings] = [await openStore({ uri: folder }), new LocalEmbeddings()];
  await store.ensureDimension(embeddings.dimension, embeddings.modelName);
  return { store, embeddings };
}

async function fillHalf(folder: string, half: Half, size: number, until: number): Promise<void> {
  const { store, embeddings } = await openForSeeding(folder);
  const sentences = new Sentences();
  for (const [scope, entries] of [[SMALL, Math.min(size, SMALL_ENTRIES)] as const, [LARGE, size] as const]) {
    const sessions = Math.ceil(entries / SESSION_TURNS);
    let next = Math.floor((await WRITTEN[half](store, scope)) / SESSION_TURNS);
    while (next < sessions && Date.now() < until) {
      const many = Math.min(SESSIONS_AT_ONCE, sessions - next);
      const rows = Array.from({ length: many }, (_, at) => sessionRows(scope, next + at, half, sentences, embeddings));
      await WRITERS[half](store, scope, rows);
      next += many;
    }
  }
  await store.close();
}

function fillApart(folder: string, half: Half, size: number, until: number): Promise<unknown> {
  const args = ["--folder", folder, "--size", String(size), "--until", String(until), "--half", half];
  return inChild(new URL(import.meta.url), args);
}

async function isFull(folder: string, size: number): Promise<boolean> {
  const store = await openStore({ uri: folder, readOnly: true });
  try {
    const counts = [store.chunks.count(LARGE), store.entries.size(LARGE)];
    return (await Promise.all(counts)).every((count) => count >= size);
  } finally {
    await store.close();
  }
}

/** Compacts the tables and makes the indexes, as the upkeep of `maintain` does. */
async function index(folder: string): Promise<void> {
  const store = await openStore({ uri: folder });
  const health = await store.tableHealth();
  if (health.some(({ unindexedRows }) => unindexedRows > 0)) {
    await store.optimize({ vectorIndexFrom: VECTOR_INDEX_FROM });
  }
  await store.close();
}

/** Where the store of so many entries lies. */
export function storeOf(stores: string, size: number): string {
  return join(stores, String(size));
}

/**
 * Fills a folder with `size` entries of one scope and a thousand of another, and indexes it.
 * @param minutes after which filling stops, to be gone on with later
 * @returns whether it is full
 */
export async function seed(folder: string, size: number, minutes = Number.POSITIVE_INFINITY): Promise<boolean> {
  if (!existsSync(folder) || !(await isFull(folder, size))) {
    const { store } = await openForSeeding(folder);
    await store.close();
    const until = Date.now() + minutes * 60_000;
    const halves: readonly Half[] = ["said", "known"];
    if (size <= TOGETHER_UP_TO) for (const half of halves) await fillHalf(folder, half, size, until);
    else await Promise.all(halves.map((half) => fillApart(folder, half, size, until)));
    if (!(await isFull(folder, size))) return false;
  }
  await index(folder);
  return true;
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      folder: { type: "string" },
      size: { type: "string" },
      half: { type: "string" },
      until: { type: "string" },
    },
  });
  await fillHalf(
    values.folder ?? "",
    values.half === "said" ? "said" : "known",
    Number(values.size),
    Number(values.until),
  );
  console.log(JSON.stringify(null));
}
