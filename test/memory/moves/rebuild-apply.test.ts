import { expect, it } from "vitest";
import { filledAt } from "../../support/clocked.js";
import { FakeEmbeddings, fact, reply, ScriptedModel } from "../../support/fakes.js";

const SWITCHED = Date.parse("2025-04-01T12:00:00Z");

async function filled() {
  const { memory, simplemem, time } = await filledAt(SWITCHED - 86_400_000);
  time.now = SWITCHED;
  return { memory, simplemem, clock: time };
}

type Memory = Awaited<ReturnType<typeof filled>>["memory"];

async function texts(memory: Memory, options: Parameters<Memory["list"]>[0] = {}): Promise<string[]> {
  return (await memory.list(options)).items.map(({ losslessRestatement }) => losslessRestatement).sort();
}

async function theOne(memory: Memory, pattern: RegExp) {
  const found = (await memory.list()).items.find(({ losslessRestatement }) => pattern.test(losslessRestatement));
  if (found === undefined) throw new Error(`no entry matches ${pattern}`);
  return found;
}

async function everything(memory: Memory): Promise<string> {
  let text = "";
  for await (const line of memory.export()) text += line;
  return text;
}

/** A model that words t1 otherwise and gives t2 in these words. */
function otherModel(ofT2: string, ...more: Record<string, unknown>[]) {
  const items = [
    fact("Ilse lives in the city of Graz.", { source_ids: ["t1"], persons: ["Ilse"] }),
    fact(ofT2, { source_ids: ["t2"], persons: ["Ane"] }),
    ...more,
  ];
  return { with: { llms: { extract: new ScriptedModel([reply(...items)]) } }, apply: true } as const;
}

it("with the same options applying changes nothing", async () => {
  const { memory } = await filled();
  const before = await everything(memory);
  const { applied, entries } = await memory.rebuild({ apply: true });
  expect(applied).toEqual({ added: 0, retired: 0, changed: 0, kept: entries.now, held: 0 });
  expect(await everything(memory)).toBe(before);
});

it("without apply nothing is said to be applied", async () => {
  const { memory } = await filled();
  expect((await memory.rebuild()).applied).toBeNull();
});

it("new words are written, old ones are archived with a version that says why, the same words keep all they have", async () => {
  const { memory } = await filled();
  const [clocks, graz] = [await theOne(memory, /clocks/), await theOne(memory, /Graz/)];
  const { applied } = await memory.rebuild(otherModel(clocks.losslessRestatement));
  expect(applied).toEqual({ added: 1, retired: 1, changed: 0, kept: 1, held: 0 });
  expect(await texts(memory)).toEqual([clocks.losslessRestatement, "Ilse lives in the city of Graz."].sort());
  expect(await theOne(memory, /clocks/)).toEqual(clocks);
  const added = await theOne(memory, /city of Graz/);
  const history = await memory.history(graz.entryId);
  expect(history.at(-1)).toMatchObject({ op: "rebuilt", by: "maintenance", related: [added.entryId] });
  expect(history.at(-1)?.reason).toMatch(/other options/);
  expect(history.at(-1)?.entry.status).toBe("archived");
  expect((await memory.search("Where does Ilse live?")).hits[0]?.text).toMatch(/city of Graz/);
});

it("a former version is restored, and the next rebuild leaves it to whom restored it", async () => {
  const { memory } = await filled();
  const [clocks, graz] = [await theOne(memory, /clocks/), await theOne(memory, /Graz/)];
  await memory.rebuild(otherModel(clocks.losslessRestatement));
  expect((await memory.restore(graz.entryId, 1)).status).toBe("active");
  await memory.rebuild(otherModel(clocks.losslessRestatement));
  expect(await texts(memory)).toContain(graz.losslessRestatement);
});

it("a rebuild with the former options brings the former entries back under their ids", async () => {
  const { memory } = await filled();
  const before = (await memory.list()).items.map(({ entryId }) => entryId).sort();
  await memory.rebuild(otherModel("Ane is a clockmaker."));
  await memory.rebuild({ apply: true });
  expect((await memory.list()).items.map(({ entryId }) => entryId).sort()).toEqual(before);
});

it("asOf before the switch tells what was believed then", async () => {
  const { memory } = await filled();
  const before = await texts(memory);
  await memory.rebuild(otherModel("Ane is a clockmaker."));
  expect(await texts(memory)).toEqual(["Ane is a clockmaker.", "Ilse lives in the city of Graz."]);
  expect(await texts(memory, { asOf: "2025-03-15" })).toEqual(before);
  expect(await texts(memory, { asOf: "2025-04-01T12:00:00Z" })).toEqual(await texts(memory));
});

it("what a person corrected or pinned stays, and its new twin is not added", async () => {
  const { memory } = await filled();
  const [clocks, graz] = [await theOne(memory, /clocks/), await theOne(memory, /Graz/)];
  const corrected = await memory.update(graz.entryId, { text: "Ilse lives in Porthaven." });
  const pinned = await memory.pin(clocks.entryId);
  const { applied } = await memory.rebuild(otherModel("Ane is a clockmaker."));
  expect(applied).toEqual({ added: 0, retired: 0, changed: 0, kept: 2, held: 2 });
  expect(await theOne(memory, /Porthaven/)).toEqual(corrected);
  expect(await theOne(memory, /clocks/)).toEqual(pinned);
});

it("the words from before a correction are not added again beside it", async () => {
  const { memory } = await filled();
  const graz = await theOne(memory, /Graz/);
  await memory.update(graz.entryId, { text: "Ilse lives in Porthaven." });
  await memory.rebuild({ apply: true });
  expect((await texts(memory)).join()).not.toMatch(/Graz/);
});

it("beside what a person corrected, other statements of the turn are neither lost nor said twice", async () => {
  const { memory } = await filled();
  const first = otherModel("Ane repairs clocks.", fact("Ilse has a sister.", { source_ids: ["t2"] }));
  await memory.rebuild(first);
  await memory.update((await theOne(memory, /Ane repairs/)).entryId, { text: "Ane repairs watches." });
  await memory.rebuild(otherModel("Ane mends clocks.", fact("Ilse's sister is Ane.", { source_ids: ["t2"] })));
  expect(await texts(memory)).toEqual([
    "Ane repairs watches.",
    "Ilse has a sister.",
    "Ilse lives in the city of Graz.",
  ]);
});

it("forgotten entries do not come back, in whatever words", async () => {
  const { memory } = await filled();
  await memory.rebuild(otherModel("Ane repairs clocks.", fact("Ane has debts.", { source_ids: ["t2"] })));
  await memory.forget({ ids: [(await theOne(memory, /debts/)).entryId] });
  await memory.rebuild(otherModel("Ane repairs clocks.", fact("Ane owes money.", { source_ids: ["t2"] })));
  expect((await texts(memory, { status: ["active", "archived", "superseded"] })).join()).not.toMatch(/debts|money/);
  await memory.forget({ ids: ["t1"] });
  await memory.rebuild(otherModel("Ane repairs clocks."));
  expect((await texts(memory)).join()).not.toMatch(/Graz/);
});

it("turns that come meanwhile are left to the flush, and what came of them stands", async () => {
  const { memory } = await filled();
  const clocks = (await theOne(memory, /clocks/)).losslessRestatement;
  const model = new ScriptedModel([
    async () => {
      await memory.add({ id: "t3", speaker: "Ilse", content: "I moved to Linz.", timestamp: "2025-03-20T10:00:00Z" });
      await memory.flush();
      await memory.add({ id: "t4", speaker: "Ilse", content: "I like tea.", timestamp: "2025-03-21T10:00:00Z" });
      return reply(
        fact("Ilse lives in the city of Graz.", { source_ids: ["t1"] }),
        fact(clocks, { source_ids: ["t2"] }),
      );
    },
  ]);
  await memory.rebuild({ with: { llms: { extract: model } }, apply: true });
  expect((await texts(memory)).join()).toMatch(/Linz/);
  expect((await memory.stats()).pendingTurns).toBe(1);
  await memory.flush();
  expect((await texts(memory)).join()).toMatch(/tea/);
  expect((await memory.turns()).map(({ dialogueId }) => dialogueId)).toEqual(["t1", "t2", "t3", "t4"]);
});

it("nothing is changed when a turn is forgotten meanwhile", async () => {
  const { memory } = await filled();
  const model = new ScriptedModel([
    async () => {
      await memory.forget({ ids: ["t1"] });
      return reply(fact("Somebody lives in Graz with Ane.", { source_ids: ["t2"] }));
    },
  ]);
  await expect(memory.rebuild({ with: { llms: { extract: model } }, apply: true })).rejects.toMatchObject({
    name: "EntryConflictError",
  });
  expect((await texts(memory, { status: ["active", "archived"] })).join()).not.toMatch(/Graz/);
});

it("turns, facts and the scope of others are untouched", async () => {
  const { memory, simplemem } = await filled();
  await memory.facts.remember("home.city", "Graz");
  const other = simplemem.scope({ userId: "u-jon", userName: "Jon" });
  await other.add({ id: "t1", speaker: "Jon", content: "I live in Wels." });
  await other.flush();
  const before = await everything(other);
  const [turns, facts, { windows }] = [await memory.turns(), await memory.facts.list(), await memory.stats()];
  await memory.rebuild(otherModel("Ane is a clockmaker."));
  expect([await memory.turns(), await memory.facts.list(), (await memory.stats()).windows]).toEqual([
    turns,
    facts,
    windows,
  ]);
  expect(await everything(other)).toBe(before);
});

it("applied twice it is applied once", async () => {
  const { memory } = await filled();
  await memory.rebuild(otherModel("Ane is a clockmaker."));
  const once = await everything(memory);
  expect((await memory.rebuild(otherModel("Ane is a clockmaker."))).applied).toMatchObject({ added: 0, retired: 0 });
  expect(await everything(memory)).toBe(once);
});

it("two at once come to what one comes to", async () => {
  const { memory } = await filled();
  await Promise.all([
    memory.rebuild(otherModel("Ane is a clockmaker.")),
    memory.rebuild(otherModel("Ane is a clockmaker.")),
  ]);
  expect(await texts(memory)).toEqual(["Ane is a clockmaker.", "Ilse lives in the city of Graz."]);
});

it("another embedder among the options judges, but what is written has vectors of the store's own", async () => {
  const { memory } = await filled();
  const { with: options } = otherModel("Ane is a clockmaker.");
  await memory.rebuild({ with: { ...options, embeddings: new FakeEmbeddings(24) }, apply: true });
  expect((await theOne(memory, /clockmaker/)).embeddingModel).toBe("fake-16");
  const { hits } = await memory.search("Who is a clockmaker?", { views: ["semantic"] });
  expect(hits[0]?.text).toBe("Ane is a clockmaker.");
});
