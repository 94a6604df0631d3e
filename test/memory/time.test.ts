import { describe, expect, it } from "vitest";
import { type MemoryEntry, SimpleMem, type SimpleMemOptions, type TurnInput } from "../../src/index.js";
import { openedAt } from "../support/clocked.js";
import { fact, reply, ScriptedModel } from "../support/fakes.js";

const START = Date.parse("2026-05-01T12:00:00Z");
const DAY = 86_400_000;

type Memory = ReturnType<SimpleMem["scope"]>;

function opened(options: Partial<SimpleMemOptions> = {}) {
  return openedAt(START, options);
}

async function said(memory: Memory, id: string, content: string, day: string, more: Partial<TurnInput> = {}) {
  await memory.add({ id, speaker: "Ilse", content, timestamp: `${day}T10:00:00Z`, ...more });
  const report = await memory.flush();
  expect(report.failures).toEqual([]);
}

async function entryOf(memory: Memory, turnId: string): Promise<MemoryEntry> {
  const every = ["active", "superseded", "conflicted", "archived", "done", "doubtful", "pending_review"] as const;
  const { items } = await memory.list({ status: every });
  const entry = items.find(({ sourceIds }) => sourceIds[0] === turnId);
  if (entry === undefined) throw new Error(`nothing was made of ${turnId}`);
  return entry;
}

async function texts(memory: Memory, query: string, options: Parameters<Memory["search"]>[1] = {}) {
  return (await memory.search(query, { planning: "never", ...options })).hits.map(({ text }) => text);
}

/** Ilse lives in Dunmore from January, says in March that she moved to Porthaven, all stored in May of the year after. */
async function moved(memory: Memory) {
  await said(memory, "t1", "I live in Dunmore.", "2025-01-10");
  await said(memory, "t2", "I live in Porthaven now.", "2025-03-10");
}

describe("asOf", () => {
  it("R49: gives what was superseded later in its words and status of then, and not what took its place", async () => {
    const { memory } = await opened();
    await moved(memory);
    const { hits } = await memory.search("Where does Ilse live?", { asOf: "2025-02-01" });
    expect(hits.map(({ text }) => text).join("\n")).toMatch(/Dunmore/);
    expect(hits.map(({ text }) => text).join("\n")).not.toMatch(/Porthaven/);
    expect(hits.find(({ kind }) => kind === "entry")?.entry).toMatchObject({
      status: "active",
      validTo: null,
      supersededBy: null,
    });
    expect((await memory.ask("Where does Ilse live?", { asOf: "2025-02-01" })).answer).toMatch(/Dunmore/);
    expect((await memory.ask("Where does Ilse live?", { asOf: "2025-03-10T10:00:00Z" })).answer).toMatch(/Porthaven/);
    expect((await memory.ask("Where does Ilse live?")).answer).toMatch(/Porthaven/);
  });

  it("believes the old until the new was said, also where the new holds since before that", async () => {
    const late = fact("Ilse lives in Porthaven.", { persons: ["Ilse"], timestamp: "2025-02-01T00:00:00Z" });
    const model = new ScriptedModel([reply(fact("Ilse lives in Dunmore.", { persons: ["Ilse"] })), reply(late)]);
    const { memory } = await opened({ llms: { extract: model } });
    await said(memory, "t1", "I live in Dunmore.", "2025-01-10");
    await said(memory, "t2", "I have lived in Porthaven since 1 February 2025.", "2025-03-10");
    const then = await texts(memory, "Where does Ilse live?", { asOf: "2025-02-20", views: ["semantic", "lexical"] });
    expect(then).toEqual(["Ilse lives in Dunmore."]);
    const valid = await texts(memory, "Where does Ilse live?", { filter: { validAt: "2025-02-20" } });
    expect(valid).toEqual(["Ilse lives in Porthaven."]);
  });

  it("believes older words that came in later from when they were said until the newer ones were", async () => {
    const { memory } = await opened();
    await said(memory, "t2", "I live in Porthaven now.", "2025-03-10");
    await said(memory, "t1", "I live in Dunmore.", "2025-01-10");
    expect(await entryOf(memory, "t1")).toMatchObject({ status: "superseded" });
    expect((await texts(memory, "Where does Ilse live?", { asOf: "2025-02-01" })).join()).toMatch(/Dunmore/);
    const later = await texts(memory, "Where does Ilse live?", { asOf: "2025-04-01", views: ["semantic", "lexical"] });
    expect(later.join()).toMatch(/Porthaven/);
    expect(later.join()).not.toMatch(/Dunmore/);
  });

  it("shows an entry that was corrected since with the text that it had", async () => {
    const { memory, time } = await opened();
    await said(memory, "t1", "I keep bees in Graz.", "2025-01-10");
    const { entryId } = await entryOf(memory, "t1");
    time.now += DAY;
    await memory.update(entryId, { text: "Ilse keeps hens in Linz.", status: "done" });
    const before = new Date(time.now - 1).toISOString();
    const find = async (asOf: string) => (await memory.search("Where are Ilse's bees?", { asOf })).hits[0]?.entry;
    expect((await find(before))?.losslessRestatement).toMatch(/bees in Graz/);
    expect((await find(before))?.status).toBe("active");
    expect((await memory.search("hens", { asOf: before, views: ["lexical"] })).hits[0]?.text).toMatch(/bees in Graz/);
    expect(await find(new Date(time.now).toISOString())).toBeUndefined();
    expect((await memory.list({ asOf: before })).items).toMatchObject([{ entryId, status: "active" }]);
    expect((await memory.list()).items).toEqual([]);
  });

  it("sees no turn that was said later, also where a filter has a later end", async () => {
    const { memory } = await opened();
    await memory.add({ id: "t1", speaker: "Ilse", content: "The heron is back.", timestamp: "2025-01-10T10:00:00Z" });
    await memory.add({ id: "t2", speaker: "Ilse", content: "The heron left.", timestamp: "2025-03-10T10:00:00Z" });
    const ids = async (asOf: string) =>
      (await memory.search("heron", { asOf, filter: { before: "2026-01-01" } })).hits.map(({ id }) => id).sort();
    expect(await ids("2025-01-10T09:59:59.999Z")).toEqual([]);
    expect(await ids("2025-01-10T10:00:00Z")).toEqual(["t1"]);
    expect(await ids("2025-04-01")).toEqual(["t1", "t2"]);
  });

  it("gives facts the value that they had, and none that was remembered later", async () => {
    const { memory, time } = await opened();
    const at = () => new Date(time.now).toISOString();
    const before = new Date(time.now - 1).toISOString();
    await memory.facts.remember("parking spot", "B12", { expiresAt: new Date(time.now + DAY).toISOString() });
    const first = at();
    time.now += DAY / 2;
    await memory.facts.remember("parking spot", "C7");
    const find = (asOf?: string) => texts(memory, "parking spot", asOf === undefined ? {} : { asOf });
    expect(await find(before)).toEqual([]);
    expect(await find(first)).toEqual(["parking spot: B12"]);
    expect(await find(at())).toEqual(["parking spot: C7"]);
    expect(await find()).toEqual(["parking spot: C7"]);
  });

  it("judges the status by what it was: what waited for a review then is not given", async () => {
    const { memory, time } = await opened({ review: { hold: true, untrusted: ["assistant"] } });
    await said(memory, "t1", "Ilse keeps a greyhound called Rill.", "2026-04-30", { role: "assistant", speaker: "A" });
    const { entryId } = await entryOf(memory, "t1");
    time.now += DAY;
    await memory.review.approve(entryId);
    const find = (asOf: number) =>
      texts(memory, "greyhound", { asOf: new Date(asOf).toISOString(), views: ["lexical"] });
    expect(await find(time.now - 1)).toEqual([]);
    expect(await find(time.now)).toHaveLength(1);
    const waiting = { asOf: new Date(START).toISOString(), status: "pending_review" } as const;
    expect((await memory.list(waiting)).items.map((entry) => entry.entryId)).toEqual([entryId]);
  });

  it("does not bring back what was forgotten", async () => {
    const { memory } = await opened();
    await moved(memory);
    const { entryId } = await entryOf(memory, "t1");
    await memory.forget({ ids: [entryId] });
    expect((await texts(memory, "Where does Ilse live?", { asOf: "2025-02-01" })).join()).not.toMatch(/Dunmore/);
  });

  it("R34: lists pages that are full, whatever is left out between their rows", async () => {
    const { memory } = await opened({ window: { idleMs: 0, size: 40 } });
    const months = ["2025-01-10T10:00:00Z", "2025-06-10T10:00:00Z"];
    const turns = Array.from({ length: 30 }, (_, index) => ({
      id: `t${index}`,
      speaker: "Ilse",
      content: `The shed number ${index} holds ${index + 3} bicycles.`,
      timestamp: months[index % 2] ?? "",
    }));
    await memory.add(turns);
    await memory.flush();
    const everything = (await memory.list({ asOf: "2025-02-01" })).items.map(({ entryId }) => entryId);
    expect(everything).toHaveLength(15);
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await memory.list({ asOf: "2025-02-01", limit: 4, ...(cursor === undefined ? {} : { cursor }) });
      if (page.cursor !== undefined) expect(page.items).toHaveLength(4);
      paged.push(...page.items.map(({ entryId }) => entryId));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(paged).toEqual(everything);
  });
});

describe("validity", () => {
  it("ends when what replaced it began, and validAt finds what was true at a time", async () => {
    const { memory } = await opened();
    await moved(memory);
    const [old, now] = [await entryOf(memory, "t1"), await entryOf(memory, "t2")];
    expect(old).toMatchObject({ validFrom: "2025-01-10T10:00:00.000Z", validTo: "2025-03-10T10:00:00.000Z" });
    expect(now).toMatchObject({ validFrom: "2025-03-10T10:00:00.000Z", validTo: null });
    const at = async (validAt: string) =>
      (await memory.search("Where does Ilse live?", { filter: { validAt } })).hits.map(({ id }) => id);
    expect(await at("2025-01-01")).toEqual([]);
    expect(await at("2025-02-01")).toEqual([old.entryId]);
    expect(await at("2025-03-10T10:00:00Z")).toEqual([now.entryId]);
    const { hits } = await memory.search("Where does Ilse live?", { filter: { validAt: "2025-02-01" } });
    expect(hits[0]?.features).not.toHaveProperty("retired");
  });

  it("of a statement that is dated later begins with that date", async () => {
    const { memory } = await opened({
      llms: {
        extract: new ScriptedModel([
          reply(fact("Ilse keeps bees.", { persons: ["Ilse"] })),
          reply(fact("Ilse keeps bees since 2019.", { persons: ["Ilse"], timestamp: "2019-01-01T00:00:00Z" })),
        ]),
      },
    });
    await said(memory, "t1", "I keep bees.", "2025-01-10");
    await said(memory, "t2", "I keep bees since 2019.", "2025-01-11");
    const entry = await entryOf(memory, "t1");
    expect(entry.losslessRestatement).toBe("Ilse keeps bees since 2019.");
    expect(entry.validFrom).toBe("2019-01-01T00:00:00.000Z");
  });
});

describe("expiry", () => {
  it("leaves an entry out of every read from the moment on, and asOf judges by its own time", async () => {
    const { memory, time } = await opened();
    await said(memory, "t1", "I park at the mill.", "2026-04-30");
    const { entryId } = await entryOf(memory, "t1");
    const updated = await memory.update(entryId, { expiresAt: "2026-05-03T00:00:00Z" });
    expect(updated.expiresAt).toBe("2026-05-03T00:00:00.000Z");
    time.now = Date.parse("2026-05-02T23:59:59.999Z");
    expect((await memory.search("Where does Ilse park?")).hits[0]?.id).toBe(entryId);
    time.now += 1;
    expect((await memory.search("Where does Ilse park?")).hits).toEqual([]);
    expect((await memory.ask("Where does Ilse park?")).abstained).toBe(true);
    expect(await memory.context("Where does Ilse park?")).toBe("");
    expect((await memory.list()).items).toEqual([]);
    const past = { asOf: "2026-05-02T00:00:00Z" };
    expect((await memory.search("Where does Ilse park?", past)).hits[0]?.id).toBe(entryId);
    expect((await memory.list(past)).items).toHaveLength(1);
    expect((await memory.search("Where does Ilse park?", { asOf: "2026-05-03T00:00:00Z" })).hits).toEqual([]);
    expect((await memory.search("Where does Ilse park?", { includeArchived: true })).hits[0]?.id).toBe(entryId);
    expect(await memory.get(entryId)).toMatchObject({ status: "active" });
    await memory.update(entryId, { expiresAt: null });
    expect((await memory.search("Where does Ilse park?")).hits[0]?.id).toBe(entryId);
  });

  it("R34: what has expired takes no place of what has not", async () => {
    const { memory, time } = await opened({ expireAfterDays: { event: 1 } });
    const turns = Array.from({ length: 60 }, (_, index) => ({
      id: `t${index}`,
      speaker: "Ilse",
      content: `The heron at the mill, sighting ${index}.`,
      timestamp: new Date(START).toISOString(),
    }));
    await memory.add(turns);
    await memory.flush();
    const { items } = await memory.list();
    for (const { entryId } of items.slice(0, 55)) await memory.update(entryId, { expiresAt: "2026-05-01T13:00:00Z" });
    time.now += DAY / 2;
    const { hits } = await memory.search("heron mill sighting", { k: 5 });
    expect(hits).toHaveLength(5);
    const left = new Set(items.slice(55).map(({ entryId }) => entryId));
    for (const hit of hits) expect(left).toContain(hit.id);
  });

  it("comes by itself after the days of its kind, counted from the event where that is later", async () => {
    const model = new ScriptedModel([
      reply(
        fact("Ilse plans to paint the shed.", { persons: ["Ilse"], kind: "plan" }),
        fact("Ilse plans to meet Ane on 2026-06-01.", {
          persons: ["Ilse", "Ane"],
          kind: "plan",
          timestamp: "2026-06-01T00:00:00Z",
        }),
        fact("Ilse keeps bees.", { persons: ["Ilse"], kind: "fact" }),
      ),
    ]);
    const { memory } = await opened({ llms: { extract: model }, expireAfterDays: { plan: 10 } });
    const content = "I plan to paint the shed, and to meet Ane on 2026-06-01. I keep bees.";
    await said(memory, "t1", content, "2026-04-30");
    const ends = new Map((await memory.list()).items.map((one) => [one.losslessRestatement, one.expiresAt]));
    expect(ends.get("Ilse plans to paint the shed.")).toBe("2026-05-10T10:00:00.000Z");
    expect(ends.get("Ilse plans to meet Ane on 2026-06-01.")).toBe("2026-06-11T00:00:00.000Z");
    expect(ends.get("Ilse keeps bees.")).toBeNull();
  });

  it("does not swallow what is said again after it", async () => {
    const { memory, time } = await opened();
    await said(memory, "t1", "I park at the mill.", "2026-04-30");
    const { entryId } = await entryOf(memory, "t1");
    await memory.update(entryId, { expiresAt: "2026-05-03T00:00:00Z" });
    time.now += 10 * DAY;
    await said(memory, "t2", "I park at the mill.", "2026-05-10");
    expect((await memory.search("Where does Ilse park?")).hits[0]?.text).toMatch(/park/);
    expect((await memory.list()).items).toMatchObject([{ entryId, expiresAt: null }]);
  });

  it.each([{ plan: 0 }, { plan: -1 }, { gossip: 3 }])("refuses the days %j", async (expireAfterDays) => {
    const options: SimpleMemOptions = { uri: "memory://", expireAfterDays };
    await expect(SimpleMem.open(options)).rejects.toMatchObject({ name: "InvalidInputError" });
  });
});
