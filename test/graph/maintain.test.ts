import { afterEach, describe, expect, it, vi } from "vitest";
import type { Cluster } from "../../src/index.js";
import { LanceEntryTable } from "../../src/store/entries.js";
import { openMaintained } from "../support/maintained.js";

const HILLS = ["Ilse likes hiking in the hills", "Ilse enjoys hiking in the hills", "Ilse loves hiking in the hills"];
const SCOPE = { tenantId: "", userId: "u-ilse", agentId: "" };
const EVERY_STATUS = { status: ["active", "archived", "superseded"] } as const;

type Stage = Awaited<ReturnType<typeof openMaintained>>;

async function openWith(texts: readonly string[], options: Parameters<typeof openMaintained>[0] = {}) {
  const stage = await openMaintained(options);
  for (const text of texts) await stage.say(text);
  return stage;
}

/** Rows without what differs from run to run. */
async function rowsOf({ memory }: Stage) {
  const { items } = await memory.list(EVERY_STATUS);
  return items
    .map(({ entryId, status, losslessRestatement, sourceIds, derivedFrom }) => ({
      entryId,
      status,
      losslessRestatement,
      sourceIds: [...sourceIds].sort(),
      derivedFrom: [...derivedFrom].sort(),
    }))
    .sort((left, right) => (left.entryId < right.entryId ? -1 : 1));
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("the maintain graph", () => {
  it("is invoked like any graph, and gives its report", async () => {
    const { simplemem, memory } = await openWith(HILLS);
    const { report } = await simplemem.maintainGraph.invoke({ scope: SCOPE });
    expect(report).toMatchObject({ examined: 3, clusters: { made: 1, parts: 3, refused: 0 }, failures: [] });
    expect(await memory.maintenance.reports()).toEqual([report]);
  });

  it("stops at the signal, and leaves no report", async () => {
    const { memory } = await openWith(HILLS);
    await expect(memory.maintain({ signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
    expect(await memory.maintenance.reports()).toEqual([]);
    expect((await memory.list()).items).toHaveLength(3);
  });
});

describe("a run that breaks off while it writes (R70)", () => {
  const texts = [...HILLS, "The heron nests in the mill", "The heron nests in the mill."];

  it.each([
    ["before the commit", false],
    ["after the commit, with the answer lost", true],
  ])("%s, is run again to the rows of an undisturbed one", async (_title, commits) => {
    const undisturbed = await openWith(texts);
    await undisturbed.memory.maintain();
    const stage = await openWith(texts);
    const put = LanceEntryTable.prototype.put;
    for (let failures = 0; failures < 2; failures += 1) {
      const broken = vi.spyOn(LanceEntryTable.prototype, "put").mockImplementation(async function (
        this: LanceEntryTable,
        ...rows: Parameters<typeof put>
      ) {
        if (commits) await put.apply(this, rows);
        throw new Error("the disk is gone");
      });
      const report = await stage.memory.maintain({ upkeep: false });
      broken.mockRestore();
      if (failures === 0) expect(report.failures.map(({ step }) => step)).toEqual(["join", "cluster"]);
    }
    expect((await stage.memory.maintain()).failures).toEqual([]);
    expect(await rowsOf(stage)).toEqual(await rowsOf(undisturbed));
  });
});

describe("a run beside others", () => {
  it("loses nothing that is added, corrected or forgotten meanwhile (R19)", async () => {
    const kept = ["The code of the gate is 4417", "Maren keeps the spare key"];
    const stage = await openWith([...HILLS, ...kept, "The blue bike has a flat tyre"]);
    const { simplemem, memory, idOf } = stage;
    const [bike, code] = [await idOf("The blue bike has a flat tyre"), await idOf("The code of the gate is 4417")];
    const added = Array.from({ length: 10 }, (_, index) => `The room ${index + 20} is being painted`);
    await Promise.all([
      memory.maintain(),
      simplemem.maintain(),
      ...added.map((content, index) => memory.add({ id: `late${index}`, speaker: "Ilse", content })),
      memory.flush(),
      memory.update(code, { text: "The code of the gate is 5518" }),
      memory.forget({ ids: [bike] }),
    ]);
    await memory.flush();
    await memory.maintain();
    const said = (await memory.list(EVERY_STATUS)).items.map((entry) => entry.losslessRestatement);
    for (const text of [...added, ...HILLS, "The code of the gate is 5518", "Maren keeps the spare key"])
      expect(said).toContain(text);
    expect(said).not.toContain("The blue bike has a flat tyre");
    expect((await memory.list({ kind: "pattern" })).items).toHaveLength(1);
  });

  it.each([
    ["forgotten", (stage: Stage, id: string) => stage.memory.forget({ ids: [id] })],
    ["corrected", (stage: Stage, id: string) => stage.memory.update(id, { text: "Ilse hates hiking in the rain" })],
    ["pinned", (stage: Stage, id: string) => stage.memory.pin(id)],
  ])("makes no pattern of an entry that was %s while its text was written", async (_title, change) => {
    let meanwhile = async (): Promise<unknown> => undefined;
    const condense = async ({ clusters }: { clusters: readonly Cluster[] }) => {
      await meanwhile();
      const texts = clusters.map((cluster) => cluster.map((entry) => entry.losslessRestatement).join("; "));
      return { summaries: texts.map((text) => ({ text, by: "stage" as const })), rejections: [] };
    };
    const stage = await openWith(HILLS, { stages: { maintain: { condense } } });
    const id = await stage.idOf(HILLS[1] ?? "");
    meanwhile = () => change(stage, id);
    expect((await stage.memory.maintain()).clusters.made).toBe(0);
    expect((await stage.memory.list({ kind: "pattern" })).items).toEqual([]);
    expect(await stage.texts()).toEqual(expect.arrayContaining([HILLS[0], HILLS[2]]));
  });
});
