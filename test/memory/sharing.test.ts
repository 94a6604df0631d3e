import { describe, expect, it } from "vitest";
import { ScopeError, SimpleMem } from "../../src/index.js";
import { FakeEmbeddings } from "../support/fakes.js";
import { freshFolder } from "../support/folders.js";
import { ended, startChild } from "../support/processes.js";

const USER = { userId: "u-ilse" };

async function opened(uri = "memory://") {
  const simplemem = await SimpleMem.open({ uri, embeddings: new FakeEmbeddings(32), window: { idleMs: 0 } });
  const agent = (agentId: string) => ({
    shared: simplemem.scope({ ...USER, agentId, sharing: "shared" }),
    own: simplemem.scope({ ...USER, agentId }),
  });
  return { simplemem, cook: agent("cook"), driver: agent("driver"), all: simplemem.scope(USER) };
}

type Memory = ReturnType<SimpleMem["scope"]>;

const said = (id: string, content: string) => ({ id, speaker: "Ilse", content, timestamp: "2025-03-04T10:00:00Z" });
const textsOf = async (memory: Memory): Promise<readonly string[]> =>
  (await memory.list()).items.map(({ losslessRestatement }) => losslessRestatement).sort();

describe("what an agent writes with sharing: shared", () => {
  it("is read by every agent of the user, and names who wrote it", async () => {
    const { simplemem, cook, driver, all } = await opened();
    await cook.shared.add(said("t1", "I am allergic to sesame."));
    await cook.shared.flush();
    await cook.own.add(said("t1", "My knives are dull."));
    await cook.own.flush();
    for (const memory of [cook.shared, cook.own, driver.shared, driver.own, all]) {
      const { hits } = await memory.search("sesame", { planning: "never" });
      expect(hits[0]?.entry?.metadata).toEqual({ writtenBy: "cook" });
    }
    expect((await all.list({ filter: { metadata: { writtenBy: "cook" } } })).items).toHaveLength(1);
    expect((await all.list({ filter: { metadata: { writtenBy: "driver" } } })).items).toEqual([]);
    expect(await textsOf(driver.own)).toHaveLength(1);
    expect(await textsOf(cook.own)).toHaveLength(2);
    expect(await textsOf(cook.shared)).toHaveLength(2);
    expect((await driver.own.search("knives", { planning: "never" })).hits.map(({ text }) => text)).not.toContain(
      "My knives are dull.",
    );
    await simplemem.close();
  });

  it("is found by the other agents before it is extracted", async () => {
    const { simplemem, cook, driver } = await opened();
    await cook.shared.add(said("t0", "I like tea."));
    await cook.shared.flush();
    await cook.shared.add(said("t1", "I am allergic to sesame."));
    const { hits } = await driver.own.search("sesame", { planning: "never" });
    expect(hits[0]).toMatchObject({ kind: "turn", id: "t1" });
    await simplemem.close();
  });

  it("is one entry when several agents say it, with each of them as proof", async () => {
    const { simplemem, cook, driver, all } = await opened();
    await cook.shared.add(said("t1", "I am allergic to sesame."));
    await driver.shared.add(said("t2", "I am allergic to sesame."));
    await Promise.all([cook.shared.flush(), driver.shared.flush()]);
    const { items } = await all.list();
    expect(items.map(({ sourceIds }) => [...sourceIds].sort())).toEqual([["t1", "t2"]]);
    const { sources } = await all.why(items[0]?.entryId ?? "");
    expect(sources.map(({ metadata }) => metadata.writtenBy).sort()).toEqual(["cook", "driver"]);
    await simplemem.close();
  });

  it("is corrected and forgotten by any agent that shares; its own memory stays apart", async () => {
    const { simplemem, cook, driver, all } = await opened();
    await cook.shared.add(said("t1", "I am allergic to sesame."));
    await cook.shared.flush();
    await cook.own.add(said("t1", "My knives are dull."));
    await cook.own.flush();
    const [shared] = (await all.list()).items;
    const own = (await cook.own.list()).items.find(({ entryId }) => entryId !== shared?.entryId);
    const id = shared?.entryId ?? "";
    await expect(driver.own.update(id, { topic: "food" })).rejects.toThrow(/shared by all agents/);
    expect(await driver.shared.update(id, { topic: "food" })).toMatchObject({ topic: "food" });
    await expect(cook.shared.update(own?.entryId ?? "", { topic: "tools" })).rejects.toThrow(/private to this agent/);
    expect(await cook.own.forget({ ids: [id] })).toMatchObject({
      removed: { entries: 0 },
      verified: false,
      outside: [id],
    });
    expect(await cook.own.forget({ all: true })).toMatchObject({ removed: { entries: 1, turns: 1 }, verified: true });
    expect(await textsOf(cook.own)).toHaveLength(1);
    expect(await cook.own.add(said("t1", "My knives are dull."))).toMatchObject({ refused: 1 });
    expect(await driver.shared.forget({ ids: ["t1"] })).toMatchObject({
      removed: { entries: 1, turns: 1 },
      verified: true,
    });
    expect(await textsOf(cook.own)).toEqual([]);
    expect(await driver.own.add(said("t1", "The car is blue."))).toMatchObject({ accepted: 1, refused: 0 });
    await simplemem.close();
  });

  it("holds facts for all agents", async () => {
    const { simplemem, cook, driver } = await opened();
    await cook.shared.facts.remember("allergy", "sesame");
    await cook.own.facts.remember("knives", "dull");
    expect((await driver.own.facts.recall()).map(({ key }) => key)).toEqual(["allergy"]);
    expect((await cook.shared.facts.recall()).map(({ key }) => key).sort()).toEqual(["allergy", "knives"]);
    await simplemem.close();
  });

  it("an agent does not keep again for itself what is shared", async () => {
    const { simplemem, cook, driver } = await opened();
    await cook.shared.add(said("t1", "I am allergic to sesame."));
    await cook.shared.flush();
    await driver.own.add(said("t2", "I am allergic to sesame."));
    expect((await driver.own.flush()).entries).toMatchObject({ added: 0, skipped: 1 });
    expect(await textsOf(driver.own)).toHaveLength(1);
    const [entry] = (await cook.own.list()).items;
    expect(entry?.sourceIds).toEqual(["t1"]);
    expect(JSON.stringify(await cook.own.why(entry?.entryId ?? ""))).not.toContain("t2");
    await simplemem.close();
  });

  it.each([
    ["an unknown rule", { agentId: "cook", sharing: "public" }],
    ["no agent", { sharing: "shared" }],
    ["no agent to be private for", { sharing: "private" }],
  ])("refuses %s", async (_title, options) => {
    const { simplemem } = await opened();
    expect(() => simplemem.scope({ ...USER, ...JSON.parse(JSON.stringify(options)) })).toThrow(ScopeError);
    await simplemem.close();
  });
});

describe("agents that write at the same time, shared and private", () => {
  const AGENTS = ["cook", "driver"];
  const TURNS = 8;

  async function expectWhole(simplemem: SimpleMem): Promise<void> {
    const shared = AGENTS.flatMap((agent) => Array.from({ length: TURNS }, (_, number) => `s-${agent}${number}`));
    const all = simplemem.scope(USER);
    await all.flush();
    const proof = (await all.list({ status: ["active", "conflicted", "superseded"] })).items;
    expect(
      proof
        .flatMap(({ sourceIds }) => sourceIds)
        .filter((id) => id.startsWith("s-"))
        .sort(),
    ).toEqual(shared.sort());
    const office = proof.filter(({ losslessRestatement }) => losslessRestatement.includes("harbour"));
    expect(office.map(({ sourceIds }) => [...sourceIds].sort())).toEqual([AGENTS.map((agent) => `all-${agent}`)]);
    expect(JSON.stringify(proof)).not.toContain("vault");
    for (const agent of AGENTS) {
      const own = simplemem.scope({ ...USER, agentId: agent });
      const vaults = (await own.list({ status: ["active", "conflicted", "superseded"] })).items
        .flatMap(({ sourceIds }) => sourceIds)
        .filter((id) => id.startsWith("p-"));
      expect(vaults.sort()).toEqual(Array.from({ length: TURNS }, (_, number) => `p-${agent}${number}`));
      expect(await own.stats()).toMatchObject({ pendingTurns: 0, windows: { pending: 0, failed: 0 } });
    }
  }

  it("in several processes lose nothing, leak nothing, and store what all say once", async () => {
    const uri = freshFolder();
    const ends = await Promise.all(
      AGENTS.map((agent) => ended(startChild("agent-child", [uri, agent, String(TURNS)]))),
    );
    expect(ends.map(({ lines, errors }) => [lines, errors])).toEqual(AGENTS.map(() => [["done"], ""]));
    const simplemem = await SimpleMem.open({ uri, window: { idleMs: 0 } });
    await expectWhole(simplemem);
    await simplemem.close();
  }, 120_000);

  it("in one process, too", async () => {
    const simplemem = await SimpleMem.open({ uri: "memory://", window: { size: 10, idleMs: 0 } });
    await Promise.all(
      AGENTS.map(async (agentId) => {
        const shared = simplemem.scope({ ...USER, sessionId: agentId, agentId, sharing: "shared" });
        const own = simplemem.scope({ ...USER, sessionId: agentId, agentId });
        for (let number = 0; number < TURNS; number++) {
          const room = `${agentId}${number}`;
          await Promise.all([
            shared.add(said(`s-${room}`, `The code of hall ${room} is ${10_000 + number}.`)),
            own.add(said(`p-${room}`, `The key of vault ${room} is ${20_000 + number}.`)),
          ]);
          if (number % 4 === 3) await Promise.all([shared.flush(), own.flush()]);
        }
        await shared.add(said(`all-${agentId}`, "The harbour office opens at 8:15."));
        await Promise.all([shared.flush(), own.flush()]);
      }),
    );
    await expectWhole(simplemem);
    await simplemem.close();
  }, 60_000);
});
