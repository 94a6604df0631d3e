import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type MemoryEntry, SimpleMem, type SimpleMemOptions, type TurnInput } from "../../src/index.js";
import { LanceLedger } from "../../src/store/ledger.js";
import { FakeEmbeddings, fact, reply, ScriptedModel } from "../support/fakes.js";
import { filesHolding, temporaryFolder } from "../support/store.js";

const START = Date.parse("2025-03-01T12:00:00Z");
const DAY = 86_400_000;

type Memory = ReturnType<SimpleMem["scope"]>;

/** A memory by rules whose clock is set by hand. */
async function opened(options: Partial<SimpleMemOptions> = {}) {
  const time = { now: START };
  const embeddings = new FakeEmbeddings(32);
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    window: { idleMs: 0 },
    embeddings,
    clock: () => time.now,
    ...options,
  });
  onTestFinished(() => simplemem.close({ flush: false }));
  return { simplemem, embeddings, time, memory: simplemem.scope({ userId: "u-ilse" }) };
}

async function said(memory: Memory, id: string, content: string, more: Partial<TurnInput> = {}): Promise<void> {
  await memory.add({ id, speaker: "Ilse", content, timestamp: "2025-03-01T10:00:00Z", ...more });
  await memory.flush();
}

/** Says one sentence and gives the entry that was made of it. */
async function told(memory: Memory, id: string, content: string, more: Partial<TurnInput> = {}): Promise<MemoryEntry> {
  await said(memory, id, content, more);
  const { items } = await memory.list({ status: ["active", "pending_review", "conflicted"] });
  const entry = items.find(({ sourceIds }) => sourceIds[0] === id);
  if (entry === undefined) throw new Error(`nothing was made of ${content}`);
  return entry;
}

/** Extracts what it is told to, and compares by rules. */
function extracting(...texts: readonly string[]): ScriptedModel {
  return new ScriptedModel(texts.map((text) => reply(fact(text, { persons: ["Ilse"] }))));
}

describe("update", () => {
  it("R52: changes what the patch names and nothing else, and embeds the new text once", async () => {
    const { memory, embeddings, time } = await opened();
    const entry = await told(memory, "t1", "I live in Graz with my sister Ane.", { metadata: { channel: "mail" } });
    embeddings.texts.length = 0;
    time.now += DAY;
    const updated = await memory.update(entry.entryId, { text: "Ilse lives in Porthaven" });
    expect(embeddings.texts).toEqual(["Ilse lives in Porthaven"]);
    const { losslessRestatement, updatedAt, ...rest } = updated;
    const { losslessRestatement: _text, updatedAt: before, ...untouched } = entry;
    expect(losslessRestatement).toBe("Ilse lives in Porthaven");
    expect(rest).toEqual(untouched);
    expect(updatedAt > before).toBe(true);
    expect(updated.metadata).toEqual({ channel: "mail" });
    expect(await memory.get(entry.entryId)).toEqual(updated);
  });

  it("is found by its new words and by none of the former ones", async () => {
    const { memory } = await opened();
    const { entryId } = await told(memory, "t1", "I repair clocks in Graz.");
    await memory.update(entryId, { text: "Ilse tunes pianos in Linz.", keywords: ["pianos"] });
    const found = async (query: string): Promise<string[]> =>
      (await memory.search(query, { views: ["lexical"], planning: "never" })).hits.map(({ id }) => id);
    expect(await found("pianos")).toContain(entryId);
    await memory.update(entryId, { text: "Ilse bakes bread in Linz.", keywords: ["bread"] });
    expect(await found("bread")).toContain(entryId);
    expect(await found("pianos")).not.toContain(entryId);
  });

  it("joins metadata and attributes key by key, replaces lists, reads times in the engine's zone", async () => {
    const { memory } = await opened({ timeZone: "Europe/Vienna" });
    const { entryId } = await told(memory, "t1", "I live in Graz.", { metadata: { a: 1, b: 2 } });
    const updated = await memory.update(entryId, {
      metadata: { b: undefined, c: [true] },
      attributes: { floor: "3" },
      persons: ["Ilse", "Ane"],
      timestamp: "2025-02-01T08:00:00",
      location: null,
      kind: "event",
      importance: 0.9,
      trust: "import",
      status: "done",
    });
    expect(updated).toMatchObject({
      metadata: { a: 1, c: [true] },
      attributes: { floor: "3" },
      persons: ["Ilse", "Ane"],
      timestamp: "2025-02-01T07:00:00.000Z",
      location: null,
      kind: "event",
      importance: 0.9,
      trust: "import",
      status: "done",
    });
    expect(updated.metadata).not.toHaveProperty("b");
  });

  it.each<[string, object]>([
    ["nothing", {}],
    ["a blank text", { text: "  " }],
    ["an unknown field", { colour: "red" }],
    ["a time that is none", { timestamp: "soon" }],
    ["an end before its beginning", { timestamp: "2025-02-02", timestampEnd: "2025-02-01" }],
    ["an importance beyond 1", { importance: 2 }],
    ["a status that is not for it", { status: "superseded" }],
    ["a person without a name", { persons: [" "] }],
  ])("refuses %s, and changes nothing", async (_title, patch) => {
    const { memory } = await opened();
    const entry = await told(memory, "t1", "I live in Graz.");
    await expect(memory.update(entry.entryId, patch)).rejects.toMatchObject({ name: "InvalidInputError" });
    expect(await memory.get(entry.entryId)).toEqual(entry);
    expect(await memory.history(entry.entryId)).toHaveLength(1);
  });

  it("names an unknown id, one of another user, and one that all agents share", async () => {
    const { simplemem, memory } = await opened();
    const { entryId } = await told(memory, "t1", "I live in Graz.");
    const patch = { text: "Ilse lives in Linz." };
    const unknown = { name: "EntryNotFoundError" };
    await expect(memory.update("nobody", patch)).rejects.toMatchObject(unknown);
    await expect(simplemem.scope({ userId: "u-bram" }).update(entryId, patch)).rejects.toMatchObject(unknown);
    const agent = simplemem.scope({ userId: "u-ilse", agentId: "cook" });
    await expect(agent.update(entryId, patch)).rejects.toThrow(/shared by all agents/);
    expect(await agent.history(entryId)).toHaveLength(1);
    await expect(memory.history("nobody")).rejects.toMatchObject(unknown);
    await expect(memory.why("nobody")).rejects.toMatchObject(unknown);
    await expect(memory.pin("nobody")).rejects.toMatchObject(unknown);
  });

  it("changes nothing when the embedder fails, and redacts what it is given", async () => {
    const { memory, embeddings } = await opened();
    const entry = await told(memory, "t1", "I live in Graz.");
    const { embedDocuments } = embeddings;
    embeddings.embedDocuments = () => Promise.reject(new Error("busy"));
    await expect(memory.update(entry.entryId, { text: "Ilse lives in Linz." })).rejects.toThrow("busy");
    expect(await memory.get(entry.entryId)).toEqual(entry);
    embeddings.embedDocuments = embedDocuments;
    const { losslessRestatement } = await memory.update(entry.entryId, {
      text: "The key is sk-abcdefghijklmnopqrstuvwxyz123456.",
    });
    expect(losslessRestatement).not.toContain("sk-abcdef");
  });

  it("refuses to make two active entries of the same words", async () => {
    const { memory } = await opened();
    const first = await told(memory, "t1", "I live in Graz.");
    const second = await told(memory, "t2", "I repair clocks.");
    const twin = memory.update(second.entryId, { text: first.losslessRestatement.toUpperCase() });
    await expect(twin).rejects.toMatchObject({ name: "EntryConflictError", entryIds: [first.entryId] });
    expect(await memory.get(second.entryId)).toEqual(second);
  });

  it("tells a caller who has an older version in mind", async () => {
    const { memory } = await opened();
    const { entryId } = await told(memory, "t1", "I live in Graz.");
    await memory.update(entryId, { importance: 0.9 }, { ifVersion: 1 });
    const late = memory.update(entryId, { importance: 0.1 }, { ifVersion: 1 });
    await expect(late).rejects.toMatchObject({ name: "EntryConflictError", entryIds: [entryId] });
    expect((await memory.get(entryId))?.importance).toBe(0.9);
  });

  it("keeps both its change and that of a window which is consolidated at the same time", async () => {
    const gate = { open: (): void => {}, reached: (): void => {} };
    const held = new Promise<void>((resolve) => {
      gate.open = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      gate.reached = resolve;
    });
    let calls = 0;
    const { memory } = await opened({
      llms: { extract: extracting("Ilse lives in Graz", "Ilse lives in Graz") },
      stages: {
        consolidate: {
          async consolidate({ items }) {
            calls += 1;
            if (calls === 1) return { decisions: items.map(() => ({ op: "add" })), rejections: [] };
            gate.reached();
            await held;
            const target = items[0]?.candidates[0]?.entry.entryId ?? "";
            return { decisions: [{ op: "skip", target }], rejections: [] };
          },
        },
      },
    });
    const { entryId } = await told(memory, "t1", "I live in Graz.");
    await memory.add({
      id: "t2",
      speaker: "Ilse",
      content: "I live in Graz, as I said.",
      timestamp: "2025-03-02T10:00:00Z",
    });
    const flushed = memory.flush();
    await reached;
    const updated = memory.update(entryId, { topic: "home" });
    gate.open();
    await Promise.all([flushed, updated]);
    expect(await memory.get(entryId)).toMatchObject({ topic: "home", sourceIds: ["t1", "t2"] });
    expect((await memory.history(entryId)).map(({ op }) => op)).toEqual(["extracted", "joined", "updated"]);
  });
});

describe("history", () => {
  it("tells of every version when, what, why and by whom, oldest first", async () => {
    const { memory, time } = await opened();
    const { entryId, createdAt } = await told(memory, "t1", "I live in Graz.");
    time.now += DAY;
    await said(memory, "t2", "I live in Graz.");
    time.now += DAY;
    await memory.update(entryId, { topic: "home" }, { reason: "easier to find" });
    time.now += DAY;
    await memory.pin(entryId);
    const versions = await memory.history(entryId);
    expect(
      versions.map(({ version, op, by, at, turnIds, reason, changed }) => [
        version,
        op,
        by,
        at,
        turnIds,
        reason,
        changed,
      ]),
    ).toEqual([
      [1, "extracted", "rule", createdAt, ["t1"], null, []],
      [2, "joined", "rule", "2025-03-02T12:00:00.000Z", ["t2"], "the same was said again", ["sourceIds"]],
      [3, "updated", "user", "2025-03-03T12:00:00.000Z", [], "easier to find", ["topic"]],
      [4, "pinned", "user", "2025-03-04T12:00:00.000Z", [], null, ["pinned"]],
    ]);
    expect(versions.map(({ entry }) => [entry.sourceIds, entry.topic === "home", entry.pinned])).toEqual([
      [["t1"], false, false],
      [["t1", "t2"], false, false],
      [["t1", "t2"], true, false],
      [["t1", "t2"], true, true],
    ]);
    expect(versions.at(-1)?.entry).toEqual(await memory.get(entryId));
  });

  it("notes which entry took the place of another, on whose word", async () => {
    const { memory } = await opened();
    const old = await told(memory, "t1", "I live in Graz.");
    const now = await told(memory, "t2", "I live in Linz now.", { timestamp: "2025-03-02T10:00:00Z" });
    expect((await memory.history(old.entryId)).at(-1)).toMatchObject({
      op: "superseded",
      by: "rule",
      turnIds: ["t2"],
      related: [now.entryId],
      entry: { status: "superseded", supersededBy: now.entryId },
    });
    expect((await memory.history(now.entryId))[0]).toMatchObject({ op: "extracted", related: [old.entryId] });
  });

  it("grows by nothing when nothing changes", async () => {
    const { memory } = await opened();
    const entry = await told(memory, "t1", "I live in Graz.");
    await memory.update(entry.entryId, { text: entry.losslessRestatement });
    await memory.unpin(entry.entryId);
    expect(await memory.history(entry.entryId)).toHaveLength(1);
    expect(await memory.get(entry.entryId)).toEqual(entry);
  });

  it("loses what stood on a forgotten turn alone, and its bytes with a purge", async () => {
    const { folder, remove } = await temporaryFolder();
    onTestFinished(remove);
    const { memory } = await opened({ uri: folder });
    const { entryId } = await told(memory, "t1", "I live in Graz.", { metadata: { channel: "mail", to: "Zwettl" } });
    await said(memory, "t2", "I live in Graz.", { metadata: { channel: "mail" } });
    await memory.forget({ ids: ["t1"], purge: true });
    const versions = await memory.history(entryId);
    expect(versions.map(({ op, turnIds }) => [op, turnIds])).toEqual([
      ["joined", ["t2"]],
      ["forgotten", []],
    ]);
    expect(versions.map(({ entry }) => [entry.sourceIds, entry.metadata])).toEqual([
      [["t2"], { channel: "mail" }],
      [["t2"], { channel: "mail" }],
    ]);
    expect(await filesHolding(folder, "Zwettl")).toEqual([]);
  });
});

describe("what a forgotten turn added to an entry", () => {
  const WHOLE = "Ilse moved to Graz with her sister Zwettla in 2019.";
  const merging: NonNullable<SimpleMemOptions["stages"]>["consolidate"] = {
    async consolidate({ items }) {
      const decisions = items.map(({ item, candidates }) => {
        const target = candidates[0]?.entry.entryId;
        const text = item.losslessRestatement;
        return target === undefined ? ({ op: "add" } as const) : ({ op: "merge", target, text } as const);
      });
      return { decisions, rejections: [] };
    },
  };

  it("goes with it: the words, the vector, the details, the versions, and the bytes", async () => {
    const { folder, remove } = await temporaryFolder();
    onTestFinished(remove);
    const { memory, embeddings } = await opened({ uri: folder, stages: { consolidate: merging } });
    const entry = await told(memory, "t1", "I moved to Graz.");
    await said(memory, "t2", "I moved to Graz with my sister Zwettla in 2019.");
    await memory.update(entry.entryId, { importance: 1 });
    expect((await memory.get(entry.entryId))?.losslessRestatement).toContain("Zwettla");
    embeddings.texts.length = 0;
    await memory.forget({ ids: ["t2"], purge: true });
    const left = await memory.get(entry.entryId);
    expect({ ...left, updatedAt: "" }).toEqual({ ...entry, importance: 1, updatedAt: "" });
    expect(embeddings.texts).toEqual([entry.losslessRestatement]);
    expect((await memory.history(entry.entryId)).map(({ op }) => op)).toEqual(["extracted", "updated", "forgotten"]);
    expect(await filesHolding(folder, "Zwettla")).toEqual([]);
  });

  it("stays where a hand wrote it, and goes where a hand only brought it back", async () => {
    const { memory } = await opened({ stages: { consolidate: merging } });
    const { entryId, losslessRestatement } = await told(memory, "t1", "I moved to Graz.");
    await said(memory, "t2", "I moved to Graz with my sister Zwettla in 2019.");
    await memory.update(entryId, { text: WHOLE });
    await memory.restore(entryId, 2);
    await memory.forget({ ids: ["t2"] });
    const versions = await memory.history(entryId);
    expect(versions.map(({ op, entry }) => [op, entry.losslessRestatement])).toEqual([
      ["extracted", losslessRestatement],
      ["updated", WHOLE],
      ["forgotten", WHOLE],
    ]);
  });

  it("forgets nothing when the embedder fails", async () => {
    const { memory, embeddings } = await opened({ stages: { consolidate: merging } });
    const { entryId } = await told(memory, "t1", "I moved to Graz.");
    await said(memory, "t2", "I moved to Graz with my sister Zwettla in 2019.");
    const entry = await memory.get(entryId);
    embeddings.embedDocuments = () => Promise.reject(new Error("busy"));
    await expect(memory.forget({ ids: ["t2"] })).rejects.toThrow("busy");
    expect(await memory.get(entryId)).toEqual(entry);
    expect((await memory.turns()).map(({ dialogueId }) => dialogueId)).toEqual(["t1", "t2"]);
  });
});

describe("restore", () => {
  it("makes a former version the current one, and rewrites no history", async () => {
    const { memory, time } = await opened();
    const entry = await told(memory, "t1", "I live in Graz.");
    await memory.update(entry.entryId, { text: "Ilse lives in Linz.", persons: [] });
    time.now += DAY;
    const restored = await memory.restore(entry.entryId, 1, { reason: "was right" });
    expect({ ...restored, updatedAt: "" }).toEqual({ ...entry, updatedAt: "" });
    expect(
      (await memory.history(entry.entryId)).map(({ op, entry: { losslessRestatement } }) => [op, losslessRestatement]),
    ).toEqual([
      ["extracted", entry.losslessRestatement],
      ["updated", "Ilse lives in Linz."],
      ["restored", entry.losslessRestatement],
    ]);
    const { hits } = await memory.search("Graz", { views: ["semantic"], planning: "never" });
    expect(hits.map(({ id }) => id)).toContain(entry.entryId);
    await expect(memory.restore(entry.entryId, 9)).rejects.toThrow(/versions 1 to 3/);
    await expect(memory.restore(entry.entryId, 0)).rejects.toMatchObject({ name: "InvalidInputError" });
  });

  it("names what superseded it, and takes its place back by force", async () => {
    const { memory, time } = await opened();
    const old = await told(memory, "t1", "I live in Graz.");
    const middle = await told(memory, "t2", "I live in Linz now.", { timestamp: "2025-03-02T10:00:00Z" });
    const last = await told(memory, "t3", "I live in Wels now.", { timestamp: "2025-03-03T10:00:00Z" });
    expect((await memory.get(middle.entryId))?.status).toBe("superseded");
    time.now += DAY;
    await expect(memory.restore(old.entryId, 1)).rejects.toMatchObject({
      name: "EntryConflictError",
      entryIds: [last.entryId],
    });
    await memory.restore(old.entryId, 1, { force: true });
    expect(await memory.get(old.entryId)).toMatchObject({ status: "active", validTo: null, supersededBy: null });
    expect(await memory.get(last.entryId)).toMatchObject({ status: "superseded", supersededBy: old.entryId });
    expect((await memory.list()).items.map(({ entryId }) => entryId)).toEqual([old.entryId]);
  });

  it("needs no force when what superseded it is gone", async () => {
    const { memory } = await opened();
    const old = await told(memory, "t1", "I live in Graz.");
    const now = await told(memory, "t2", "I live in Linz now.", { timestamp: "2025-03-02T10:00:00Z" });
    await memory.forget({ ids: [now.entryId] });
    await memory.restore(old.entryId, 1);
    expect((await memory.get(old.entryId))?.status).toBe("active");
  });

  it("keeps a forgotten turn out of versions that once stood on it", async () => {
    const { memory } = await opened();
    const { entryId } = await told(memory, "t1", "I live in Graz.");
    await said(memory, "t2", "I live in Graz.");
    await memory.restore(entryId, 1);
    await memory.forget({ ids: ["t2"] });
    const named = (await memory.history(entryId)).flatMap(({ turnIds, entry }) => [...turnIds, ...entry.sourceIds]);
    expect(new Set(named)).toEqual(new Set(["t1"]));
  });
});

describe("why", () => {
  it("shows the turns, who made the entry, what was done to it, and that the turns bear it out", async () => {
    const { memory } = await opened();
    const { entryId } = await told(memory, "t1", "I live in Graz.");
    const why = await memory.why(entryId);
    expect(
      why.sources.map(({ dialogueId, speaker, content, timestamp }) => [dialogueId, speaker, content, timestamp]),
    ).toEqual([["t1", "Ilse", "I live in Graz.", "2025-03-01T10:00:00.000Z"]]);
    expect(why).toMatchObject({ extractedBy: "rule", doubt: null, guards: [], missingSources: [], review: [] });
    expect(why.operations.map(({ op }) => op)).toEqual(["extracted"]);
  });

  it("shows what the turns do not bear out, in what a model said or a caller wrote", async () => {
    const { memory } = await opened({ llms: { extract: extracting("Ilse paid 4711 euros for a clock") } });
    const { entryId } = await told(memory, "t1", "I bought a clock.");
    const why = await memory.why(entryId);
    expect(why).toMatchObject({ extractedBy: "model", doubt: "ungrounded_number", review: ["low_confidence"] });
    expect(why.guards).toContainEqual({ code: "ungrounded_number", detail: "4711" });
    await memory.update(entryId, { text: "Ilse bought a clock" });
    expect((await memory.why(entryId)).guards).toEqual([]);
  });
});

describe("pin", () => {
  it("sets a mark that filters find, and unpin takes it away", async () => {
    const { memory } = await opened();
    const home = await told(memory, "t1", "I live in Graz.");
    const work = await told(memory, "t2", "I repair clocks.");
    await memory.pin(home.entryId);
    const ids = async (pinned: boolean): Promise<string[]> =>
      (await memory.list({ filter: { pinned } })).items.map(({ entryId }) => entryId);
    expect(await ids(true)).toEqual([home.entryId]);
    expect(await ids(false)).toEqual([work.entryId]);
    const { hits } = await memory.search("Graz", { filter: { pinned: true } });
    expect(hits.map(({ id }) => id)).toEqual([home.entryId]);
    await memory.unpin(home.entryId);
    expect(await ids(true)).toEqual([]);
  });
});

describe("trust and metadata as filters", () => {
  const text = (entry: MemoryEntry): string => entry.losslessRestatement;

  it("find entries by whose words they are, and raw turns by their role", async () => {
    const { memory } = await opened();
    await memory.add([
      { id: "u", speaker: "Ilse", content: "I live in Graz." },
      { id: "a", speaker: "Sage", role: "assistant", content: "Trams in Graz are red." },
      { id: "s", speaker: "program", role: "system", content: "The fair in Graz opens in May." },
    ]);
    const turns = async (trust: "user" | "assistant" | "tool" | "import"): Promise<string[]> =>
      (await memory.search("Graz", { filter: { trust }, views: ["episodic"] })).hits.map(({ id }) => id);
    expect(await turns("user")).toEqual(["u"]);
    expect(await turns("assistant")).toEqual(["a"]);
    expect(await turns("tool")).toEqual(["s"]);
    expect(await turns("import")).toEqual([]);
    await memory.flush();
    const { items } = await memory.list({ filter: { trust: ["user", "import"] } });
    expect(items.map(({ trust }) => trust)).toEqual(["user"]);
  });

  it("find entries by the metadata of the turns that prove them, and the turns too", async () => {
    const { memory } = await opened();
    await memory.add([
      { id: "m", speaker: "Ilse", content: "I live in Graz.", metadata: { channel: "mail", case: { id: 7 } } },
      { id: "c", speaker: "Ilse", content: "I repair clocks in Graz.", metadata: { channel: "chat" } },
    ]);
    const turns = await memory.search("Graz", { filter: { metadata: { channel: "mail" } } });
    expect(turns.hits.map(({ id }) => id)).toEqual(["m"]);
    await memory.flush();
    const byMail = await memory.list({ filter: { metadata: { channel: "mail", case: { id: 7 } } } });
    expect(byMail.items.map(text)).toEqual([expect.stringContaining("Graz")]);
    expect(byMail.items[0]?.sourceIds).toEqual(["m"]);
    const found = await memory.search("Graz", { filter: { metadata: { channel: "chat" } } });
    expect(found.hits.map(({ sourceIds }) => sourceIds[0])).toEqual(["c"]);
    expect((await memory.search("Graz", { filter: { metadata: { channel: "fax" } } })).hits).toEqual([]);
  });

  it("keep what an entry has when it is said again elsewhere", async () => {
    const { memory } = await opened();
    const { entryId } = await told(memory, "t1", "I live in Graz.", { metadata: { channel: "mail" } });
    await said(memory, "t2", "I live in Graz.", { metadata: { channel: "chat", topic: "home" } });
    expect((await memory.get(entryId))?.metadata).toEqual({ channel: "mail", topic: "home" });
  });
});

it("a window that is stored a second time leaves alone what was corrected since", async () => {
  const { memory } = await opened();
  const { updateAll } = LanceLedger.prototype;
  let isBroken = true;
  vi.spyOn(LanceLedger.prototype, "updateAll").mockImplementation(async function (this: LanceLedger, ...given) {
    if (isBroken && given[3].state === "stored") {
      isBroken = false;
      throw new Error("disk full");
    }
    return updateAll.apply(this, given);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const { entryId } = await told(memory, "t1", "I live in Graz.");
  expect((await memory.stats()).windows.stored).toBe(0);
  const corrected = await memory.update(entryId, { text: "Ilse lives in Linz." });
  expect((await memory.flush()).windows.stored).toBe(1);
  expect(await memory.get(entryId)).toEqual(corrected);
  expect((await memory.history(entryId)).map(({ op }) => op)).toEqual(["extracted", "updated"]);
});
