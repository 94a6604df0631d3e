import { describe, expect, it } from "vitest";
import { type Consolidator, SimpleMem } from "../../src/index.js";
import { createRuleConsolidator } from "../../src/stages/consolidate/index.js";

const at = (day: number): string => `2025-03-${String(day).padStart(2, "0")}T12:00:00Z`;

/** One turn a session, so that each is a window of its own. */
function told(...texts: readonly string[]) {
  return texts.map((content, index) => ({
    id: `t${index}`,
    speaker: "Ilse",
    content,
    timestamp: at(index + 1),
    sessionId: `s${index}`,
  }));
}

function open(consolidate?: Consolidator): Promise<SimpleMem> {
  return SimpleMem.open({
    uri: "memory://",
    window: { idleMs: 0 },
    ...(consolidate === undefined ? {} : { stages: { consolidate } }),
  });
}

/** Notes how many items each call gets, and throws when one of them holds the word. */
function watched(sizes: number[], poison?: string): Consolidator {
  const rules = createRuleConsolidator();
  return {
    itemsAtOnce: 100,
    consolidate: async (input, run) => {
      sizes.push(input.items.length);
      const isPoisoned = input.items.some(
        ({ item }) => poison !== undefined && item.losslessRestatement.includes(poison),
      );
      if (isPoisoned) throw new Error(`cannot compare ${poison}`);
      return rules.consolidate(input, run);
    },
  };
}

const texts = async (simplemem: SimpleMem, status: "active" | "superseded"): Promise<string[]> => {
  const { items } = await simplemem.scope({ userId: "ilse" }).list({ status });
  return items.map((entry) => entry.losslessRestatement);
};

describe("windows that wait together", () => {
  it("are handed to a consolidator that takes them in one call", async () => {
    const sizes: number[] = [];
    await using simplemem = await open(watched(sizes));
    const memory = simplemem.scope({ userId: "ilse" });
    await memory.add(told("I adopted a greyhound called Pim.", "My locker code is 4417.", "I work at Quill & Fern."));
    const report = await memory.flush();
    expect(report.windows).toEqual({ stored: 3, failed: 0, pending: 0 });
    expect(sizes).toEqual([report.entries.added]);
  });

  it("are handed over one by one to a consolidator that does not say how many it takes", async () => {
    const sizes: number[] = [];
    const { consolidate } = watched(sizes);
    await using simplemem = await open({ consolidate });
    const memory = simplemem.scope({ userId: "ilse" });
    await memory.add(told("I adopted a greyhound called Pim.", "My locker code is 4417.", "I work at Quill & Fern."));
    await memory.flush();
    expect(sizes).toHaveLength(3);
  });

  it("do not fail together when one of them cannot be compared", async () => {
    await using simplemem = await open(watched([], "4417"));
    const memory = simplemem.scope({ userId: "ilse" });
    await memory.add(told("I adopted a greyhound called Pim.", "My locker code is 4417.", "I work at Quill & Fern."));
    const report = await memory.flush();
    expect(report.windows).toMatchObject({ stored: 2, pending: 1 });
    expect(report.failures).toMatchObject([{ stage: "consolidate", attempts: 1, final: false }]);
    expect((await texts(simplemem, "active")).join(" ")).toMatch(/Pim.*Quill & Fern/);
    expect((await memory.search("locker code")).hits[0]?.text).toContain("4417");
  });

  it("R49: what was true, became untrue and is true again holds, though all of it waits", async () => {
    await using simplemem = await open();
    const memory = simplemem.scope({ userId: "ilse" });
    await memory.add(told("I live in Dunmore.", "I live in Porthaven now.", "I live in Dunmore."));
    await memory.flush();
    expect(await texts(simplemem, "active")).toEqual([expect.stringContaining("Dunmore")]);
    expect(await texts(simplemem, "superseded")).toHaveLength(2);
  });

  it("give a fact that is told three times one entry with three sources", async () => {
    await using simplemem = await open();
    const memory = simplemem.scope({ userId: "ilse" });
    await memory.add(told("I am allergic to walnuts.", "I am allergic to walnuts.", "I am allergic to walnuts."));
    const report = await memory.flush();
    expect(report.entries).toMatchObject({ added: 1, skipped: 2 });
    const { items } = await memory.list();
    expect(items.map((entry) => entry.sourceIds)).toEqual([["t0", "t1", "t2"]]);
  });

  it("leave the same entries, in one call or one by one", async () => {
    const said = told(
      "I live in Dunmore.",
      "I have a greyhound.",
      "I live in Porthaven now.",
      "I have a grey greyhound.",
      "I like figs.",
      "I do not like figs.",
      "I live in Porthaven.",
    );
    const results = [];
    for (const { itemsAtOnce, ...stage } of [createRuleConsolidator(), watched([])].map((one) => ({ ...one }))) {
      const taken = results.length === 0 ? { itemsAtOnce: itemsAtOnce ?? 1 } : {};
      await using simplemem = await open({ ...stage, ...taken });
      const memory = simplemem.scope({ userId: "ilse" });
      await memory.add(said);
      await memory.flush();
      results.push({ active: await texts(simplemem, "active"), superseded: await texts(simplemem, "superseded") });
    }
    expect(results[0]).toEqual(results[1]);
    expect(results[0]?.superseded.length).toBeGreaterThan(1);
  });
});
