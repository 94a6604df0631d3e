import { describe, expect, it, onTestFinished } from "vitest";
import { type ExtractedItem, type MemoryEntry, SimpleMem, type SimpleMemOptions } from "../../src/index.js";
import { FakeEmbeddings } from "../support/fakes.js";

const START = Date.parse("2025-03-01T12:00:00Z");

/** An extractor that takes each turn as it is: as sure as its metadata says. */
const extract: NonNullable<SimpleMemOptions["stages"]>["extract"] = {
  async extract({ turns }) {
    const items = turns.map(
      (turn): ExtractedItem => ({
        losslessRestatement: turn.content,
        keywords: [],
        timestamp: null,
        timestampEnd: null,
        mentionedAt: turn.timestamp,
        location: null,
        persons: ["Ilse"],
        entities: [],
        topic: null,
        attributes: {},
        kind: "fact",
        speaker: turn.speaker,
        sourceRole: turn.role,
        sourceIds: [turn.dialogueId],
        confidence: Number(turn.metadata.sure ?? 0.9),
        importance: 0.5,
      }),
    );
    return { items, rejections: [], openQuestions: [], incomplete: false };
  },
};

async function opened(review: SimpleMemOptions["review"] = {}) {
  const time = { now: START };
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    window: { idleMs: 0 },
    embeddings: new FakeEmbeddings(8, () => [1, 0, 0, 0, 0, 0, 0, 0]),
    clock: () => time.now,
    stages: { extract },
    review,
  });
  onTestFinished(() => simplemem.close({ flush: false }));
  const memory = simplemem.scope({ userId: "u-ilse" });
  const ANY = ["active", "done", "superseded", "conflicted", "doubtful", "pending_review", "archived"] as const;
  return {
    memory,
    time,
    /** Says it, and gives the entry that was made of it. */
    async told(content: string, more: { role?: "user" | "assistant" | "tool"; sure?: number } = {}) {
      const { role = "user", sure = 0.9 } = more;
      time.now += 1000;
      await memory.add({ speaker: "Ilse", role, content, timestamp: "2025-03-01T10:00:00Z", metadata: { sure } });
      await memory.flush();
      const { items } = await memory.list({ status: ANY });
      const entry = items.find(({ losslessRestatement }) => losslessRestatement === content);
      if (entry === undefined) throw new Error(`nothing was made of ${content}`);
      return entry;
    },
    async statusOf({ entryId }: MemoryEntry) {
      return (await memory.get(entryId))?.status;
    },
    async queued() {
      const { items } = await memory.review.list();
      return items.map(({ entry, reasons }) => [entry.losslessRestatement, reasons]);
    },
  };
}

describe("review.list", () => {
  it("gives what is contradicted, doubted, or from a source that is not trusted, and nothing else", async () => {
    const { memory, told, queued } = await opened();
    await told("Ilse repairs clocks", { role: "user" });
    await told("Ilse owns a boat", { sure: 0.5 });
    await told("Ilse pays by card", { role: "tool" });
    await told("Ilse likes tea", { role: "assistant" });
    await told("Ilse lives in Graz");
    await told("Ilse lives in Linz");
    expect(await queued()).toEqual([
      ["Ilse owns a boat", ["low_confidence"]],
      ["Ilse pays by card", ["untrusted_source"]],
      ["Ilse lives in Graz", ["conflicted"]],
      ["Ilse lives in Linz", ["conflicted"]],
    ]);
    const first = await memory.review.list({ limit: 3 });
    const second = await memory.review.list({
      limit: 3,
      ...(first.cursor === undefined ? {} : { cursor: first.cursor }),
    });
    expect([...first.items, ...second.items]).toEqual((await memory.review.list()).items);
    expect(second.items).toHaveLength(1);
    await expect(memory.review.list({ limit: 0 })).rejects.toMatchObject({ name: "InvalidInputError" });
  });

  it("goes by the rule that the memory was opened with", async () => {
    const { told, queued } = await opened({ belowConfidence: 0.2, untrusted: ["assistant"] });
    await told("Ilse owns a boat", { sure: 0.5 });
    await told("Ilse pays by card", { role: "tool" });
    await told("Ilse likes tea", { role: "assistant" });
    expect(await queued()).toEqual([["Ilse likes tea", ["untrusted_source"]]]);
  });

  it("does not hold what was put away", async () => {
    const { memory, told, queued } = await opened();
    const { entryId } = await told("Ilse owns a boat", { sure: 0.5 });
    await memory.update(entryId, { status: "archived" });
    expect(await queued()).toEqual([]);
  });
});

describe("decisions", () => {
  it("an approved entry is as sure as what the user says, and leaves the queue", async () => {
    const { memory, told, queued, time } = await opened();
    const entry = await told("Ilse pays by card", { role: "tool", sure: 0.4 });
    time.now += 1000;
    const approved = await memory.review.approve(entry.entryId, { reason: "asked her" });
    expect(approved).toEqual({ ...entry, confidence: 1, trust: "user", updatedAt: new Date(time.now).toISOString() });
    expect(await queued()).toEqual([]);
    expect((await memory.history(entry.entryId)).at(-1)).toMatchObject({
      op: "approved",
      by: "user",
      reason: "asked her",
    });
    const again = memory.review.approve(entry.entryId);
    await expect(again).rejects.toThrow(/does not wait for a review/);
    await expect(memory.review.approve("nobody")).rejects.toMatchObject({ name: "EntryNotFoundError" });
  });

  it("of two that contradict each other the approved one stays, and the other is its history", async () => {
    const { memory, told, statusOf, queued } = await opened();
    const graz = await told("Ilse lives in Graz");
    const linz = await told("Ilse lives in Linz");
    await memory.review.approve(linz.entryId);
    expect([await statusOf(graz), await statusOf(linz)]).toEqual(["superseded", "active"]);
    expect((await memory.get(graz.entryId))?.supersededBy).toBe(linz.entryId);
    expect((await memory.get(linz.entryId))?.supersedes).toEqual([graz.entryId]);
    expect(await queued()).toEqual([]);
  });

  it("of two that contradict each other the rejected one is put away, and the other is free", async () => {
    const { memory, told, statusOf, queued, time } = await opened();
    const graz = await told("Ilse lives in Graz");
    const linz = await told("Ilse lives in Linz");
    const rejected = await memory.review.reject(graz.entryId, { reason: "a mistake" });
    expect(rejected).toMatchObject({ status: "archived", validTo: new Date(time.now).toISOString() });
    expect(await statusOf(linz)).toBe("active");
    expect(await queued()).toEqual([]);
    const { hits } = await memory.search("Ilse lives in Graz");
    expect(hits.filter(({ kind }) => kind === "entry").map(({ id }) => id)).not.toContain(graz.entryId);
  });

  it("an entry that several others contradict keeps them marked until each is decided on", async () => {
    const { memory, told, statusOf } = await opened();
    const graz = await told("Ilse lives in Graz");
    const linz = await told("Ilse lives in Linz");
    const wels = await told("Ilse lives in Wels");
    const statuses = async () => [await statusOf(graz), await statusOf(linz), await statusOf(wels)];
    expect(await statuses()).toEqual(["conflicted", "conflicted", "conflicted"]);
    await memory.review.reject(wels.entryId);
    expect(await statuses()).toEqual(["conflicted", "conflicted", "archived"]);
    await memory.review.reject(linz.entryId);
    expect(await statuses()).toEqual(["active", "archived", "archived"]);
  });

  it("edit corrects and approves in one version, or does neither", async () => {
    const { memory, told, queued } = await opened();
    const { entryId } = await told("Ilse owns a boat", { sure: 0.5 });
    await expect(memory.review.edit(entryId, { text: "" })).rejects.toMatchObject({ name: "InvalidInputError" });
    expect(await queued()).toHaveLength(1);
    const edited = await memory.review.edit(entryId, { text: "Ilse owns a canoe" });
    expect(edited).toMatchObject({ losslessRestatement: "Ilse owns a canoe", confidence: 1, status: "active" });
    expect((await memory.history(entryId)).map(({ op }) => op)).toEqual(["extracted", "approved"]);
  });

  it("update leaves it to the review what becomes of a contradicted entry", async () => {
    const { memory, told } = await opened();
    const graz = await told("Ilse lives in Graz");
    await told("Ilse lives in Linz");
    await expect(memory.update(graz.entryId, { status: "active" })).rejects.toThrow(/review.approve/);
  });
});

describe("review.hold", () => {
  it("keeps new entries that ask for a review out of every read until they are approved", async () => {
    const { memory, told, queued, statusOf } = await opened({ hold: true });
    const entry = await told("Ilse pays by card", { role: "tool" });
    expect(await statusOf(entry)).toBe("pending_review");
    expect(await queued()).toEqual([["Ilse pays by card", ["pending", "untrusted_source"]]]);
    const entries = async (): Promise<readonly string[]> =>
      (await memory.search("Ilse pays by card", { includeArchived: true })).hits.flatMap((hit) =>
        hit.kind === "entry" ? [hit.id] : [],
      );
    expect(await entries()).toEqual([]);
    expect((await memory.list()).items).toEqual([]);
    await memory.review.approve(entry.entryId);
    expect(await entries()).toEqual([entry.entryId]);
    const rejected = await told("Ilse owns a boat", { sure: 0.1 });
    await memory.review.reject(rejected.entryId);
    expect(await statusOf(rejected)).toBe("archived");
  });

  it("changes nothing that is known: what it would replace is replaced when it is approved", async () => {
    const { memory, told, statusOf, time } = await opened({ hold: true, untrusted: [] });
    const graz = await told("Ilse lives in Graz");
    await memory.add({
      speaker: "Ilse",
      content: "Ilse lives in Linz",
      timestamp: "2025-03-02T10:00:00Z",
      metadata: { sure: 0.3 },
    });
    await memory.flush();
    const [held] = (await memory.review.list()).items;
    expect(held?.entry).toMatchObject({ status: "pending_review", supersedes: [graz.entryId] });
    expect(await statusOf(graz)).toBe("active");
    time.now += 1000;
    await memory.review.approve(held?.entry.entryId ?? "");
    expect(await statusOf(graz)).toBe("superseded");
    expect((await memory.list()).items.map(({ losslessRestatement }) => losslessRestatement)).toEqual([
      "Ilse lives in Linz",
    ]);
  });
});
