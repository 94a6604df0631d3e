import { describe, expect, it, onTestFinished, vi } from "vitest";
import { DimensionMismatchError, SimpleMem, type SimpleMemOptions } from "../../src/index.js";
import { Breaker } from "../../src/retrievers/breaker.js";
import { FakeEmbeddings } from "../support/fakes.js";

/** An embedder whose queries, and only they, can be made to fail. */
class QueryEmbeddings extends FakeEmbeddings {
  reply: ((text: string) => Promise<number[]>) | undefined;

  override async embedQuery(text: string): Promise<number[]> {
    const vector = await super.embedQuery(text);
    return this.reply === undefined ? vector : this.reply(text);
  }
}

const DAY = "2025-03-04T10:00:00Z";
const TURNS = [
  { id: "t1", speaker: "Ilse", content: "I adopted a greyhound called Rill.", timestamp: DAY },
  { id: "t2", speaker: "Bram", content: "I bake rye bread on Sundays.", timestamp: "2025-03-05T10:00:00Z" },
  { id: "t3", speaker: "Ilse", content: "The greyhound sleeps near the stove.", timestamp: "2025-03-06T10:00:00Z" },
];

async function open(embeddings = new QueryEmbeddings(), options: Partial<SimpleMemOptions> = {}) {
  const simplemem = await SimpleMem.open({ uri: "memory://", window: { idleMs: 0 }, embeddings, ...options });
  onTestFinished(() => simplemem.close());
  return simplemem.scope({ userId: "u-ilse" });
}

async function filled(embeddings = new QueryEmbeddings(), options: Partial<SimpleMemOptions> = {}) {
  const memory = await open(embeddings, options);
  await memory.add(TURNS);
  expect((await memory.flush()).failures).toEqual([]);
  return memory;
}

describe("R23: a search that can find nothing gives an empty list", () => {
  it.each(["greyhound", "", "   ", "?!", "🙂", "' OR 1=1 --", "绿茶"])("on an empty store, for %j", async (query) => {
    const memory = await open();
    expect((await memory.search(query)).hits).toEqual([]);
  });

  it("for a blank text, without asking the embedder", async () => {
    const embeddings = new QueryEmbeddings();
    const memory = await filled(embeddings);
    const before = embeddings.queryCalls;
    for (const query of ["", " \n\t "]) {
      const result = await memory.search(query);
      expect(result.hits).toEqual([]);
      expect(result.degraded).toBeUndefined();
    }
    expect(embeddings.queryCalls).toBe(before);
  });

  it("no longer finds what was forgotten, and still finds the rest", async () => {
    const memory = await filled();
    const { hits } = await memory.search("rye bread");
    expect(hits[0]?.sourceIds).toEqual(["t2"]);
    await memory.forget({ ids: hits.filter((hit) => hit.sourceIds.includes("t2")).map((hit) => hit.id) });
    const after = await memory.search("rye bread");
    expect(after.hits.flatMap((hit) => hit.sourceIds)).not.toContain("t2");
    expect((await memory.search("greyhound")).hits.length).toBeGreaterThan(0);
  });

  it.each([
    { after: "2099-01-01" },
    { before: "1999-01-01" },
    { sessionId: "no-such-session" },
    { persons: ["Nobody"] },
    { speaker: "Nobody" },
    { metadata: { colour: "red" } },
  ])("when the filter %j matches nothing", async (filter) => {
    const memory = await filled();
    expect((await memory.search("greyhound", { filter })).hits).toEqual([]);
  });
});

describe("R26: the lexical view alone finds words of scripts without spaces", () => {
  const ROWS = [
    ["绿茶", "zh", "小王每天早上喝一杯绿茶。"],
    ["東京", "ja", "田中さんは去年の春に東京へ引っ越しました。"],
    ["남산", "ko", "민수는 남산 근처에서 일한다."],
  ] as const;

  it("each query its own row, and one character too", async () => {
    const memory = await open();
    await memory.add([
      ...ROWS.map(([, id, content]) => ({ id, speaker: "小王", content, timestamp: DAY })),
      { id: "other", speaker: "小王", content: "会议改到了星期五下午。", timestamp: DAY },
    ]);
    expect((await memory.flush()).failures).toEqual([]);
    for (const [query, id] of [...ROWS, ["茶", "zh"] as const]) {
      const { hits } = await memory.search(query, { views: ["lexical"] });
      // Neighbours follow: an entry is also found, lower, by the words that stood around its turn.
      expect.soft([query, hits[0]?.sourceIds]).toEqual([query, [id]]);
      expect.soft(hits[0]?.views).toEqual(["lexical"]);
    }
    expect((await memory.search("咖啡", { views: ["lexical"] })).hits).toEqual([]);
  });
});

describe("R30: a bad query vector costs its leg, not the search", () => {
  it.each([
    ["NaN", async () => Array.from({ length: 8 }, () => Number.NaN)],
    ["infinite", async () => Array.from({ length: 8 }, () => Number.POSITIVE_INFINITY)],
    ["all zero", async () => Array.from({ length: 8 }, () => 0)],
    ["empty", async () => []],
    ["an error", () => Promise.reject(new Error("503"))],
  ])("%s: found by words, and said so", async (_, reply) => {
    const embeddings = new QueryEmbeddings();
    const memory = await filled(embeddings);
    embeddings.reply = reply;
    const result = await memory.search("greyhound");
    expect(result.hits[0]?.text).toMatch(/greyhound/);
    expect(result.degraded).toMatch(/words only/);
    expect(result.usage.embeddedTexts).toBe(0);
    embeddings.reply = undefined;
  });

  it("a vector of another length is a typed error", async () => {
    const embeddings = new QueryEmbeddings();
    const memory = await filled(embeddings);
    embeddings.reply = async () => [1, 2, 3];
    await expect(memory.search("greyhound")).rejects.toBeInstanceOf(DimensionMismatchError);
  });

  it("says nothing of the kind when all is well", async () => {
    const memory = await filled();
    expect(await memory.search("greyhound")).not.toHaveProperty("degraded");
  });
});

describe("R78: an embedder that never answers", () => {
  it("costs one timeout at a time, and after three failures nothing", async () => {
    const embeddings = new QueryEmbeddings();
    const memory = await filled(embeddings, { limits: { embedTimeoutMs: 5 } });
    embeddings.reply = () => new Promise(() => undefined);
    for (let search = 0; search < 3; search += 1) {
      const result = await memory.search("greyhound", { planning: "never" });
      expect(result.degraded).toMatch(/did not answer in 5 ms/);
      expect(result.hits[0]?.text).toMatch(/greyhound/);
    }
    const calls = embeddings.queryCalls;
    const result = await memory.search("greyhound", { planning: "never" });
    expect(result.degraded).toMatch(/left alone/);
    expect(result.hits[0]?.text).toMatch(/greyhound/);
    expect(embeddings.queryCalls).toBe(calls);
  });

  it("is asked again after half a minute", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const call = vi.fn<() => Promise<string>>(() => new Promise(() => undefined));
    const breaker = new Breaker({ timeoutMs: 1000, clock: Date.now });
    const attempt = async () => {
      const outcome = breaker.run(call).then(String, String);
      await vi.advanceTimersByTimeAsync(1000);
      return outcome;
    };
    for (let index = 0; index < 3; index += 1) expect(await attempt()).toMatch(/did not answer in 1000 ms/);
    expect(await attempt()).toMatch(/left alone/);
    expect(call).toHaveBeenCalledTimes(3);
    await vi.advanceTimersByTimeAsync(30_000);
    call.mockResolvedValue("back");
    expect(await attempt()).toBe("back");
    expect(call).toHaveBeenCalledTimes(4);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("counts only failures in a row", async () => {
    const breaker = new Breaker({ timeoutMs: 1000, clock: () => 0 });
    const fail = () => breaker.run(() => Promise.reject(new Error("503"))).catch(String);
    const work = () => breaker.run(async () => "fine");
    await fail();
    await fail();
    expect(await work()).toBe("fine");
    await fail();
    await fail();
    expect(await work()).toBe("fine");
  });
});

describe("the ranking", () => {
  it("scores in 0 to 1, best first", async () => {
    const memory = await filled();
    for (const query of ["greyhound", "When did Ilse adopt a greyhound?", "bread stove Rill Bram", "zebra"]) {
      const scores = (await memory.search(query)).hits.map((hit) => hit.score);
      expect(scores).toEqual([...scores].sort((left, right) => right - left));
      expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
    }
  });

  it("gives one hit for one turn, with every view that found it", async () => {
    const memory = await filled();
    const { hits } = await memory.search("rye bread");
    const proving = hits.filter((hit) => hit.sourceIds.includes("t2"));
    expect(proving).toHaveLength(1);
    expect(proving[0]?.views).toEqual(expect.arrayContaining(["semantic", "lexical", "episodic"]));
  });

  it("keeps turns of two sessions apart though they share an id", async () => {
    const memory = await open();
    const said = (sessionId: string, content: string) => ({ id: "t1", speaker: "Ilse", content, sessionId });
    await memory.add(said("s1", "The lighthouse keeper is called Oswin."));
    await memory.flush();
    await memory.add(said("s2", "The lighthouse was painted white."));
    const { hits } = await memory.search("lighthouse");
    expect([...new Set(hits.map((hit) => hit.sessionId))].sort()).toEqual(["s1", "s2"]);
    expect(new Set(hits.map((hit) => `${hit.sessionId} ${hit.id}`)).size).toBe(hits.length);
    const ofSecond = hits.filter((hit) => hit.sessionId === "s2");
    expect(ofSecond.map((hit) => hit.text)).toEqual(["The lighthouse was painted white."]);
  });

  it("embeds one text when planning is off", async () => {
    const embeddings = new QueryEmbeddings();
    const memory = await filled(embeddings);
    const before = embeddings.queryCalls;
    const { usage } = await memory.search("When did Ilse adopt the greyhound?", { planning: "never" });
    expect(embeddings.queryCalls).toBe(before + 1);
    expect(usage.embeddedTexts).toBe(1);
  });

  it("cuts at k and at the token budget, from the best down", async () => {
    const memory = await filled(undefined, { countTokens: (text) => text.split(/\s+/).length });
    const all = (await memory.search("greyhound bread stove")).hits;
    expect(all.length).toBeGreaterThanOrEqual(3);
    const ids = (hits: typeof all) => hits.map((hit) => hit.id);
    expect(ids((await memory.search("greyhound bread stove", { k: 2 })).hits)).toEqual(ids(all.slice(0, 2)));
    const first = all[0]?.text.split(/\s+/).length ?? 0;
    expect(ids((await memory.search("greyhound bread stove", { maxTokens: first })).hits)).toEqual(
      ids(all.slice(0, 1)),
    );
    expect((await memory.search("greyhound bread stove", { maxTokens: 0 })).hits).toEqual([]);
  });

  it("orders by time on request, among the best k", async () => {
    const memory = await filled();
    const times = async (order: "newest" | "oldest") =>
      (await memory.search("greyhound bread", { order })).hits.map((hit) => hit.timestamp ?? "");
    const oldest = await times("oldest");
    expect(oldest.length).toBeGreaterThanOrEqual(3);
    expect(oldest).toEqual([...oldest].sort());
    expect(await times("newest")).toEqual([...oldest].reverse());
  });
});
