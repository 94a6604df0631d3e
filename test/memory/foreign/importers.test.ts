import { describe, expect, it, onTestFinished } from "vitest";
import {
  fromLangGraphItems,
  fromLocomo,
  fromMem0,
  fromOpenAiMessages,
  ImportError,
  SimpleMem,
} from "../../../src/index.js";
import { FakeEmbeddings } from "../../support/fakes.js";

async function freshMemory() {
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    window: { idleMs: 0 },
    embeddings: new FakeEmbeddings(32),
    clock: () => Date.parse("2025-04-01T12:00:00Z"),
  });
  onTestFinished(() => simplemem.close({ flush: false }));
  return simplemem.scope({ userId: "ilse", sessionId: "chat-7" });
}

const MEM0 = {
  results: [
    {
      id: "m2",
      memory: "Ilse likes tea with honey",
      user_id: "ilse",
      hash: "x",
      metadata: { channel: "mail" },
      categories: ["food"],
      created_at: "2024-07-26T10:29:36.630547-07:00",
      updated_at: null,
    },
    { id: "m1", memory: "Ilse lives in Graz", user_id: "ilse", metadata: null, created_at: "2023-01-02T10:00:00" },
  ],
  relations: [],
};

describe("fromMem0", () => {
  it("makes an entry of trust import of each memory, with its metadata, its time and the statement as its proof", async () => {
    const memory = await freshMemory();
    expect(await memory.import(fromMem0(MEM0))).toMatchObject({ turns: { added: 2 }, entries: { added: 2 } });
    const { items } = await memory.list({ filter: { trust: "import" } });
    expect(
      items.map(({ losslessRestatement, mentionedAt, topic }) => [losslessRestatement, mentionedAt, topic]),
    ).toEqual([
      ["Ilse lives in Graz", "2023-01-02T10:00:00.000Z", null],
      ["Ilse likes tea with honey", "2024-07-26T17:29:36.630Z", "food"],
    ]);
    expect((await memory.why(items[1]?.entryId ?? "")).missingSources).toEqual([]);
    const mail = await memory.list({ filter: { metadata: { channel: "mail", importedFrom: "mem0" } } });
    expect(mail.items).toHaveLength(1);
    expect((await memory.search("Where does Ilse live?")).hits[0]?.text).toMatch(/Graz/);
    expect((await memory.import(fromMem0(MEM0.results))).entries).toMatchObject({ added: 0, known: 2 });
  });

  it("reads what the JavaScript package gives, and takes one of several users", async () => {
    const list = [
      {
        id: "a",
        memory: "Ilse rows.",
        userId: "ilse",
        createdAt: "2024-01-01T00:00:00Z",
        updatedAt: "2024-02-01T00:00:00Z",
      },
      { id: "b", memory: "Bram skis.", userId: "bram", createdAt: "2024-01-01T00:00:00Z" },
    ];
    expect(() => fromMem0(list)).toThrow(/several users \(ilse, bram\)/);
    const lines = [...fromMem0(list, { userId: "ilse" })].join("");
    expect(lines).toMatch(/rows/);
    expect(lines).not.toMatch(/Bram/);
  });

  it.each([
    [{ results: [{ id: "a", created_at: "2024-01-01" }] }, /memory 1, field memory/],
    [[{ id: "a", memory: "x", created_at: "yesterday" }], /memory 1, field created_at/],
    [[{ id: "a", memory: "x" }], /memory 1 says neither/],
    ["text", /must be a list of memories/],
  ])("refuses %j by a typed error that names the field", (input, message) => {
    expect(() => fromMem0(input)).toThrow(ImportError);
    expect(() => fromMem0(input)).toThrow(message);
  });
});

describe("fromLangGraphItems", () => {
  const times = { created_at: "2024-05-01T09:00:00Z", updated_at: "2024-06-01T09:00:00Z" };
  const namespace = ["users", "ilse"];

  it("makes entries of items that hold a sentence, and facts of the others", async () => {
    const memory = await freshMemory();
    const items = [
      { namespace, key: "k1", value: { kind: "Memory", content: { content: "Ilse repairs old clocks" } }, ...times },
      { namespace, key: "diet", value: { text: "vegan" }, ...times },
      { namespace, key: "limits", value: { km: 5, days: ["mon"] }, createdAt: new Date(0), updatedAt: new Date(0) },
    ];
    expect(await memory.import(fromLangGraphItems(items))).toMatchObject({
      entries: { added: 1 },
      facts: { added: 2 },
    });
    expect((await memory.list()).items[0]).toMatchObject({
      losslessRestatement: "Ilse repairs old clocks",
      trust: "import",
      metadata: { namespace, key: "k1" },
    });
    const facts = await memory.facts.list({ sessions: "all" });
    expect(facts.map(({ key, value, category }) => [key, value, category])).toEqual([
      ["users/ilse/limits", '{"km":5,"days":["mon"]}', "users/ilse"],
      ["users/ilse/diet", "vegan", "users/ilse"],
    ]);
  });

  it("refuses an item without a time by a typed error that names it", () => {
    expect(() => fromLangGraphItems([{ namespace, key: "k", value: { a: 1 } }])).toThrow(/item 1: has neither/);
  });
});

describe("fromOpenAiMessages", () => {
  const messages = [
    { role: "system", content: "You are kind." },
    {
      role: "user",
      name: "Ilse",
      content: [
        { type: "text", text: "I moved to Graz." },
        { type: "image_url", image_url: {} },
      ],
    },
    { role: "assistant", content: null, tool_calls: [{}] },
    { role: "assistant", content: "How nice.", created_at: 1714554300 },
  ];
  const options = { sessionId: "chat-7", startedAt: "2024-05-01T09:00:00Z" };

  it("gives turns that wait for a flush, with roles, names and times", async () => {
    const memory = await freshMemory();
    expect((await memory.import(fromOpenAiMessages(messages, options))).turns.added).toBe(3);
    expect(
      (await memory.turns()).map(({ speaker, role, content, timestamp }) => [speaker, role, content, timestamp]),
    ).toEqual([
      ["system", "system", "You are kind.", "2024-05-01T09:00:00.000Z"],
      ["Ilse", "user", "I moved to Graz.\n[image]", "2024-05-01T09:01:00.000Z"],
      ["Assistant", "assistant", "How nice.", "2024-05-01T09:05:00.000Z"],
    ]);
    await memory.flush();
    expect((await memory.search("Where does Ilse live?")).hits[0]?.text).toMatch(/Graz/);
    expect((await memory.import(fromOpenAiMessages(messages, options))).turns).toMatchObject({ added: 0, known: 3 });
  });

  it("an old chat never overrides today", async () => {
    const memory = await freshMemory();
    await memory.add({ speaker: "Ilse", content: "I live in Linz.", timestamp: "2025-03-05T10:00:00Z" });
    await memory.flush();
    const old = [{ role: "user", name: "Ilse", content: "I live in Graz." }];
    await memory.import(fromOpenAiMessages(old, { ...options, sessionId: "old" }));
    await memory.flush();
    expect((await memory.list()).items.map(({ losslessRestatement }) => losslessRestatement).join()).toMatch(
      /^[^G]*Linz[^G]*$/,
    );
  });

  it("refuses a wrong role and a missing time by typed errors that name the message", () => {
    expect(() => fromOpenAiMessages([{ role: "boss", content: "x" }], options)).toThrow(/message 1, field role/);
    const untimed = [{ role: "user", content: "x" }];
    expect(() => fromOpenAiMessages(untimed, { sessionId: "s" })).toThrow(/message 1 carries no time/);
  });
});

describe("fromLocomo", () => {
  const conversation = {
    session_2_date_time: "4:04 pm on 20 January, 2023",
    session_2: [{ speaker: "Ane", dia_id: "D2:1", text: "I repair clocks.", blip_caption: "a clock" }],
    session_1_date_time: "10:00 am on 2 January, 2023",
    session_1: [{ speaker: "Ilse", dia_id: "D1:1", text: "I live in Graz." }],
    speaker_a: "Ilse",
  };

  it("gives turns in the order of the sessions, with their times", async () => {
    const memory = await freshMemory();
    await memory.import(fromLocomo({ sample_id: "c", conversation, qa: [] }, { name: "c" }));
    await memory.flush();
    const { items } = await memory.list();
    const [first, ...later] = items.map(({ sourceIds, mentionedAt }) => [sourceIds.join(), mentionedAt]);
    expect(first).toEqual(["c/D1:1", "2023-01-02T10:00:00.000Z"]);
    expect(later[0]).toEqual(["c/D2:1", "2023-01-20T16:04:00.000Z"]);
    expect(items.map(({ sessionId }) => sessionId).slice(0, 2)).toEqual(["c/session_1", "c/session_2"]);
  });

  it("refuses a session whose time cannot be read", () => {
    expect(() => fromLocomo({ ...conversation, session_1_date_time: "noon" })).toThrow(/"noon" is no session time/);
  });
});
