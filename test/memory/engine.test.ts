import { describe, expect, it, vi } from "vitest";
import {
  ClosedError,
  DuplicateTurnError,
  InvalidInputError,
  ScopeError,
  SimpleMem,
  type SimpleMemOptions,
} from "../../src/index.js";
import { FakeEmbeddings, fact, httpError, reply, ScriptedModel } from "../support/fakes.js";
import { filesHolding, freshFolder } from "../support/folders.js";

async function openWith(options: Partial<SimpleMemOptions> = {}): Promise<SimpleMem> {
  return SimpleMem.open({ uri: "memory://", window: { idleMs: 0 }, ...options });
}

const said = (content: string, more: Record<string, unknown> = {}) => ({ speaker: "Ilse Corrin", content, ...more });

async function texts(memory: ReturnType<SimpleMem["scope"]>): Promise<string[]> {
  return (await memory.list()).items.map((entry) => entry.losslessRestatement);
}

describe("the main job", () => {
  it("gives a cited answer for what was said, without any model", async () => {
    await using simplemem = await openWith();
    const memory = simplemem.scope({ userId: "u-ilse" });
    await memory.add([
      said("I adopted a greyhound called Rill yesterday.", { id: "t1", timestamp: "2025-03-04T10:00:00Z" }),
      {
        speaker: "Bram",
        content: "How nice! I bake rye bread on Sundays.",
        id: "t2",
        timestamp: "2025-03-04T10:01:00Z",
      },
    ]);
    const report = await memory.flush();
    expect(report.failures).toEqual([]);
    expect(report.entries.added).toBeGreaterThanOrEqual(2);
    const answer = await memory.ask("What did Ilse adopt?");
    expect(answer.answer).toMatch(/greyhound/);
    expect(answer.citations.flatMap((citation) => citation.sourceIds)).toContain("t1");
    expect(answer.usage.modelCalls).toBe(0);
  });

  it("finds a raw turn before and after it was extracted", async () => {
    await using simplemem = await openWith();
    const memory = simplemem.scope({ userId: "u-ilse" });
    await memory.add(said("The heron nests in the mill.", { id: "t1" }));
    const before = await memory.search("heron");
    expect(before.hits[0]?.sourceIds).toEqual(["t1"]);
    await memory.flush();
    const after = await memory.search("heron");
    expect(after.hits[0]?.sourceIds).toEqual(["t1"]);
    expect(after.hits.filter((hit) => hit.sourceIds.includes("t1"))).toHaveLength(1);
  });

  it("abstains from what was never said", async () => {
    await using simplemem = await openWith();
    const memory = simplemem.scope({ userId: "u-ilse" });
    await memory.add(said("I repair old clocks in Dunmore."));
    await memory.flush();
    const answer = await memory.ask("What is the name of Ilse's submarine?");
    expect(answer.abstained).toBe(true);
    expect(answer.answer).toBe("");
    expect(answer.reason).toBeTruthy();
  });
});

describe("adding", () => {
  it("takes the same id with the same content once, and refuses it with other content", async () => {
    await using simplemem = await openWith();
    const memory = simplemem.scope({ userId: "u-ilse" });
    await memory.add(said("I row.", { id: "t1" }));
    expect(await memory.add(said("I row.", { id: "t1" }))).toMatchObject({ accepted: 0, duplicates: 1 });
    await expect(memory.add([said("I knit.", { id: "t2" }), said("I sail.", { id: "t1" })])).rejects.toThrow(
      DuplicateTurnError,
    );
    expect((await memory.stats()).turns).toBe(1);
  });

  it("takes messages in every form (R65)", async () => {
    await using simplemem = await openWith();
    const memory = simplemem.scope({ userId: "u-ilse", userName: "Ilse" });
    const receipt = await memory.add([
      { role: "user", content: "I row" },
      ["human", "I knit"],
      { role: "assistant", content: [] },
    ]);
    expect(receipt.accepted).toBe(2);
  });

  it("stores a re-sent history once, also without ids", async () => {
    await using simplemem = await openWith();
    const memory = simplemem.scope({ userId: "u-ilse" });
    const history = ["I row", "I knit", "yes", "yes", "I sail"].map((content) => ({ role: "user", content }));
    await memory.add(history.slice(0, 1));
    for (let length = 2; length <= history.length; length++) await memory.add(history.slice(0, length));
    await memory.add(history.slice(0, 3));
    expect((await memory.stats()).turns).toBe(5);
  });

  it.each([
    [{ speaker: "", content: "x" }],
    [{ speaker: "A", content: " " }],
    [{ speaker: "A", content: "x", tmestamp: "2025" }],
    [{ speaker: "A", content: "x", timestamp: "next week" }],
    [{ speaker: "A", content: "x", metadata: { when: new Date() } }],
  ])("refuses %j and stores nothing", async (turn) => {
    await using simplemem = await openWith();
    const memory = simplemem.scope({ userId: "u-ilse" });
    await expect(memory.add(turn as never)).rejects.toThrow(InvalidInputError);
    expect((await memory.stats()).turns).toBe(0);
  });

  it("refuses calls after close", async () => {
    const simplemem = await openWith();
    const memory = simplemem.scope({ userId: "u-ilse" });
    await simplemem.close();
    await expect(memory.add(said("I row."))).rejects.toThrow(ClosedError);
    await expect(memory.search("row")).rejects.toThrow(ClosedError);
  });
});

describe("scopes", () => {
  it.each([undefined, null, "", "   ", Number.NaN, {}])("R55: refuses the user id %j", async (userId) => {
    await using simplemem = await openWith();
    expect(() => simplemem.scope({ userId } as never)).toThrow(ScopeError);
  });

  it("R54: a prefix of a user's id opens nothing of another's", async () => {
    await using simplemem = await openWith();
    const users = ["u1", "u10", "u1:x", "u1%", "U1", "u1 ", "ilse@dunmore.example", "../up", "名前", "x".repeat(300)];
    for (const userId of users) {
      const memory = simplemem.scope({ userId });
      await memory.add(said(`The heron of ${userId.slice(0, 20)} nests.`, { id: "t" }));
      await memory.facts.remember("heron", userId);
      await memory.flush();
    }
    for (const userId of users) {
      const memory = simplemem.scope({ userId });
      expect((await memory.list()).items).toHaveLength(1);
      const { hits } = await memory.search("heron nests", { k: 50 });
      expect(hits.length).toBeGreaterThan(0);
      for (const hit of hits) expect(hit.text).toContain(userId.slice(0, 20));
      expect(await memory.facts.list()).toHaveLength(1);
    }
    await simplemem.scope({ userId: "u1" }).forget({ all: true });
    expect((await simplemem.scope({ userId: "u10" }).stats()).turns).toBe(1);
    expect((await simplemem.scope({ userId: "u1" }).stats()).turns).toBe(0);
    expect((await simplemem.users.list()).map((user) => user.userId).sort()).toEqual(
      users.filter((id) => id !== "u1").sort(),
    );
  });

  it("R58: deleting one user's memory leaves the others', and forget({}) rejects", async () => {
    await using simplemem = await openWith();
    const ilse = simplemem.scope({ userId: "u-ilse" });
    const bram = simplemem.scope({ userId: "u-bram" });
    await ilse.add(Array.from({ length: 350 }, (_, index) => said(`The clock number ${index} is repaired.`)));
    await bram.add(
      Array.from({ length: 5 }, (_, index) => ({ speaker: "Bram", content: `Bread number ${index} is baked.` })),
    );
    await ilse.flush();
    await bram.flush();
    const count = (await ilse.list()).items.length;
    expect(count).toBeGreaterThan(300);
    await expect(ilse.forget({} as never)).rejects.toThrow(InvalidInputError);
    const receipt = await ilse.forget({ all: true });
    expect(receipt.removed.turns).toBe(350);
    expect(receipt.verified).toBe(true);
    expect((await ilse.list()).items).toEqual([]);
    expect((await bram.list()).items).toHaveLength(5);
  });

  it("an agent sees what all agents share and its own, and nothing of another agent", async () => {
    await using simplemem = await openWith();
    const shared = simplemem.scope({ userId: "u" });
    const cook = simplemem.scope({ userId: "u", agentId: "cook" });
    const driver = simplemem.scope({ userId: "u", agentId: "driver" });
    await shared.add(said("The shared kettle is blue."));
    await cook.add(said("The cook's kettle is crimson."));
    for (const memory of [shared, cook, driver]) await memory.flush();
    const seen = async (memory: typeof cook) => (await memory.search("kettle")).hits.map((hit) => hit.text).join("\n");
    expect(await seen(cook)).toMatch(/crimson/);
    expect(await seen(cook)).toMatch(/blue/);
    expect(await seen(driver)).not.toMatch(/crimson/);
    expect(await seen(shared)).not.toMatch(/crimson/);
  });
});

describe("forgetting", () => {
  it("R59: purges one entry and its turn among 1,000, then a whole user, from every file", {
    timeout: 240_000,
  }, async () => {
    const uri = freshFolder();
    await using simplemem = await openWith({ uri });
    const memory = simplemem.scope({ userId: "u-ilse" });
    await memory.add(
      Array.from({ length: 999 }, (_, index) => said(`The clock number ${index} hangs in room ${index + 7}.`)),
    );
    await memory.add(said("The sentinel-quokka-9042 sleeps in Porthaven.", { id: "secret" }));
    await memory.flush();
    const entry = (await memory.list()).items.find((item) => item.sourceIds.includes("secret"));
    expect(entry).toBeDefined();
    expect(filesHolding(uri, "sentinel-quokka-9042")).not.toEqual([]);
    const receipt = await memory.forget({ ids: [entry?.entryId ?? ""], purge: true });
    expect(receipt).toMatchObject({ removed: { entries: 1, turns: 1 }, purged: true, verified: true });
    expect(filesHolding(uri, "sentinel-quokka-9042")).toEqual([]);
    expect(filesHolding(uri, "quokka")).toEqual([]);
    expect((await memory.search("clock number 500")).hits.length).toBeGreaterThan(0);
    await simplemem.users.delete("u-ilse", { purge: true });
    expect(filesHolding(uri, "The clock number")).toEqual([]);
    expect((await memory.stats()).turns).toBe(0);
  });

  it("R60: what is forgotten while the model thinks does not come back", async () => {
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const model = new ScriptedModel([async () => gate.then(() => reply(fact("Ilse keeps bees")))]);
    await using simplemem = await openWith({ llm: model, embeddings: new FakeEmbeddings() });
    const memory = simplemem.scope({ userId: "u-ilse" });
    await memory.add(said("I keep bees.", { id: "t1" }));
    const flushing = memory.flush();
    await vi.waitFor(() => expect(model.calls).toBe(1));
    await memory.forget({ all: true });
    letGo();
    await flushing;
    expect(await texts(memory)).toEqual([]);
    expect(await memory.stats()).toMatchObject({ turns: 0, pendingTurns: 0 });
    expect(await memory.add(said("I keep bees.", { id: "t1" }))).toMatchObject({ accepted: 0, refused: 1 });
  });

  it("a dry run removes nothing", async () => {
    await using simplemem = await openWith();
    const memory = simplemem.scope({ userId: "u-ilse" });
    await memory.add(said("I repair clocks in Dunmore."));
    await memory.flush();
    expect((await memory.forget({ all: true, dryRun: true })).removed.turns).toBe(1);
    expect((await memory.stats()).turns).toBe(1);
  });
});

describe("failing models and embedders", () => {
  it("R70: turns survive a model that fails three times, and are stored once afterwards", async () => {
    const model = new ScriptedModel([httpError(400), httpError(400), reply(fact("Ilse keeps bees"))]);
    await using simplemem = await openWith({ llm: model, embeddings: new FakeEmbeddings() });
    const memory = simplemem.scope({ userId: "u-ilse" });
    await memory.add(said("I keep bees."));
    for (let round = 0; round < 2; round++) {
      const report = await memory.flush();
      expect(report.failures).toHaveLength(1);
      expect(report.windows.pending).toBe(1);
      expect(await texts(memory)).toEqual([]);
    }
    expect((await memory.flush()).windows).toEqual({ stored: 1, failed: 0, pending: 0 });
    expect(await texts(memory)).toEqual(["Ilse keeps bees"]);
  });

  it("R70: a 429 that passes is retried within the flush", async () => {
    const model = new ScriptedModel([httpError(429), reply(fact("Ilse keeps bees"))]);
    await using simplemem = await openWith({ llm: model, embeddings: new FakeEmbeddings() });
    const memory = simplemem.scope({ userId: "u-ilse" });
    await memory.add(said("I keep bees."));
    expect((await memory.flush()).windows.stored).toBe(1);
    expect(model.calls).toBe(2);
  });

  it("R70: a window that fails for good is kept, listed, and blocks no other", async () => {
    const model = new ScriptedModel([
      (prompt) => (prompt.includes("doomed") ? Promise.reject(httpError(400)) : reply(fact("Ilse keeps bees"))),
    ]);
    await using simplemem = await openWith({ llm: model, embeddings: new FakeEmbeddings() });
    const memory = simplemem.scope({ userId: "u-ilse" });
    await memory.add(said("This is a doomed sentence.", { sessionId: "a" }));
    for (let round = 0; round < 3; round++) await memory.flush();
    expect((await memory.stats()).windows).toMatchObject({ failed: 1, pending: 0 });
    await memory.add(said("I keep bees.", { sessionId: "b" }));
    expect((await memory.flush()).windows).toEqual({ stored: 1, failed: 1, pending: 0 });
    const again = await memory.flush({ retryFailed: true });
    expect(again.failures).toHaveLength(1);
  });

  it("R70: an embedder that rejects once loses nothing", async () => {
    let isBroken = true;
    const embeddings = new FakeEmbeddings(8);
    const embed = embeddings.embedDocuments.bind(embeddings);
    embeddings.embedDocuments = async (list) => {
      if (isBroken) throw new Error("the embedder is down");
      return embed(list);
    };
    const model = new ScriptedModel([reply(fact("Ilse keeps bees"))]);
    await using simplemem = await openWith({ llm: model, embeddings });
    const memory = simplemem.scope({ userId: "u-ilse" });
    await memory.add(said("I keep bees."));
    expect((await memory.flush()).failures).toHaveLength(1);
    isBroken = false;
    expect((await memory.flush()).windows.stored).toBe(1);
    expect(await texts(memory)).toEqual(["Ilse keeps bees"]);
    expect(model.calls).toBe(1);
  });

  it("R72: close processes what is pending", async () => {
    const uri = freshFolder();
    const model = new ScriptedModel([reply(fact("Ilse keeps bees"))]);
    const simplemem = await openWith({
      uri,
      llm: model,
      embeddings: new FakeEmbeddings(),
      window: { size: 10, idleMs: 0 },
    });
    const memory = simplemem.scope({ userId: "u-ilse" });
    await memory.add([said("I keep bees."), said("Many of them."), said("In two hives.")]);
    await simplemem.close();
    expect(model.calls).toBe(1);
    await using again = await openWith({ uri, embeddings: new FakeEmbeddings() });
    expect(await texts(again.scope({ userId: "u-ilse" }))).toEqual(["Ilse keeps bees"]);
  });

  it("R72: what was pending at a close without flush is processed after a restart", async () => {
    const uri = freshFolder();
    const first = await openWith({ uri, embeddings: new FakeEmbeddings() });
    await first.scope({ userId: "u-ilse" }).add([said("I keep bees."), said("I row.")]);
    await first.close({ flush: false });
    const model = new ScriptedModel([reply(fact("Ilse keeps bees"))]);
    await using second = await openWith({ uri, llm: model, embeddings: new FakeEmbeddings() });
    const memory = second.scope({ userId: "u-ilse" });
    expect((await memory.stats()).pendingTurns).toBe(2);
    await memory.flush();
    expect(await texts(memory)).toEqual(["Ilse keeps bees"]);
  });

  it("R72: a conversation that falls silent is processed without a call", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const model = new ScriptedModel([reply(fact("Ilse keeps bees"))]);
      const simplemem = await openWith({ llm: model, embeddings: new FakeEmbeddings(), window: { idleMs: 5000 } });
      const memory = simplemem.scope({ userId: "u-ilse" });
      await memory.add(said("I keep bees."));
      expect(model.calls).toBe(0);
      await vi.advanceTimersByTimeAsync(5001);
      vi.useRealTimers();
      await vi.waitFor(async () => expect(await texts(memory)).toEqual(["Ilse keeps bees"]), { timeout: 10_000 });
      await simplemem.close();
    } finally {
      vi.useRealTimers();
    }
  });

  it("R77: two windows cost two model calls and two calls of the embedder", async () => {
    const model = new ScriptedModel([reply(fact("Ilse keeps bees")), reply(fact("Ilse rows"))]);
    const embeddings = new FakeEmbeddings();
    await using simplemem = await openWith({ llm: model, embeddings, window: { size: 10, idleMs: 0 } });
    const memory = simplemem.scope({ userId: "u-ilse" });
    await memory.add(Array.from({ length: 20 }, (_, index) => said(`Sentence number ${index}.`)));
    await memory.flush();
    expect(model.calls).toBeLessThanOrEqual(3);
    expect(embeddings.documentCalls).toBe(2);
    await memory.search("bees", { planning: "never" });
    expect(embeddings.queryCalls).toBe(1);
  });
});

describe("opening", () => {
  it("R73: what one process stored is found after closing and opening again", async () => {
    const uri = freshFolder();
    const first = await openWith({ uri });
    await first.scope({ userId: "u" }).add(said("The heron nests in the mill."));
    await first.close();
    await using second = await openWith({ uri });
    expect((await second.scope({ userId: "u" }).search("heron")).hits[0]?.text).toMatch(/heron/);
  });

  it("R74: another dimension is refused with both numbers, and nothing is lost", async () => {
    const uri = freshFolder();
    const first = await openWith({ uri, embeddings: new FakeEmbeddings(8) });
    await first.scope({ userId: "u" }).add(said("The heron nests in the mill."));
    await first.close();
    const second = await openWith({ uri, embeddings: new FakeEmbeddings(16) });
    await second.scope({ userId: "u" }).add(said("The mill is old."));
    await expect(second.scope({ userId: "u" }).flush()).rejects.toThrow(/8.*16|16.*8/s);
    await second.close({ flush: false });
    await using third = await openWith({ uri, embeddings: new FakeEmbeddings(8) });
    const memory = third.scope({ userId: "u" });
    await memory.flush();
    expect((await memory.stats()).turns).toBe(2);
    expect((await memory.list()).items.length).toBe(2);
  });

  it.each([
    [{ uri: "" }],
    [{}],
    [{ uri: "memory://", k: 3 }],
    [{ uri: "memory://", window: { size: 0 } }],
    [{ uri: "memory://", timeZone: "Mars/Base" }],
  ])("refuses the options %j", async (options) => {
    await expect(SimpleMem.open(options as never)).rejects.toThrow(InvalidInputError);
  });
});

describe("facts", () => {
  it("are exact, keep their history, and are found by pattern", async () => {
    await using simplemem = await openWith();
    const memory = simplemem.scope({ userId: "u", sessionId: "s1" });
    await memory.facts.remember("home.city", "Dunmore", { category: "home" });
    const fact = await memory.facts.remember("home.city", "Porthaven");
    expect(fact).toMatchObject({ value: "Porthaven", category: "home", history: [{ value: "Dunmore" }] });
    await memory.facts.remember("home.street", "Mill Lane");
    expect((await memory.facts.recall("home.*")).map(({ key }) => key).sort()).toEqual(["home.city", "home.street"]);
    const other = simplemem.scope({ userId: "u", sessionId: "s2" });
    expect(await other.facts.list()).toEqual([]);
    expect(await other.facts.recall("home.city", { sessions: "all" })).toHaveLength(1);
    expect(await memory.facts.forget("home.city")).toBe(true);
    expect(await memory.facts.forget("home.city")).toBe(false);
  });
});
