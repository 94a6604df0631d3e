import { describe, expect, it, onTestFinished } from "vitest";
import { SimpleMem, type SimpleMemOptions, type TimelineItem, type TimelineOptions } from "../../src/index.js";
import { FakeEmbeddings, fact, reply, ScriptedModel } from "../support/fakes.js";

const NOW = Date.parse("2026-05-01T12:00:00Z");

/** What happened with a customer, told out of order and in three sessions, with another customer between. */
const TOLD = [
  ["s2", "2025-04-02", "Kite & Sons sent the pump back.", "2025-04-01", ["Mara"], ["Kite & Sons", "pump"], "returns"],
  ["s1", "2025-03-03", "Kite & Sons ordered a pump.", "2025-03-03", ["Mara"], ["Kite & Sons", "pump"], "orders"],
  ["s1", "2025-03-04", "Holm ordered a valve.", "2025-03-04", ["Jon"], ["Holm", "valve"], "orders"],
  ["s3", "2025-05-06", "Kite & Sons got their money back.", "2025-05-05", ["Ilse"], ["Kite & Sons"], "returns"],
  ["s2", "2025-04-03", "Kite & Sons wrote a complaint.", "2025-04-03", ["Mara"], ["Kite & Sons"], "returns"],
] as const;

async function filled(options: Partial<SimpleMemOptions> = {}) {
  const replies = TOLD.map(([, , text, day, persons, entities, topic]) =>
    reply(fact(text, { persons, entities, topic, timestamp: `${day}T00:00:00Z`, kind: "event" })),
  );
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    window: { idleMs: 0 },
    embeddings: new FakeEmbeddings(32),
    clock: () => NOW,
    llms: { extract: new ScriptedModel(replies) },
    ...options,
  });
  onTestFinished(() => simplemem.close({ flush: false }));
  const memory = simplemem.scope({ userId: "u-ilse" });
  for (const [index, [sessionId, day, content, happened, persons]] of TOLD.entries()) {
    const words = `${persons[0]} says on ${happened}: ${content} Topic: ${TOLD[index]?.[6]}.`;
    await memory.add({ id: `t${index}`, speaker: "Ilse", content: words, sessionId, timestamp: `${day}T10:00:00Z` });
    expect(await memory.flush()).toMatchObject({ failures: [], rejections: [] });
  }
  return { simplemem, memory };
}

function textsOf(items: readonly TimelineItem[]): string[] {
  return items.map(({ entry }) => entry.losslessRestatement);
}

const CHAIN = [
  "Kite & Sons ordered a pump.",
  "Kite & Sons sent the pump back.",
  "Kite & Sons wrote a complaint.",
  "Kite & Sons got their money back.",
];

describe("timeline", () => {
  it("gives what happened with a thing in the order of events, and why each is linked with the next", async () => {
    const { memory } = await filled();
    const { items, cursor } = await memory.timeline({ entity: "kite & sons" });
    expect(textsOf(items)).toEqual(CHAIN);
    expect(cursor).toBeUndefined();
    expect(items.map(({ at }) => at.slice(0, 10))).toEqual(["2025-03-03", "2025-04-01", "2025-04-03", "2025-05-05"]);
    expect(items.map(({ link }) => link)).toEqual([
      { persons: ["Mara"], entities: ["Kite & Sons", "pump"], topic: null, sessionId: null, supersedes: false },
      { persons: ["Mara"], entities: ["Kite & Sons"], topic: "returns", sessionId: "s2", supersedes: false },
      { persons: [], entities: ["Kite & Sons"], topic: "returns", sessionId: null, supersedes: false },
      null,
    ]);
    expect(JSON.parse(JSON.stringify(items))).toEqual(items);
  });

  const NARROWED: readonly [string, TimelineOptions, readonly string[]][] = [
    ["a person", { person: "mara" }, CHAIN.slice(0, 3)],
    ["a topic", { topic: "Returns" }, CHAIN.slice(1)],
    ["all that is given", { person: "Mara", topic: "returns" }, CHAIN.slice(1, 3)],
    ["from a time on, inclusive", { entity: "Kite & Sons", after: "2025-04-03" }, CHAIN.slice(2)],
    ["until a day, inclusive", { entity: "Kite & Sons", before: "2025-04-01" }, CHAIN.slice(0, 2)],
    ["a filter besides", { entity: "Kite & Sons", filter: { entities: ["pump"] } }, CHAIN.slice(0, 2)],
    ["one session", { entity: "Kite & Sons", filter: { sessionId: "s2" } }, CHAIN.slice(1, 3)],
    ["the newest first", { entity: "Kite & Sons", order: "newest" }, [...CHAIN].reverse()],
    ["nothing of an unknown name", { person: "Nobody" }, []],
  ];

  it("takes a person, a thing, a topic, times, an order and a filter, all of which must hold", async () => {
    const { memory } = await filled();
    for (const [title, options, expected] of NARROWED) {
      const { items } = await memory.timeline(options);
      expect.soft([title, textsOf(items)]).toEqual([title, expected]);
    }
  });

  it("R34: pages to the end, and links the last of a page with the first of the next", async () => {
    const { memory } = await filled();
    const whole = (await memory.timeline({ entity: "Kite & Sons" })).items;
    for (const order of ["oldest", "newest"] as const) {
      const paged: TimelineItem[] = [];
      let cursor: string | undefined;
      do {
        const next = cursor === undefined ? {} : { cursor };
        const page = await memory.timeline({ entity: "Kite & Sons", limit: 3, order, ...next });
        paged.push(...page.items);
        cursor = page.cursor;
      } while (cursor !== undefined);
      if (order === "oldest") expect(paged).toEqual(whole);
      expect(textsOf(paged)).toEqual(order === "oldest" ? CHAIN : [...CHAIN].reverse());
      expect(paged.filter(({ link }) => link === null)).toHaveLength(1);
    }
  });

  it("shows what was carried out, and what was put away, superseded or has expired only on request", async () => {
    const { memory } = await filled();
    const ids = (await memory.timeline({ entity: "Kite & Sons" })).items.map(({ entry }) => entry.entryId);
    const [ordered = "", sent = "", wrote = ""] = ids;
    await memory.update(ordered, { status: "done" });
    await memory.update(sent, { status: "archived" });
    await memory.update(wrote, { expiresAt: "2026-04-01" });
    const about = { entity: "Kite & Sons" };
    expect(textsOf((await memory.timeline(about)).items)).toEqual([CHAIN[0], CHAIN[3]]);
    expect(textsOf((await memory.timeline({ ...about, includeArchived: true })).items)).toEqual(CHAIN);
    expect(textsOf((await memory.timeline({ ...about, filter: { status: "archived" } })).items)).toEqual([CHAIN[1]]);
  });

  it("stays within its scope, and refuses a request without a subject", async () => {
    const { simplemem, memory } = await filled();
    const other = simplemem.scope({ userId: "u-bram" });
    expect((await other.timeline({ entity: "Kite & Sons" })).items).toEqual([]);
    for (const options of [{}, { after: "2025-01-01" }, { person: " " }, { person: "Mara", limit: 0 }]) {
      await expect(memory.timeline(options)).rejects.toMatchObject({ name: "InvalidInputError" });
    }
  });
});
