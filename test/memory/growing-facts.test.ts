import { expect, it } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { FakeEmbeddings, fact, ScriptedModel } from "../support/fakes.js";

const SAME = () => [1, 0, 0, 0, 0, 0, 0, 0.1];
const newLines = (prompt: string): string => prompt.slice(prompt.lastIndexOf("\nNEW"));

/** What a profile holds besides its text. */
const PROFILE = {
  keywords: ["workshop", "trade"],
  persons: ["Ilse"],
  entities: ["Fern Museum"],
  location: "Dunmore",
  topic: "work",
  attributes: { tool: "file" },
} as const;

type Reply = (text: string) => unknown;

/** Replies of a model that returns the new text and next to nothing else. */
it.each<[string, string, string, Reply]>([
  [
    "the text alone",
    "Ilse mends clocks of the Fern Museum",
    "Ilse mends clocks of the Fern Museum with a lens",
    (text) => ({ lossless_restatement: text }),
  ],
  [
    "empty lists",
    "Ilse plays the cello for the Fern Museum",
    "Ilse plays the cello for the Fern Museum in a quartet",
    (text) => fact(text),
  ],
  [
    "null in every field",
    "Ilse grows tomatoes for the Fern Museum",
    "Ilse grows tomatoes for the Fern Museum on a balcony",
    (text) => ({
      lossless_restatement: text,
      keywords: null,
      persons: null,
      entities: null,
      location: null,
      topic: null,
      attributes: null,
      kind: null,
      timestamp: null,
    }),
  ],
  [
    "blanks",
    "Ilse collects stamps of the Fern Museum",
    "Ilse collects stamps of the Fern Museum with birds",
    (text) => fact(text, { location: " ", topic: "", keywords: [""], entities: [" "] }),
  ],
  [
    "wrong types",
    "Ilse restores chairs for the Fern Museum",
    "Ilse restores oak chairs for the Fern Museum",
    (text) => ({
      lossless_restatement: text,
      location: ["x"],
      topic: 7,
      attributes: "none",
      kind: 5,
      keywords: {},
      persons: 3,
    }),
  ],
  [
    "another place and topic",
    "Ilse weaves rugs for the Fern Museum",
    "Ilse weaves wool rugs for the Fern Museum",
    (text) => fact(text, { location: "Skerrow", topic: "rugs" }),
  ],
  [
    "another value of an attribute",
    "Ilse carves spoons for the Fern Museum",
    "Ilse carves birch spoons for the Fern Museum",
    (text) => fact(text, { attributes: { tool: "knife" } }),
  ],
  [
    "a person less",
    "Ilse paints signs for the Fern Museum",
    "Ilse paints signs for the Fern Museum by hand",
    (text) => fact(text, { persons: [] }),
  ],
  [
    "another kind",
    "Ilse binds books for the Fern Museum",
    "Ilse binds leather books for the Fern Museum",
    (text) => fact(text, { kind: "preference" }),
  ],
  [
    "the list within an object",
    "Ilse bakes bread for the Fern Museum",
    "Ilse bakes rye bread for the Fern Museum",
    (text) => ({ entries: [{ lossless_restatement: text }] }),
  ],
  [
    "an id and metadata of its own",
    "Ilse sharpens knives for the Fern Museum",
    "Ilse sharpens knives for the Fern Museum on a stone",
    (text) => ({ ...fact(text), entry_id: "x", metadata: {}, createdAt: "1970" }),
  ],
  ["Chinese", "林若收集旧邮票", "林若收集旧邮票和明信片", (text) => ({ lossless_restatement: text })],
])(
  "a longer text that comes with %s takes the place of the known one, and every other field stays (R52)",
  async (_title, first, more, answer) => {
    let now = Date.parse("2025-01-01T12:00:00Z");
    const person = first.startsWith("林若") ? "林若" : "Ilse";
    const entities = person === "Ilse" ? [...PROFILE.entities] : [];
    const profile = { ...PROFILE, persons: [person], entities };
    const model = new ScriptedModel([
      (prompt) => {
        if (prompt.includes("You compare")) return '{"operations":[]}';
        return JSON.stringify(newLines(prompt).includes(more) ? answer(more) : [fact(first, profile)]);
      },
    ]);
    const embeddings = new FakeEmbeddings(8, SAME);
    await using simplemem = await SimpleMem.open({
      uri: "memory://",
      llm: model,
      embeddings,
      window: { idleMs: 0 },
      clock: () => now,
    });
    const memory = simplemem.scope({ userId: "u-ilse" });
    const tell = async (id: string, content: string) => {
      await memory.add({ id, speaker: person, content: `${content}.` });
      return memory.flush();
    };
    await tell("t1", first);
    const [before] = (await memory.list()).items;
    now += 60_000;
    const report = await tell("t2", more);
    expect(report.entries).toMatchObject({ merged: 1, added: 0, superseded: 0 });
    const { items } = await memory.list({ status: ["active", "superseded", "conflicted"] });
    expect(items).toHaveLength(1);
    const [after] = items;
    expect(after).toMatchObject({ losslessRestatement: more, sourceIds: ["t1", "t2"] });
    for (const field of [
      "entryId",
      "location",
      "topic",
      "attributes",
      "kind",
      "metadata",
      "createdAt",
      "status",
      "pinned",
      "validFrom",
      "sessionId",
      "speaker",
    ] as const) {
      expect([field, after?.[field]]).toEqual([field, before?.[field]]);
    }
    expect(after?.persons).toEqual([person]);
    expect(after?.entities).toEqual(entities);
    expect(after?.keywords).toEqual(expect.arrayContaining([...PROFILE.keywords]));
    expect(Date.parse(after?.updatedAt ?? "")).toBeGreaterThan(Date.parse(before?.updatedAt ?? ""));
    expect(embeddings.texts.filter((text) => text === more)).toHaveLength(1);
  },
);
