import { describe, expect, it } from "vitest";
import { type ForgetReceipt, SimpleMem } from "../../src/index.js";
import { FakeEmbeddings, fact, reply, ScriptedModel } from "../support/fakes.js";
import { filesHolding, freshFolder } from "../support/folders.js";

type Step = (prompt: string) => string | Promise<string>;

const newLines = (prompt: string): string => prompt.slice(prompt.lastIndexOf("\nNEW"));
const linesOf = (prompt: string): (readonly [label: string, said: string])[] =>
  [...newLines(prompt).matchAll(/\[([^\]]+)\] \([^)]*\) Ilse \(user\): (.+)/g)].map(([, label = "", text = ""]) => [
    label,
    text,
  ]);

/** One entry for each new line, in its own words. */
const restating: Step = (prompt) =>
  prompt.includes("You compare")
    ? '{"operations":[]}'
    : reply(...linesOf(prompt).map(([label, text]) => fact(`Ilse said: ${text}`, { source_ids: [label] })));

async function openWith(step: Step = restating, uri = freshFolder()) {
  const simplemem = await SimpleMem.open({
    uri,
    llm: new ScriptedModel([step]),
    embeddings: new FakeEmbeddings(),
    window: { idleMs: 0 },
  });
  return { uri, simplemem, memory: simplemem.scope({ userId: "u-ilse", sessionId: "s1" }) };
}

const said = (id: string, content: string) => ({ id, speaker: "Ilse", content, timestamp: "2025-03-04T10:00:00Z" });
const TALK = [
  said("t1", "My boat lies in Dunmore."),
  said("t2-quokkasecret", "The quokka sleeps under the zwettla bridge."),
  said("t3", "It rained in Linz."),
  said("t4", "The clock in the hall is slow."),
];
const TRACES = ["quokka", "zwettla", "quokkasecret"];

function expectClean(uri: string, receipt: ForgetReceipt): void {
  expect(receipt).toMatchObject({ purged: true, verified: true });
  expect(receipt.checks?.filter(({ left }) => left > 0)).toEqual([]);
  expect(receipt.checks?.map(({ what }) => what)).toContain("files");
  for (const trace of TRACES) expect([trace, filesHolding(uri, trace)]).toEqual([trace, []]);
}

describe("a purge of one turn among others leaves nothing of it (R59)", () => {
  it("neither in the words of its neighbours, nor in its window, nor its id", async () => {
    const { uri, simplemem, memory } = await openWith();
    await memory.add(TALK);
    await memory.flush();
    expect(filesHolding(uri, "quokka")).not.toEqual([]);
    expectClean(uri, await memory.forget({ ids: ["t2-quokkasecret"], purge: true }));
    expect((await memory.list()).items.flatMap(({ sourceIds }) => sourceIds).sort()).toEqual(["t1", "t3", "t4"]);
    const { hits } = await memory.search("quokka under the zwettla bridge", { views: ["lexical"], planning: "never" });
    expect(hits).toEqual([]);
    await simplemem.close();
  });

  it("nor when it waits, or is only the context of what waits", async () => {
    const { uri, simplemem, memory } = await openWith();
    await memory.add(TALK.slice(0, 2));
    await memory.flush();
    await memory.add(TALK.slice(2));
    expectClean(uri, await memory.forget({ ids: ["t2-quokkasecret"], purge: true }));
    await memory.flush();
    expect((await memory.list()).items.flatMap(({ sourceIds }) => sourceIds).sort()).toEqual(["t1", "t3", "t4"]);
    await simplemem.close();
  });

  it("nor in an entry that another turn proves and that borrowed its words; that turn is read once more", async () => {
    const borrowing: Step = (prompt) => {
      const lines = linesOf(prompt);
      const [quokka, ...rest] = [...lines].sort(([, left]) => (left.includes("quokka") ? -1 : 1));
      if (quokka?.[1].includes("quokka") !== true) return restating(prompt);
      const labels = rest.map(([label]) => label);
      return reply(fact("It rained in Linz on the zwettla bridge.", { source_ids: labels.slice(-1) }));
    };
    const { uri, simplemem, memory } = await openWith(borrowing);
    await memory.add([TALK[1], TALK[2]].flatMap((turn) => turn ?? []));
    await memory.flush();
    expect((await memory.list()).items.map(({ sourceIds }) => sourceIds)).toEqual([["t3"]]);
    expectClean(uri, await memory.forget({ ids: ["t2-quokkasecret"], purge: true }));
    expect((await memory.list()).items).toEqual([]);
    await memory.flush();
    const { items } = await memory.list();
    expect(items.map(({ losslessRestatement }) => losslessRestatement)).toEqual(["Ilse said: It rained in Linz."]);
    await simplemem.close();
  });
});

describe("a purge of one entry", () => {
  it("leaves nothing of it in the ledger, while its turn proves another", async () => {
    const both: Step = (prompt) => {
      const [[label] = [""]] = linesOf(prompt);
      return reply(
        fact("Ilse keeps a quokka.", { source_ids: [label] }),
        fact("Ilse lives in Dunmore.", { source_ids: [label] }),
      );
    };
    const { uri, simplemem, memory } = await openWith(both);
    await memory.add(said("t1", "I live in Dunmore with an animal."));
    await memory.flush();
    const { items } = await memory.list();
    const quokka = items.find(({ losslessRestatement }) => losslessRestatement.includes("quokka"));
    const receipt = await memory.forget({ ids: [quokka?.entryId ?? ""], purge: true });
    expect(receipt.removed).toEqual({ entries: 1, turns: 0, facts: 0, windows: 0 });
    expectClean(uri, receipt);
    expect((await memory.turns()).map(({ dialogueId }) => dialogueId)).toEqual(["t1"]);
    expect((await memory.list()).items).toHaveLength(1);
    await simplemem.close();
  });
});

describe("the receipt of a purge", () => {
  it("says what went, from which tables, what was checked by which means, and holds nothing that was said", async () => {
    const { simplemem, memory } = await openWith();
    await memory.add(TALK);
    await memory.flush();
    await memory.facts.remember("animal", "quokka");
    const receipt = await memory.forget({ all: true, purge: true });
    expect(JSON.parse(JSON.stringify(receipt))).toEqual(receipt);
    expect(receipt).toMatchObject({
      removed: { entries: 4, turns: 4, facts: 1, windows: 1 },
      purged: true,
      verified: true,
      scope: { userId: "u-ilse" },
    });
    const tables = new Map(receipt.tables?.map((table) => [table.table, table]));
    for (const name of ["turns", "chunks", "entries", "facts", "ledger", "inbox"]) {
      expect([name, tables.get(name)]).toEqual([name, expect.objectContaining({ filesKept: 0 })]);
      expect(tables.get(name)?.versionsRemoved).toBeGreaterThan(0);
    }
    expect(receipt.bytes?.after).toBeLessThan(receipt.bytes?.before ?? 0);
    expect(JSON.stringify(receipt)).not.toMatch(/quokka|animal|t3/);
    await simplemem.close();
  });

  it("is signed: another store, or a changed word, does not pass", async () => {
    const { simplemem, memory } = await openWith(restating, "memory://");
    await memory.add(TALK);
    const receipt = await memory.forget({ all: true });
    expect(await simplemem.checkReceipt(receipt)).toBe(true);
    expect(await simplemem.checkReceipt(JSON.parse(JSON.stringify(receipt)))).toBe(true);
    expect(await simplemem.checkReceipt({ ...receipt, purged: true })).toBe(false);
    const { signature: _signature, ...unsigned } = receipt;
    expect(await simplemem.checkReceipt(unsigned)).toBe(false);
    const other = await openWith(restating, "memory://");
    expect(await other.simplemem.checkReceipt(receipt)).toBe(false);
    await simplemem.close();
    await other.simplemem.close();
  });

  it("of a user counts all agents' memories", async () => {
    const { uri, simplemem, memory } = await openWith();
    const agent = simplemem.scope({ userId: "u-ilse", agentId: "cook" });
    await memory.add(TALK.slice(0, 2));
    await agent.add(TALK);
    await memory.flush();
    await agent.flush();
    const receipt = await simplemem.users.delete("u-ilse", { purge: true });
    // What all agents know is not stored once more for one of them.
    expect(receipt.removed).toMatchObject({ turns: 6, entries: 4 });
    expectClean(uri, receipt);
    expect(filesHolding(uri, "u-ilse")).toEqual([]);
    expect(await simplemem.users.list()).toEqual([]);
    await simplemem.close();
  });
});
