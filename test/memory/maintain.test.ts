import { describe, expect, it, vi } from "vitest";
import type { MaintenanceAlert } from "../../src/index.js";
import { LanceStore } from "../../src/store/lance-store.js";
import { freshFolder } from "../support/folders.js";
import { DAY_MS, openMaintained, START } from "../support/maintained.js";

const HILLS = ["Ilse likes hiking in the hills", "Ilse enjoys hiking in the hills", "Ilse loves hiking in the hills"];

async function openWithHills() {
  const stage = await openMaintained();
  const turns: string[] = [];
  for (const text of HILLS) turns.push(await stage.say(text));
  await stage.memory.maintain();
  const [pattern] = (await stage.memory.list({ kind: "pattern" })).items;
  if (pattern === undefined) throw new Error("no pattern was made");
  return { ...stage, turns, pattern };
}

describe("decay", () => {
  it("archives what nobody mentioned or found for 90 days, and never what is pinned", async () => {
    const { memory, calendar, say, texts, idOf } = await openMaintained();
    await say("The blue bike has a flat tyre");
    await say("The spare key hangs in the shed");
    await memory.pin(await idOf("The spare key hangs in the shed"));
    calendar.pass(60);
    expect((await memory.maintain()).decay).toEqual({ fading: 1, archived: 0, revived: 0 });
    calendar.pass(31);
    expect((await memory.maintain()).decay).toEqual({ fading: 0, archived: 1, revived: 0 });
    expect(await texts()).toEqual(["The spare key hangs in the shed"]);
    expect(await texts("archived")).toEqual(["The blue bike has a flat tyre"]);
    const versions = await memory.history(await idOf("The blue bike has a flat tyre"));
    expect(versions.map(({ op, by }) => [op, by])).toEqual([
      ["extracted", "stage"],
      ["archived", "maintenance"],
    ]);
    expect((await memory.maintain()).decay.archived).toBe(0);
  });

  it("hides what is archived from a search, and gives it on request", async () => {
    const { memory, calendar, say } = await openMaintained();
    await say("The blue bike has a flat tyre");
    calendar.pass(91);
    await memory.maintain();
    const entriesOf = async (includeArchived: boolean) => {
      const { hits } = await memory.search("blue bike", { views: ["semantic", "lexical"], includeArchived });
      return hits.filter(({ kind }) => kind === "entry").length;
    };
    expect(await entriesOf(false)).toBe(0);
    expect(await entriesOf(true)).toBe(1);
  });

  it("gives twice the time to what is important, and to what was found three times", async () => {
    const { memory, calendar, say, texts } = await openMaintained();
    await say("Ilse must not eat walnuts", { importance: 0.9 });
    await say("The code of the gate is 4417");
    await say("The blue bike has a flat tyre");
    for (let time = 0; time < 3; time += 1) await memory.search("code of the gate 4417", { k: 1, views: ["lexical"] });
    calendar.pass(91);
    await memory.maintain();
    expect([...(await texts())].sort()).toEqual(["Ilse must not eat walnuts", "The code of the gate is 4417"]);
    calendar.pass(90);
    expect((await memory.maintain()).decay.archived).toBe(2);
  });

  it("counts from the day of storing when an old chat is taken in", async () => {
    const { memory, calendar, texts } = await openMaintained();
    await memory.add({ speaker: "Ilse", content: "Bram sold the boat", timestamp: "2019-05-01T10:00:00Z" });
    await memory.flush();
    calendar.pass(10);
    await memory.maintain();
    expect(await texts()).toEqual(["Bram sold the boat"]);
  });

  it("brings back what is found often though it was archived, but not when something newer says the same", async () => {
    const { memory, calendar, say, texts } = await openMaintained();
    await say("The code of the gate is 4417");
    await say("The blue bike has a flat tyre");
    calendar.pass(91);
    await memory.maintain();
    await say("The blue bike has a flat tyre");
    const archived = { includeArchived: true, views: ["lexical" as const], filter: { status: "archived" as const } };
    for (const query of ["code of the gate 4417", "blue bike flat tyre"])
      for (let time = 0; time < 3; time += 1) await memory.search(query, { k: 1, ...archived });
    const report = await memory.maintain();
    expect(report.decay.revived).toBe(1);
    expect([...(await texts())].sort()).toEqual(["The blue bike has a flat tyre", "The code of the gate is 4417"]);
    expect(await texts("archived")).toEqual(["The blue bike has a flat tyre"]);
  });
});

describe("accesses", () => {
  it("are counted in memory and written by a run, without a version", async () => {
    const { memory, say, idOf } = await openMaintained();
    await say("The code of the gate is 4417");
    const id = await idOf("The code of the gate is 4417");
    for (let time = 0; time < 4; time += 1) await memory.search("code of the gate", { k: 1, views: ["lexical"] });
    expect((await memory.get(id))?.accessCount).toBe(0);
    expect((await memory.maintain()).accesses).toBe(1);
    expect(await memory.get(id)).toMatchObject({ accessCount: 4, lastAccessedAt: new Date(START).toISOString() });
    expect(await memory.history(id)).toHaveLength(1);
  });

  it("are written at close, and never by a read-only engine", async () => {
    const uri = freshFolder();
    const first = await openMaintained({ uri });
    await first.say("The code of the gate is 4417");
    await first.memory.search("code of the gate", { views: ["lexical"] });
    await first.simplemem.close();
    const second = await openMaintained({ uri, readOnly: true });
    await second.memory.search("code of the gate", { views: ["lexical"] });
    await second.simplemem.close();
    const third = await openMaintained({ uri });
    expect((await third.memory.list()).items.map(({ accessCount }) => accessCount)).toEqual([1]);
    await third.simplemem.close();
  });
});

describe("expiry", () => {
  it("puts away entries whose time is over, with a version, and removes such facts", async () => {
    const { memory, calendar, say, texts, idOf } = await openMaintained();
    await say("The ticket is valid this week");
    const id = await idOf("The ticket is valid this week");
    await memory.update(id, { expiresAt: new Date(START + 7 * DAY_MS).toISOString() });
    await memory.facts.remember("parking", "row 4", { expiresAt: new Date(START + DAY_MS).toISOString() });
    await memory.facts.remember("home", "Graz");
    calendar.pass(8);
    expect((await memory.maintain()).expired).toEqual({ entries: 1, facts: 1 });
    expect(await texts("archived")).toEqual(["The ticket is valid this week"]);
    expect((await memory.history(id)).at(-1)).toMatchObject({ op: "expired", by: "maintenance" });
    expect((await memory.stats()).facts).toBe(1);
  });
});

describe("duplicates that two processes left", () => {
  it("are joined: the later words stay with the proof of both, the others become history of them", async () => {
    const { memory, calendar, say, texts, idOf } = await openMaintained();
    await say("The heron nests in the mill");
    calendar.pass(1);
    await say("the heron nests in the mill.");
    expect((await memory.maintain()).duplicates).toEqual({ joined: 1 });
    expect(await texts()).toEqual(["the heron nests in the mill."]);
    const kept = await memory.get(await idOf("the heron nests in the mill."));
    expect(kept?.sourceIds).toEqual(["t2", "t1"]);
    const gone = await memory.get(await idOf("The heron nests in the mill"));
    expect(gone).toMatchObject({ status: "superseded", supersededBy: kept?.entryId });
    expect((await memory.maintain()).duplicates).toEqual({ joined: 0 });
  });

  it.each([
    ["a number", "The code of the gate is 4417", "The code of the gate is 4418"],
    ["a name", "Maren keeps the key", "Bram keeps the key"],
    ["a negation", "Ilse eats fish", "Ilse does not eat fish"],
    ["a condition", "Ilse swims in the lake", "Ilse swims in the lake if the sun shines"],
    ["a date", "The fair opens on 2025-03-01", "The fair opens on 2025-03-02"],
  ])("R10: similarity alone joins and sums up nothing: %s differs", async (_title, ...pair) => {
    const { memory, say, texts } = await openMaintained({ maintenance: { minParts: 2 } });
    for (const text of pair) await say(text);
    const { duplicates, clusters } = await memory.maintain();
    expect({ ...duplicates, made: clusters.made }).toEqual({ joined: 0, made: 0 });
    expect([...(await texts())].sort()).toEqual([...pair].sort());
  });
});

describe("a pattern", () => {
  it("holds the words and the proof of its parts, which are archived under it", async () => {
    const { memory, texts, turns, pattern } = await openWithHills();
    expect(await texts()).toEqual([pattern.losslessRestatement]);
    for (const text of HILLS) expect(pattern.losslessRestatement).toContain(text);
    expect([...pattern.sourceIds].sort()).toEqual([...turns].sort());
    expect([...(await texts("archived"))].sort()).toEqual([...HILLS].sort());
    expect((await memory.why(pattern.entryId)).sources.map(({ dialogueId }) => dialogueId)).toEqual(turns);
  });

  it("is taken apart again, and stays apart", async () => {
    const { memory, texts, pattern } = await openWithHills();
    const parts = await memory.maintenance.expand(pattern.entryId, { reason: "three things" });
    expect(parts).toHaveLength(3);
    expect([...(await texts())].sort()).toEqual([...HILLS].sort());
    expect(await memory.get(pattern.entryId)).toBeNull();
    expect((await memory.maintain()).clusters.made).toBe(0);
    await expect(memory.maintenance.expand(parts[0]?.entryId ?? "")).rejects.toThrow(/no pattern/);
  });

  it("stays as an entry of its own when it was corrected before it is taken apart", async () => {
    const { memory, texts, pattern } = await openWithHills();
    await memory.update(pattern.entryId, { text: "Ilse hikes in the hills on Sundays" });
    await memory.maintenance.expand(pattern.entryId);
    expect([...(await texts())].sort()).toEqual(["Ilse hikes in the hills on Sundays", ...HILLS].sort());
  });

  it("R47: goes with a part that is forgotten; the other parts are active again", async () => {
    const { memory, texts, turns, pattern } = await openWithHills();
    await memory.forget({ ids: [turns[0] ?? ""] });
    expect(await memory.get(pattern.entryId)).toBeNull();
    expect([...(await texts())].sort()).toEqual(HILLS.slice(1).sort());
  });

  it("grows: a pattern and what is said later become one of a higher level", async () => {
    const { memory, say, texts } = await openWithHills();
    await say("Ilse adores hiking in the hills");
    await say("Ilse cherishes hiking in the hills");
    expect((await memory.maintain()).clusters).toMatchObject({ made: 1, parts: 3 });
    expect(await texts()).toHaveLength(1);
  });
});

describe("a report", () => {
  it("is plain JSON, stored, and read again, newest first", async () => {
    const { simplemem, memory, say } = await openMaintained();
    await say("The heron nests in the mill");
    const report = await memory.maintain();
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    expect(await memory.maintenance.reports()).toEqual([report]);
    expect(JSON.stringify(report)).not.toContain("heron");
    const all = await simplemem.maintain();
    expect(all).toMatchObject({ scope: null, scopes: 1, failures: [], alerts: [] });
    expect(await simplemem.maintenance.reports()).toEqual([all]);
    expect((await memory.maintenance.reports({ limit: 1 }))[0]?.runId).not.toBe(report.runId);
    expect(await simplemem.scope({ userId: "u-bram" }).maintenance.reports()).toEqual([]);
  });

  it("goes with the scope when everything is forgotten", async () => {
    const { memory, say } = await openMaintained();
    await say("The heron nests in the mill");
    await memory.maintain({ upkeep: false });
    await memory.forget({ all: true });
    expect(await memory.maintenance.reports()).toEqual([]);
  });

  it("tells a step that failed, while the others went on, and who listens hears of it", async () => {
    const told: MaintenanceAlert[] = [];
    const { memory, calendar, say, texts } = await openMaintained({
      maintenance: { onAlert: (alert) => told.push(alert) },
    });
    await say("The blue bike has a flat tyre");
    calendar.pass(91);
    const broken = vi.spyOn(LanceStore.prototype, "optimize").mockRejectedValue(new Error("no space left"));
    const report = await memory.maintain();
    broken.mockRestore();
    expect(report.failures).toEqual([{ step: "compact", error: "Error: no space left" }]);
    expect(report.upkeep).toBeNull();
    expect(told).toEqual([{ kind: "failed", message: "the step compact failed: Error: no space left" }]);
    expect(report.alerts).toEqual(told);
    expect(await texts("archived")).toHaveLength(1);
  });

  it("says so when a run changes far less than runs usually do", async () => {
    const { memory, calendar } = await openMaintained();
    for (let run = 0; run < 4; run += 1) {
      const turns = Array.from({ length: 12 }, () => ({ speaker: "Ilse", content: "The heron nests in the mill" }));
      await memory.add(turns);
      await memory.flush();
      calendar.pass(1);
      expect((await memory.maintain({ upkeep: false })).alerts).toEqual([]);
    }
    expect((await memory.maintain({ upkeep: false })).alerts).toEqual([]);
    calendar.pass(1);
    expect((await memory.maintain({ upkeep: false })).alerts).toMatchObject([{ kind: "idle" }]);
  });
});
