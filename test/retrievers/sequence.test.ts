import { describe, expect, it, onTestFinished } from "vitest";
import { type Hit, type SearchOptions, SimpleMem } from "../../src/index.js";

const STORY = [
  ["a1", "2025-03-03", "Mr. Tanaka ordered a pump for the Osaka plant."],
  ["b1", "2025-03-05", "Mr. Holm ordered two valves."],
  ["a2", "2025-03-20", "Mr. Tanaka sent the pump back because it leaked."],
  ["a3", "2025-04-02", "Mr. Tanaka wrote a complaint about the late reply."],
  ["c1", "2025-04-10", "I started to learn the cello."],
  ["a4", "2025-05-06", "Mr. Tanaka got his money back."],
  ["z1", "2025-03-04", "王芳订了一台水泵。"],
  ["z2", "2025-03-25", "王芳把水泵退回来了。"],
  ["z3", "2025-04-20", "王芳收到了退款。"],
] as const;

/** Told out of order: an old mail comes in last. */
const ARRIVAL = [3, 0, 8, 5, 1, 2, 7, 4, 6];

async function told() {
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    window: { idleMs: 0 },
    clock: () => Date.parse("2026-05-01T12:00:00Z"),
  });
  onTestFinished(() => simplemem.close({ flush: false }));
  const memory = simplemem.scope({ userId: "u-ilse" });
  const turns = ARRIVAL.flatMap((index) => STORY.slice(index, index + 1)).map(([id, day, content]) => ({
    id,
    speaker: "Ilse",
    content,
    sessionId: `s-${id[0]}`,
    timestamp: `${day}T10:00:00Z`,
  }));
  await memory.add(turns);
  expect((await memory.flush()).failures).toEqual([]);
  const ids = async (question: string, options: SearchOptions = {}): Promise<(string | undefined)[]> =>
    (await memory.search(question, { k: 6, ...options })).hits.map(({ sourceIds }) => sourceIds[0]);
  return { simplemem, memory, ids };
}

function said(content: string) {
  return [{ role: "user", speaker: "Ilse", content } as const];
}

function isFalling(hits: readonly Hit[]): boolean {
  return hits.every(({ score }, index) => index === 0 || score <= (hits[index - 1]?.score ?? 1));
}

describe("what followed", () => {
  it("R44: returns the chain of one whom the conversation named, from the event on, in the order of time", async () => {
    const { memory, ids } = await told();
    const recent = said("Mr. Tanaka sent the pump back in March, didn't he?");
    const question = "What happened with that customer afterwards?";
    const { hits } = await memory.search(question, { k: 6, recent });
    expect(hits.slice(0, 3).map(({ sourceIds }) => sourceIds[0])).toEqual(["a2", "a3", "a4"]);
    expect(isFalling(hits)).toBe(true);
    expect(hits.map(({ features }) => [features?.event !== undefined, features?.linked !== undefined])).toEqual([
      [true, false],
      [false, true],
      [false, true],
      [false, false],
      [false, false],
      [false, false],
    ]);
    expect((await memory.ask(question, { recent })).answer).toMatch(/complaint.*money/s);
    const chinese = said("王芳把水泵退回来了,对吧?");
    expect((await ids("那个客户后来怎么样了?", { recent: chinese })).slice(0, 2)).toEqual(["z2", "z3"]);
    expect((await memory.ask("那个客户后来怎么样了?", { recent: chinese })).answer).toMatch(/退款/);
  });

  it("gives the whole chain where no event is told, and its end for an outcome", async () => {
    const { memory, ids } = await told();
    expect((await ids("What happened with Mr. Tanaka afterwards?")).slice(0, 4)).toEqual(["a1", "a2", "a3", "a4"]);
    expect(await ids("How did it end with Mr. Tanaka?", { k: 3 })).toEqual(["a2", "a3", "a4"]);
    expect((await memory.ask("How did it end with Mr. Tanaka?")).answer).toMatch(/money back/);
    expect(await ids("What happened with Mr. Tanaka afterwards?", { k: 3 })).toEqual(["a1", "a2", "a3"]);
  });

  it("starts from an event that the question tells, and takes the names from it when it has none", async () => {
    const { ids } = await told();
    expect((await ids("Someone sent the pump back because it leaked. What happened next?")).slice(0, 3)).toEqual([
      "a2",
      "a3",
      "a4",
    ]);
  });

  it("keeps to the filter, the order and the time that the read asks for", async () => {
    const { memory, ids } = await told();
    const question = "What happened with Mr. Tanaka afterwards?";
    expect(await ids(question, { filter: { before: "2025-04-02" } })).not.toContain("a4");
    expect((await ids(question, { asOf: "2025-04-05" })).slice(0, 3)).toEqual(["a1", "a2", "a3"]);
    expect(await ids(question, { asOf: "2025-04-05" })).not.toContain("a4");
    expect((await ids(question, { order: "newest", k: 4 })).slice(0, 2)).toEqual(["a4", "a3"]);
    const { hits } = await memory.search(question, { views: ["lexical"] });
    expect(hits.every(({ features }) => features?.linked === undefined)).toBe(true);
    const [complaint] = (await memory.search("complaint", { k: 1 })).hits;
    await memory.update(complaint?.id ?? "", { status: "done" });
    expect((await ids(question)).slice(0, 4)).toEqual(["a1", "a2", "a3", "a4"]);
    await memory.update(complaint?.id ?? "", { status: "archived" });
    expect((await ids(question)).slice(0, 3)).toEqual(["a1", "a2", "a4"]);
  });

  it("stays within the scope", async () => {
    const { simplemem } = await told();
    const other = simplemem.scope({ userId: "u-bram" });
    await other.add({ id: "x", speaker: "Bram", content: "Mr. Tanaka ordered soup.", timestamp: "2025-02-01" });
    await other.flush();
    const { hits } = await other.search("What happened with Mr. Tanaka afterwards?");
    expect(hits.map(({ sourceIds }) => sourceIds)).toEqual([["x"]]);
  });
});

describe("the latest", () => {
  it("counts more among what is about it, and moves nothing else", async () => {
    const { memory, ids } = await told();
    expect((await ids("What is the latest about Mr. Tanaka?")).slice(0, 2)).toEqual(["a4", "a3"]);
    expect((await ids("王芳的最新情况是什么?")).slice(0, 2)).toEqual(["z3", "z2"]);
    expect((await memory.ask("What is the latest about Mr. Tanaka?")).answer).toMatch(/money back/);
    const { hits } = await memory.search("What is the latest about Mr. Tanaka?");
    expect(isFalling(hits)).toBe(true);
    const others = hits.filter(({ text }) => !text.includes("Tanaka"));
    expect(others.every(({ features }) => features?.latest === undefined)).toBe(true);
  });

  it("leaves a question that asks for no order as it was", async () => {
    const { memory } = await told();
    const { hits, plan } = await memory.search("What did Mr. Tanaka order?");
    expect(plan).not.toHaveProperty("sequence");
    expect(hits[0]?.sourceIds).toEqual(["a1"]);
    const extra = hits.flatMap(({ features }) => Object.keys(features ?? {}));
    for (const name of ["latest", "linked", "event"]) expect(extra).not.toContain(name);
  });
});
