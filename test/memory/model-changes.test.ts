import { expect, it } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { FakeEmbeddings, fact, reply, ScriptedModel } from "../support/fakes.js";

const SAME = () => [1, 0, 0, 0, 0, 0, 0, 0.1];

/** A memory whose embedder puts everything on one spot, so that only the words can tell facts apart. */
async function openWith(script: (prompt: string) => string) {
  const model = new ScriptedModel([script]);
  const embeddings = new FakeEmbeddings(8, SAME);
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    llm: model,
    embeddings,
    window: { idleMs: 0 },
  });
  return { simplemem, memory: simplemem.scope({ userId: "u-ilse", userName: "Ilse" }), embeddings, model };
}

type Memory = Awaited<ReturnType<typeof openWith>>["memory"];
const newOnes = (prompt: string): string => prompt.slice(prompt.lastIndexOf("\nNEW"));

async function tell(memory: Memory, content: string, timestamp: string) {
  await memory.add({ speaker: "Ilse", content, timestamp });
  return memory.flush();
}

async function current(memory: Memory): Promise<string[]> {
  return (await memory.list()).items.map((entry) => entry.losslessRestatement).sort();
}

/** Extracts what the turn says word for word, and decides as told. */
function script(operations: readonly unknown[], ...texts: string[]) {
  return (prompt: string): string => {
    if (prompt.includes("You compare")) return JSON.stringify({ operations });
    return reply(
      ...texts
        .filter((text) => newOnes(prompt).includes(text.replace("Ilse ", "")))
        .map((text) => fact(text, { persons: ["Ilse"] })),
    );
  };
}

const OLD = "Ilse mends clocks in a shop by the harbour";
const NEW = "Ilse mends clocks in a shed by the mill";

it.each([
  ["(a) supersede it", [{ item: 1, op: "supersede", target: 1 }], [NEW], 0],
  ["(b) delete it", [{ item: 1, op: "delete", target: 1 }], [NEW, OLD], 1],
  ["update an unknown one (R16)", [{ item: 1, op: "update", target: 7, text: "Ilse has a cat" }], [NEW, OLD], 1],
  ["supersede one that does not exist (R16)", [{ item: 1, op: "supersede", target: 2 }], [NEW, OLD], 1],
])("a correction asked to %s never leaves both missing (R49)", async (_title, operations, left, rejected) => {
  const { simplemem, memory } = await openWith(script(operations, OLD, NEW));
  await tell(memory, "mends clocks in a shop by the harbour.", "2025-01-01T10:00:00Z");
  const report = await tell(memory, "mends clocks in a shed by the mill.", "2025-02-01T10:00:00Z");
  expect(await current(memory)).toEqual([...left].sort());
  expect(report.entries.rejected).toBe(rejected);
  const all = await memory.list({ status: ["active", "superseded"] });
  const old = all.items.find((entry) => entry.losslessRestatement === OLD);
  expect(old?.status).toBe(left.includes(OLD) ? "active" : "superseded");
  if (old?.status === "superseded") expect(old.validTo).not.toBeNull();
  await simplemem.close();
});

it("(c) keeps the old fact and the window while the embedder rejects the new text (R49)", async () => {
  const { simplemem, memory, embeddings } = await openWith(script([{ item: 1, op: "supersede", target: 1 }], OLD, NEW));
  await tell(memory, "mends clocks in a shop by the harbour.", "2025-01-01T10:00:00Z");
  const embed = embeddings.embedDocuments.bind(embeddings);
  let isBroken = true;
  embeddings.embedDocuments = async (texts) => {
    if (isBroken && texts.includes(NEW)) throw new Error("rejected");
    return embed(texts);
  };
  const failed = await tell(memory, "mends clocks in a shed by the mill.", "2025-02-01T10:00:00Z");
  expect([failed.windows.pending, await current(memory)]).toEqual([1, [OLD]]);
  isBroken = false;
  await memory.flush();
  expect(await current(memory)).toEqual([NEW]);
  await simplemem.close();
});

it("a text that says more of a known fact takes its place, and every other field stays (R52)", async () => {
  const first = "Ilse mends clocks by the harbour";
  const more = "Ilse mends clocks by the harbour near the mill";
  const { simplemem, memory, embeddings } = await openWith((prompt) => {
    if (prompt.includes("You compare")) return JSON.stringify({ operations: [] });
    if (newOnes(prompt).includes("mill")) return reply(fact(more, { persons: ["Ilse"] }));
    const fields = { location: "harbour", keywords: ["clocks"], topic: "work", attributes: { tool: "file" } };
    return reply(fact(first, { persons: ["Ilse"], ...fields }));
  });
  await tell(memory, "mends clocks by the harbour.", "2025-01-01T10:00:00Z");
  const [before] = (await memory.list()).items;
  const report = await tell(memory, "mends clocks by the harbour near the mill.", "2025-02-01T10:00:00Z");
  const [after] = (await memory.list()).items;
  expect(report.entries).toMatchObject({ merged: 1, added: 0 });
  expect(after?.losslessRestatement).toBe(more);
  for (const field of ["entryId", "location", "topic", "attributes", "persons", "metadata", "createdAt"] as const) {
    expect(after?.[field]).toEqual(before?.[field]);
  }
  expect(after?.keywords).toEqual(expect.arrayContaining(["clocks"]));
  expect(after?.sourceIds).toHaveLength(2);
  expect(embeddings.texts.filter((text) => text === more)).toHaveLength(1);
  await simplemem.close();
});

it("a new pet ends neither job nor allergy, whatever the model says (R51)", async () => {
  const facts = ["Ilse is allergic to walnuts", "Ilse works at Quill & Fern", "Ilse adopted a greyhound"] as const;
  const operations = [1, 2].map((target) => ({ item: 1, op: "supersede", target }));
  const { simplemem, memory } = await openWith(script(operations, ...facts));
  for (const [index, text] of facts.entries()) {
    await tell(memory, `${text.replace("Ilse ", "")}.`, `2025-01-0${index + 1}T10:00:00Z`);
  }
  expect(await current(memory)).toEqual([...facts].sort());
  await simplemem.close();
});

it("a model that never answers is left behind at the deadline, and the turns stay (R78)", async () => {
  const never = new ScriptedModel([() => new Promise<string>(() => {})]);
  await using stalled = await SimpleMem.open({
    uri: "memory://",
    llm: never,
    embeddings: new FakeEmbeddings(),
    window: { idleMs: 0 },
    limits: { stageTimeoutMs: 50, tries: 9 },
  });
  const handle = stalled.scope({ userId: "u-ilse", userName: "Ilse" });
  await handle.add({ speaker: "Ilse", content: "I keep bees." });
  for (let round = 0; round < 5; round++) await handle.flush();
  expect(never.calls).toBe(3);
  expect((await handle.stats()).windows).toMatchObject({ pending: 1, failed: 0 });
  const answer = await handle.ask("What does Ilse keep?");
  expect(answer.answer).toMatch(/bees/);
});
