import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MemoryEntry, SimpleMem, SimpleMemError } from "../../src/index.js";
import { FakeEmbeddings } from "../support/fakes.js";
import { temporaryFolder } from "../support/store.js";

type Memory = ReturnType<SimpleMem["scope"]>;

const CITIES = ["Graz", "Linz", "Wels"];
const ANY = ["active", "done", "superseded", "conflicted", "doubtful", "pending_review", "archived"] as const;

/** What may happen to a memory: `of` picks one of its entries, or a turn. */
type Step =
  | { readonly do: "say"; readonly city: string; readonly day: number; readonly isLeftWaiting: boolean }
  | { readonly do: "maintain"; readonly days: number }
  | { readonly do: "break off" }
  | { readonly do: "update"; readonly of: number; readonly city: string }
  | { readonly do: "restore"; readonly of: number; readonly version: number; readonly force: boolean }
  | {
      readonly do: "archive" | "pin" | "approve" | "reject" | "forget" | "forget entry" | "forget session";
      readonly of: number;
    };

const of = fc.nat(20);
const city = fc.constantFrom(...CITIES);
const say = fc.record({
  do: fc.constant("say" as const),
  city,
  day: fc.integer({ min: 1, max: 9 }),
  isLeftWaiting: fc.boolean(),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: say },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("update" as const), of, city }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("maintain" as const), days: fc.integer({ min: 1, max: 100 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("break off" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("restore" as const),
      of,
      version: fc.integer({ min: 1, max: 3 }),
      force: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("archive", "pin", "approve", "reject", "forget", "forget entry", "forget session"),
      of,
    }),
  },
);

async function every(memory: Memory): Promise<readonly MemoryEntry[]> {
  return (await memory.list({ status: ANY })).items;
}

async function correct(
  memory: Memory,
  next: Exclude<Step, { do: "say" | "maintain" | "break off" }>,
  { entryId, sourceIds, sessionId }: MemoryEntry,
) {
  switch (next.do) {
    case "update":
      return memory.update(entryId, { text: `Ilse lives in ${next.city}.` });
    case "restore":
      return memory.restore(entryId, next.version, { force: next.force });
    case "archive":
      return memory.update(entryId, { status: "archived" });
    case "pin":
      return memory.pin(entryId);
    case "approve":
      return memory.review.approve(entryId);
    case "reject":
      return memory.review.reject(entryId);
    case "forget":
      return memory.forget({ ids: sourceIds.slice(0, 1) });
    case "forget entry":
      return memory.forget({ ids: [entryId] });
    case "forget session":
      return memory.forget({ filter: { sessionId } });
  }
}

/** A store in a folder, whose clock is set by hand, and which may be let go without being closed. */
class World {
  #now = Date.parse("2025-04-01T12:00:00Z");
  #open: SimpleMem | undefined;

  constructor(private readonly folder: string) {}

  async memory(): Promise<Memory> {
    this.#open ??= await SimpleMem.open({
      uri: this.folder,
      window: { idleMs: 0 },
      embeddings: new FakeEmbeddings(16),
      clock: () => this.#now,
    });
    return this.#open.scope({ userId: "u-ilse" });
  }

  wait(days: number): void {
    this.#now += days * 86_400_000;
  }

  breakOff(): void {
    this.#open = undefined;
  }

  async close(): Promise<void> {
    await this.#open?.close({ flush: false });
  }
}

/** Does it; what is refused must be refused by a typed error, and change nothing. */
async function take(world: World, next: Step, index: number): Promise<void> {
  if (next.do === "break off") return world.breakOff();
  const memory = await world.memory();
  if (next.do === "maintain") {
    world.wait(next.days);
    expect((await memory.maintain()).failures).toEqual([]);
    return;
  }
  if (next.do === "say") {
    const timestamp = `2025-03-0${next.day}T10:00:00Z`;
    await memory.add({ id: `t${index}`, speaker: "Ilse", content: `I live in ${next.city}.`, timestamp });
    if (!next.isLeftWaiting) await memory.flush();
    return;
  }
  const before = await every(memory);
  const entry = before[next.of % Math.max(1, before.length)];
  if (entry === undefined) return;
  try {
    await correct(memory, next, entry);
  } catch (error) {
    if (!(error instanceof SimpleMemError)) throw error;
    expect(await every(memory)).toEqual(before);
  }
}

async function turnIds(memory: Memory): Promise<readonly string[]> {
  return (await memory.turns({ limit: 1000 })).map(({ dialogueId }) => dialogueId);
}

/** Ids of turns and entries that a step took away. */
async function takenAway(world: World, next: Step, index: number): Promise<readonly string[]> {
  if (!next.do.startsWith("forget")) {
    await take(world, next, index);
    return [];
  }
  const memory = await world.memory();
  const ids = async () => [...(await turnIds(memory)), ...(await every(memory)).map(({ entryId }) => entryId)];
  const before = await ids();
  await take(world, next, index);
  const after = new Set(await ids());
  return before.filter((id) => !after.has(id));
}

/** Nothing that was forgotten is found by any read, nor accepted again. */
async function checkGone(memory: Memory, gone: readonly string[]): Promise<void> {
  const found = await memory.search("Ilse lives in Graz, Linz and Wels", {
    k: 100,
    planning: "never",
    includeArchived: true,
  });
  const entries = await every(memory);
  const read = new Set([
    ...(await turnIds(memory)),
    ...entries.flatMap(({ entryId, sourceIds }) => [entryId, ...sourceIds]),
    ...found.hits.flatMap(({ id, sourceIds }) => [id, ...sourceIds]),
  ]);
  expect(gone.filter((id) => read.has(id))).toEqual([]);
  for (const id of gone.filter((one) => one.startsWith("t") && one.length < 4)) {
    expect(await memory.add({ id, speaker: "Ilse", content: "I live in Graz." })).toMatchObject({ refused: 1 });
  }
}

async function checkAll(memory: Memory): Promise<void> {
  const entries = await every(memory);
  const turns = new Set((await memory.turns({ limit: 1000 })).map(({ dialogueId }) => dialogueId));
  const active = entries.filter(({ status }) => status === "active");
  for (const entry of entries) expect(entry.sourceIds.some((id) => turns.has(id))).toBe(true);
  const texts = active.map(({ losslessRestatement }) => losslessRestatement.toLowerCase());
  expect(new Set(texts).size).toBe(texts.length);
  const { hits } = await memory.search("Where does Ilse live?", { k: 100, planning: "never" });
  const given = hits.flatMap(({ entry }) => (entry === undefined ? [] : [entry.status]));
  expect(given.filter((status) => !["active", "conflicted", "doubtful"].includes(status))).toEqual([]);
  for (const entry of entries) {
    const versions = await memory.history(entry.entryId);
    expect(versions.at(-1)?.entry).toEqual(entry);
    const named = versions.flatMap(({ turnIds, entry: { sourceIds } }) => [...turnIds, ...sourceIds]);
    expect(named.filter((id) => !turns.has(id))).toEqual([]);
  }
}

describe("whatever is said, corrected, restored, reviewed, forgotten, maintained and broken off", () => {
  it("no entry is without a source, none says the same as another, none that was retired is found, and nothing that was forgotten", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
        const { folder, remove } = await temporaryFolder();
        const world = new World(folder);
        const gone: string[] = [];
        for (const [index, next] of steps.entries()) gone.push(...(await takenAway(world, next, index)));
        const memory = await world.memory();
        await memory.flush();
        await checkAll(memory);
        await checkGone(memory, gone);
        await world.close();
        await remove();
      }),
      { numRuns: 12 },
    );
  }, 180_000);
});

describe("corrections of one entry by two that have the folder open", () => {
  it("are all kept, each with its version", async () => {
    const { folder, remove } = await temporaryFolder();
    const open = () => SimpleMem.open({ uri: folder, window: { idleMs: 0 }, embeddings: new FakeEmbeddings(16) });
    const [first, second] = [await open(), await open()];
    const [mine, theirs] = [first, second].map((simplemem) => simplemem.scope({ userId: "u-ilse" }));
    if (mine === undefined || theirs === undefined) throw new Error("there are two");
    await mine.add({ id: "t1", speaker: "Ilse", content: "I live in Graz." });
    await mine.flush();
    const [{ entryId } = { entryId: "" }] = (await mine.list()).items;
    await Promise.all([
      mine.update(entryId, { topic: "home" }),
      theirs.update(entryId, { importance: 1 }),
      mine.update(entryId, { metadata: { a: 1 } }),
      theirs.update(entryId, { metadata: { b: 2 } }),
      theirs.pin(entryId),
    ]);
    const expected = { topic: "home", importance: 1, metadata: { a: 1, b: 2 }, pinned: true };
    expect(await mine.get(entryId)).toMatchObject(expected);
    expect(await theirs.history(entryId)).toHaveLength(6);
    await first.close();
    await second.close();
    await remove();
  });
});
