import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type MemoryStore, openStore } from "../../src/store/index.js";
import {
  BRAM,
  chunkRow,
  DIMENSION,
  EMBEDDER,
  entryRow,
  factOf,
  ILSE,
  NOON,
  temporaryFolder,
  turnOf,
  windowOf,
} from "../support/store.js";

let folder: string;
let remove: () => Promise<void>;
let left: MemoryStore;
let right: MemoryStore;

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
  [left, right] = await Promise.all([openStore({ uri: folder }), openStore({ uri: folder })]);
  await left.ensureDimension(DIMENSION, EMBEDDER);
  await right.ensureDimension(DIMENSION, EMBEDDER);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await left.close();
  await right.close();
  await remove();
});

const ids = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);
/** The two handles in turn. */
const handle = (index: number): MemoryStore => (index % 2 === 0 ? left : right);
const entryIds = async (): Promise<string[]> =>
  (await left.entries.list(ILSE, {})).items.map((entry) => entry.entryId).sort();

/** Work on a filled store, and what is there after it, in whatever order it was done. */
interface Mix {
  readonly fill?: () => Promise<unknown>;
  readonly work: () => readonly Promise<unknown>[];
  readonly found: () => Promise<unknown>;
  readonly expected: unknown;
}

const MIXES: { readonly [title: string]: Mix } = {
  "entries are added through two handles while both fold": {
    work: () => [
      ...ids("a", 12).map((entryId, index) => handle(index).entries.put(ILSE, [entryRow({ entryId })])),
      left.optimize(),
      right.optimize(),
    ],
    found: entryIds,
    expected: ids("a", 12).sort(),
  },
  "half of the entries are removed while the others are changed": {
    fill: () =>
      left.entries.put(
        ILSE,
        ids("e", 10).map((entryId) => entryRow({ entryId, topic: "old" })),
      ),
    work: () =>
      ids("e", 10).map((entryId, index) =>
        index < 5
          ? left.entries.remove(ILSE, [entryId])
          : right.entries.put(ILSE, [entryRow({ entryId, topic: "new" })]),
      ),
    found: async () => (await left.entries.list(ILSE, {})).items.map(({ topic }) => topic),
    expected: Array(5).fill("new"),
  },
  "one user's entries are all removed while another's are added": {
    fill: () =>
      left.entries.put(
        ILSE,
        ids("e", 10).map((entryId) => entryRow({ entryId })),
      ),
    work: () => [
      left.entries.removeAll(ILSE),
      ...ids("b", 6).map((entryId) => right.entries.put(BRAM, [entryRow({ entryId })])),
      left.optimize(),
    ],
    found: async () => [await entryIds(), (await right.entries.list(BRAM, {})).items.length],
    expected: [[], 6],
  },
  "turns are logged and forgotten": {
    fill: () =>
      left.turns.insert(
        ILSE,
        ids("d", 8).map((dialogueId) => turnOf({ dialogueId })),
      ),
    work: () => [
      ...ids("d", 8).map((dialogueId, index) => handle(index).turns.remove(ILSE, "s1", [dialogueId])),
      ...ids("n", 8).map((dialogueId, index) => handle(index + 1).turns.insert(ILSE, [turnOf({ dialogueId })])),
    ],
    found: async () => (await left.turns.list(ILSE, {})).map(({ dialogueId }) => dialogueId).sort(),
    expected: ids("n", 8).sort(),
  },
  "the same facts are written and removed by two": {
    fill: async () => {
      for (const key of ids("gone", 4)) await left.facts.put(ILSE, factOf({ key }));
    },
    work: () => [
      ...ids("kept", 4).flatMap((key) => [
        left.facts.put(ILSE, factOf({ key })),
        right.facts.put(ILSE, factOf({ key })),
      ]),
      ...ids("gone", 4).map((key, index) => handle(index).facts.remove(ILSE, "s1", key)),
    ],
    found: async () => (await right.facts.list(ILSE, { now: NOON })).map(({ key }) => key).sort(),
    expected: ids("kept", 4),
  },
  "chunks are written by two and removed by a third": {
    fill: () =>
      left.chunks.put(
        ILSE,
        ids("x", 4).map((dialogueId) => chunkRow(ILSE, { dialogueId })),
      ),
    work: () => [
      ...ids("c", 6).flatMap((dialogueId) => [
        left.chunks.put(ILSE, [chunkRow(ILSE, { dialogueId })]),
        right.chunks.put(ILSE, [chunkRow(ILSE, { dialogueId })]),
      ]),
      left.chunks.remove(ILSE, "s1", ids("x", 4)),
    ],
    found: async () =>
      (await left.chunks.byTurns(ILSE, "s1", [...ids("c", 6), ...ids("x", 4)]))
        .map(({ dialogueId }) => dialogueId)
        .sort(),
    expected: ids("c", 6),
  },
  "turns are pushed to the inbox and taken out again": {
    fill: () =>
      left.inbox.push(
        ILSE,
        ids("o", 6).map((dialogueId) => turnOf({ dialogueId })),
        ["extract"],
      ),
    work: () => [
      ...ids("i", 6).map((dialogueId, index) => handle(index).inbox.push(ILSE, [turnOf({ dialogueId })], ["extract"])),
      ...ids("o", 6).map((dialogueId, index) => handle(index + 1).inbox.done(ILSE, "extract", "s1", [dialogueId])),
    ],
    found: async () => (await left.inbox.pending(ILSE, "extract")).map(({ dialogueId }) => dialogueId).sort(),
    expected: ids("i", 6),
  },
  "windows are inserted twice and removed": {
    fill: () =>
      left.ledger.insert(
        ILSE,
        ids("o", 4).map((windowId) => windowOf({ windowId })),
      ),
    work: () => [
      ...ids("w", 6).flatMap((windowId) => [
        left.ledger.insert(ILSE, [windowOf({ windowId })]),
        right.ledger.insert(ILSE, [windowOf({ windowId })]),
      ]),
      left.ledger.remove(ILSE, ids("o", 4)),
    ],
    found: async () => (await right.ledger.list(ILSE)).map(({ windowId }) => windowId).sort(),
    expected: ids("w", 6),
  },
  "batches that overlap are put by two": {
    work: () => [
      left.entries.put(
        ILSE,
        ids("e", 8).map((entryId) => entryRow({ entryId })),
      ),
      right.entries.put(
        ILSE,
        ids("e", 8)
          .toReversed()
          .map((entryId) => entryRow({ entryId })),
      ),
      left.entries.put(
        ILSE,
        ids("e", 4).map((entryId) => entryRow({ entryId })),
      ),
    ],
    found: entryIds,
    expected: ids("e", 8),
  },
  "files are rewritten while rows are added and removed": {
    fill: () =>
      left.entries.put(
        ILSE,
        ids("e", 10).map((entryId) => entryRow({ entryId })),
      ),
    work: () => [
      left.scrub(),
      ...ids("n", 4).map((entryId) => right.entries.put(ILSE, [entryRow({ entryId })])),
      ...ids("e", 5).map((entryId) => right.entries.remove(ILSE, [entryId])),
    ],
    found: entryIds,
    expected: [...ids("e", 10).slice(5), ...ids("n", 4)].sort(),
  },
  "a third handle opens the folder meanwhile": {
    work: () => [
      ...ids("a", 8).map((entryId, index) => handle(index).entries.put(ILSE, [entryRow({ entryId })])),
      openStore({ uri: folder }).then((third) => third.close()),
      left.optimize(),
    ],
    found: entryIds,
    expected: ids("a", 8),
  },
  "readers look on while all of it changes": {
    fill: () =>
      left.entries.put(
        ILSE,
        ids("e", 6).map((entryId) => entryRow({ entryId })),
      ),
    work: () => [
      ...ids("e", 6).map((entryId) => left.entries.remove(ILSE, [entryId])),
      left.optimize(),
      ...Array.from({ length: 6 }, () => right.entries.nearest(ILSE, [1, 0, 0, 0], { limit: 5 })),
      ...Array.from({ length: 6 }, () => right.entries.matching(ILSE, "heron", { limit: 5, boosts: { words: 1 } })),
      ...Array.from({ length: 6 }, () => right.entries.list(ILSE, {})),
    ],
    found: entryIds,
    expected: [],
  },
};

describe("whatever runs at the same time, all settle, and the rows are those of one after another (R19)", () => {
  it.each(Object.entries(MIXES))("%s", async (_title, { fill, work, found, expected }) => {
    await fill?.();
    const settled = await Promise.allSettled(work());
    expect(settled.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []))).toEqual([]);
    expect(await found()).toEqual(expected);
  });
});
