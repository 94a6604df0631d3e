import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { MemoryEntry } from "../../src/records/index.js";
import { type Found, type MemoryStore, openStore } from "../../src/store/index.js";
import { BRAM, DIMENSION, EMBEDDER, entryRow, ILSE, temporaryFolder } from "../support/store.js";

const WORDS = { limit: 50, boosts: { words: 1, contextWords: 0.4, keywordWords: 0.6 } };
const NAMES = ["a", "b", "c", "d", "e", "f", "g"] as const;
const VOCABULARY = ["heron", "boat", "oar", "river", "mill"] as const;

type Step =
  | {
      readonly op: "put";
      readonly id: string;
      readonly words: readonly string[];
      readonly angle: number;
      readonly status: MemoryEntry["status"];
    }
  | { readonly op: "remove"; readonly id: string }
  | { readonly op: "fold" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      op: fc.constant("put" as const),
      id: fc.constantFrom(...NAMES),
      words: fc.array(fc.constantFrom(...VOCABULARY), { minLength: 1, maxLength: 6 }),
      angle: fc.double({ min: 0, max: 3, noNaN: true }),
      status: fc.constantFrom("active" as const, "superseded" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("remove" as const), id: fc.constantFrom(...NAMES) }) },
  { weight: 1, arbitrary: fc.constant({ op: "fold" as const }) },
);

function rowOf({ id, words, angle, status }: Extract<Step, { op: "put" }>) {
  return entryRow(
    { entryId: id, losslessRestatement: words.join(" "), status, sourceIds: [`said-${words[0]}`] },
    { vector: [Math.cos(angle), Math.sin(angle), 0, 0], words: words.join(" "), contextWords: `0:${words[0]}` },
  );
}

async function take(store: MemoryStore, one: Step): Promise<void> {
  if (one.op === "put") return store.entries.put(ILSE, [rowOf(one)]);
  if (one.op === "fold") await store.optimize();
  else await store.entries.remove(ILSE, [one.id]);
}

function names(found: readonly Found<MemoryEntry>[]) {
  return found.map(({ row, score }) => [row.entryId, score.toFixed(4)]);
}

async function seenBy(store: MemoryStore) {
  const filter = { status: ["active" as const] };
  return {
    nearest: names(await store.entries.nearest(ILSE, [1, 0, 0, 0], { limit: 50 })),
    nearestActive: names(await store.entries.nearest(ILSE, [0, 1, 0, 0], { limit: 2, filter })),
    matching: names(await store.entries.matching(ILSE, "heron boat", WORDS)).sort(),
    matchingActive: names(await store.entries.matching(ILSE, "river", { ...WORDS, filter })).sort(),
    standing: (await store.entries.bySources(ILSE, ["said-heron", "said-oar"])).map(({ entryId }) => entryId).sort(),
  };
}

/** Lets the tables look the same for so long that their looks alone tell whether anything was written. */
async function untouched(store: MemoryStore): Promise<void> {
  await seenBy(store);
  vi.advanceTimersByTime(6_000);
  await seenBy(store);
}

afterEach(() => void vi.useRealTimers());

describe("rows that are kept in memory", () => {
  it("find what a handle finds that has just been opened, whatever was written, removed and folded before", async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const { folder, remove } = await temporaryFolder();
      const store = await openStore({ uri: folder });
      await store.ensureDimension(DIMENSION, EMBEDDER);
      for (const one of steps) {
        await take(store, one);
        const fresh = await openStore({ uri: folder });
        expect(await seenBy(store)).toEqual(await seenBy(fresh));
        await fresh.close();
      }
      await store.close();
      await remove();
    });
    await fc.assert(property, { numRuns: 8 });
  });

  it("see at once what another handle wrote and removed, also after a long time without a write", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { folder, remove } = await temporaryFolder();
    const [here, there] = [await openStore({ uri: folder }), await openStore({ uri: folder })];
    await here.ensureDimension(DIMENSION, EMBEDDER);
    const put: Step = { op: "put", id: "a", words: ["heron"], angle: 0, status: "active" };
    await there.entries.put(ILSE, [rowOf(put)]);
    expect((await seenBy(here)).matching).toHaveLength(1);
    await untouched(here);
    await there.entries.put(ILSE, [rowOf({ ...put, id: "b" })]);
    expect((await seenBy(here)).matching).toHaveLength(2);
    await untouched(here);
    await there.entries.remove(ILSE, ["a"]);
    const { nearest, matching, standing } = await seenBy(here);
    expect([nearest.length, matching.length, standing]).toEqual([1, 1, ["b"]]);
    await Promise.all([here.close(), there.close(), remove()]);
  });

  it.each(["lately", "long ago"])("are forgotten when the tables are made anew, last written %s", async (when) => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { folder, remove } = await temporaryFolder();
    const [here, there] = [await openStore({ uri: folder }), await openStore({ uri: folder })];
    await here.ensureDimension(DIMENSION, EMBEDDER);
    const put: Step = { op: "put", id: "a", words: ["heron"], angle: 0, status: "active" };
    await here.entries.put(ILSE, [rowOf(put)]);
    expect((await seenBy(here)).matching).toHaveLength(1);
    if (when === "long ago") await untouched(here);
    await there.reset();
    await there.ensureDimension(DIMENSION, EMBEDDER);
    await there.entries.put(ILSE, [rowOf({ ...put, words: ["river"], angle: 1.5 })]);
    const fresh = await openStore({ uri: folder });
    expect(await seenBy(here)).toEqual(await seenBy(fresh));
    expect(await seenBy(here)).toMatchObject({ matching: [], standing: [] });
    await Promise.all([here.close(), there.close(), fresh.close(), remove()]);
  });

  it("are those of their scope only", async () => {
    const store = await openStore({ uri: "memory://" });
    await store.ensureDimension(DIMENSION, EMBEDDER);
    const put = rowOf({ op: "put", id: "a", words: ["heron"], angle: 0, status: "active" });
    await store.entries.put(ILSE, [put]);
    await store.entries.put(BRAM, [{ ...put, entry: { ...put.entry, entryId: "bram's" } }]);
    expect((await seenBy(store)).matching.map(([id]) => id)).toEqual(["a"]);
    expect(names(await store.entries.matching(BRAM, "heron", WORDS)).map(([id]) => id)).toEqual(["bram's"]);
    await store.close();
  });

  it("rank by BM25: a rare word tells more than one that all have, and a repeated one less each time", async () => {
    const store = await openStore({ uri: "memory://" });
    await store.ensureDimension(DIMENSION, EMBEDDER);
    const texts = {
      rare: ["boat", "mill"],
      often: ["boat", "boat", "boat"],
      once: ["boat", "oar"],
      none: ["river", "oar"],
    };
    await store.entries.put(
      ILSE,
      Object.entries(texts).map(([id, words]) => rowOf({ op: "put", id, words, angle: 1, status: "active" })),
    );
    const boosts = { words: 1 };
    const found = await store.entries.matching(ILSE, "boat mill", { limit: 10, boosts });
    expect(found.map(({ row }) => row.entryId)).toEqual(["rare", "often", "once"]);
    // 4 texts of 2.25 words on average: ln(1 + 1.5 / 3.5) for "boat", ln(1 + 3.5 / 1.5) for "mill".
    const share = (count: number, length: number) => (count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / 2.25));
    const [boat, mill] = [Math.log(1 + 1.5 / 3.5), Math.log(1 + 3.5 / 1.5)];
    expect(found[0]?.score).toBeCloseTo((boat + mill) * share(1, 2), 4);
    expect(found[1]?.score).toBeCloseTo(boat * share(3, 3), 4);
    await store.close();
  });
});
