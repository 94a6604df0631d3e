import { HumanMessage } from "@langchain/core/messages";
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { createRememberNode } from "../../src/graph/index.js";
import { SimpleMem, type SimpleMemOptions } from "../../src/index.js";
import { FakeEmbeddings, fact, reply, ScriptedModel } from "../support/fakes.js";
import { filesHolding, freshFolder } from "../support/folders.js";

async function openWith(options: Partial<SimpleMemOptions>): Promise<SimpleMem> {
  return SimpleMem.open({ uri: "memory://", window: { idleMs: 0 }, embeddings: new FakeEmbeddings(), ...options });
}

type Memory = ReturnType<SimpleMem["scope"]>;
const said = (content: string, more: Record<string, unknown> = {}) => ({ speaker: "Ilse Corrin", content, ...more });
const texts = async (memory: Memory): Promise<string[]> =>
  (await memory.list()).items.map((entry) => entry.losslessRestatement);

const newLines = (prompt: string): string => prompt.slice(prompt.lastIndexOf("\nNEW"));

describe("secrets (R64)", () => {
  const SECRETS = [
    ["db password is tr0ub-heron-77", "tr0ub-heron-77"],
    ["my key is sk-demo-AAAABBBBCCCCDDDDEEEE1111", "sk-demo-AAAABBBBCCCCDDDDEEEE1111"],
    ["the token: ghp_abcdefghijklmnopqrstuvwxyz012345", "ghp_abcdefghijklmnopqrstuvwxyz012345"],
    ["AKIAABCDEFGHIJKLMNOP opens the bucket", "AKIAABCDEFGHIJKLMNOP"],
    ["send Authorization: Bearer abc123def456ghi789", "abc123def456ghi789"],
    ["api key = qwerty-9911-zz", "qwerty-9911-zz"],
    ["passphrase: “correct-horse-9”", "correct-horse-9"],
    ["use xoxb-1234567890-abcdef", "xoxb-1234567890-abcdef"],
    ["我的密码是heron7788", "heron7788"],
    ["-----BEGIN PRIVATE KEY-----\nMIIabc\n-----END PRIVATE KEY-----", "MIIabc"],
  ] as const;

  it("reach neither prompt, row, file nor log, also when the reply repeats them or the question holds them", async () => {
    const logged: string[] = [];
    const log = (message: string, details?: Record<string, unknown>) =>
      logged.push(message + JSON.stringify(details ?? {}));
    const model = new ScriptedModel([
      (prompt) =>
        prompt.includes("You answer")
          ? '{"answer":"It is a secret.","citations":[1]}'
          : reply(...SECRETS.map(([text]) => fact(`Ilse Corrin said: ${text}`, { keywords: [text] }))),
    ]);
    const uri = freshFolder();
    const embeddings = new FakeEmbeddings();
    const simplemem = await openWith({
      uri,
      llm: model,
      embeddings,
      logger: { debug: log, info: log, warn: log, error: log },
    });
    const memory = simplemem.scope({ userId: "u-ilse" });
    await memory.add(SECRETS.map(([text]) => said(text)));
    const report = await memory.flush();
    expect(report.windows.stored).toBe(1);
    const asked = await memory.ask(`Is ${SECRETS.map(([text]) => text).join(" or ")} right?`);
    const everything = [
      ...model.prompts,
      ...embeddings.texts,
      ...logged,
      JSON.stringify([report, asked, await memory.list()]),
    ];
    await simplemem.close();
    for (const [, secret] of SECRETS) {
      expect(everything.filter((text) => text.includes(secret))).toEqual([]);
      expect(filesHolding(uri, secret)).toEqual([]);
    }
  });

  it("are what the caller says when the caller brings a redactor, and logs never hold what was said", async () => {
    const logged: string[] = [];
    const log = (message: string, details?: Record<string, unknown>) =>
      logged.push(message + JSON.stringify(details ?? {}));
    const model = new ScriptedModel(["no JSON: heron"]);
    await using simplemem = await openWith({
      llm: model,
      redact: (text) => text.replaceAll("heron", "bird"),
      logger: { debug: log, info: log, warn: log, error: log },
    });
    const memory = simplemem.scope({ userId: "u-ilse" });
    await memory.add(said("The heron nests in the quokka mill."));
    await memory.flush();
    expect(newLines(model.prompts[0] ?? "")).toContain("The bird nests");
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join("\n")).not.toMatch(/quokka|heron|bird/);
  });
});

describe("a history that is sent again every turn (R57)", () => {
  const history = ["I row", "I knit", "I sail", "I bake", "I paint"].map((content, index) => ({
    role: "user",
    content: `${content} on day ${index + 1}.`,
    id: `m${index}`,
  }));

  it.each([
    ["with ids", history],
    ["without ids", history.map(({ role, content }) => ({ role, content }))],
  ])("%s is new in exactly one prompt", async (_title, messages) => {
    const model = new ScriptedModel([
      (prompt) =>
        reply(
          ...[...newLines(prompt).matchAll(/\(user\): (.+)/g)].map(([, text]) =>
            fact(`Ilse said: ${text?.replace("I ", "Ilse can ")}`),
          ),
        ),
    ]);
    await using simplemem = await openWith({ llm: model });
    const memory = simplemem.scope({ userId: "u-ilse", userName: "Ilse" });
    for (let length = 1; length <= messages.length; length++) {
      await memory.add(messages.slice(0, length));
      await memory.flush();
    }
    const extractions = model.prompts.filter((prompt) => prompt.includes("One entry states one fact"));
    for (const { content } of messages) {
      expect(extractions.filter((prompt) => newLines(prompt).includes(content))).toHaveLength(1);
    }
    expect(await texts(memory)).toHaveLength(5);
  });
});

describe("messages of every form (R65)", () => {
  it("show their text, and pictures as a short placeholder", async () => {
    const model = new ScriptedModel(["[]"]);
    await using simplemem = await openWith({ llm: model });
    const memory = simplemem.scope({ userId: "u-ilse" });
    const image = { type: "image_url", image_url: { url: `data:image/png;base64,${"QUJD".repeat(10_000)}` } };
    await memory.add(new HumanMessage({ content: [{ type: "text", text: "This is my puppy Nacho" }, image] }));
    await memory.add(new HumanMessage({ content: [image] }));
    await memory.add([{ role: "user", content: "I row" }, ["human", "I knit"], { role: "assistant", content: [] }]);
    await memory.flush();
    const prompts = model.prompts.join("\n");
    for (const word of ["Nacho", "I row", "I knit"]) expect(prompts).toContain(word);
    expect(prompts).not.toMatch(/[A-Za-z0-9+/]{64}|\[object Object\]/);
  });
});

describe("within a host's graph", () => {
  it("no token of the memory's own calls reaches the host's stream (R67)", async () => {
    const host = new ScriptedModel(["Hello Ilse"]);
    const model = new ScriptedModel([reply(fact("Ilse keeps secret bees"))]);
    await using simplemem = await openWith({ llm: model });
    const memory = simplemem.scope({ userId: "u-ilse", userName: "Ilse" });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("answer", async (state) => ({ messages: [await host.invoke(state.messages)] }))
      .addNode("remember", createRememberNode({ memory, awaitWrites: true }))
      .addEdge(START, "answer")
      .addEdge("answer", "remember")
      .addEdge("remember", END)
      .compile();
    let shown = "";
    const stream = await graph.stream(
      { messages: [new HumanMessage("I keep secret bees.")] },
      { streamMode: "messages" },
    );
    for await (const [message] of stream) if (message.getType() === "ai") shown += message.text;
    expect(shown).toBe("Hello Ilse");
    expect(await texts(memory)).toEqual(["Ilse keeps secret bees"]);
  });

  it("what is found survives the checkpointer unchanged (R68)", async () => {
    await using simplemem = await openWith({ llm: new ScriptedModel([reply(fact("Ilse keeps bees"))]) });
    const memory = simplemem.scope({ userId: "u-ilse", userName: "Ilse" });
    await memory.add(said("I keep bees.", { metadata: { a: false, b: 0, c: "", d: null, e: [] } }));
    await memory.flush();
    const found = await memory.search("bees");
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("keep", () => ({ messages: [new HumanMessage({ content: "x", additional_kwargs: { found } })] }))
      .addEdge(START, "keep")
      .addEdge("keep", END)
      .compile({ checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: "1" } };
    await graph.invoke({ messages: [] }, config);
    const [message] = (await graph.getState(config)).values.messages;
    expect(message.additional_kwargs.found).toEqual(found);
    expect(JSON.parse(JSON.stringify(found))).toEqual(found);
  });
});

describe("calls for a question", () => {
  const model = () =>
    new ScriptedModel([
      (prompt) => {
        if (prompt.includes("You plan")) return JSON.stringify({ queries: ["Rill eats fish"], complexity: 0.2 });
        if (prompt.includes("You answer")) return JSON.stringify({ answer: "Fish.", citations: [1], confidence: 0.9 });
        if (prompt.includes("You judge")) return '{"sufficient":true}';
        return prompt.includes("You compare") ? '{"operations":[]}' : reply(fact("Rill, Ilse's greyhound, eats fish"));
      },
    ]);

  it("a simple one costs the answer alone; one that points back costs a plan as well, when there is a conversation", async () => {
    await using simplemem = await openWith({ llm: model() });
    const memory = simplemem.scope({ userId: "u-ilse", userName: "Ilse" });
    await memory.add(said("My greyhound Rill eats fish."));
    await memory.flush();
    expect((await memory.ask("What does Rill eat?")).usage.modelCalls).toBe(1);
    expect((await memory.ask("What does it eat?")).usage.modelCalls).toBe(1);
    const pointing = await memory.ask("What does it eat?", { recent: [said("I walked Rill today.")] });
    expect(pointing.usage.modelCalls).toBe(2);
    expect((await memory.search("What does Rill eat?", { planning: "never" })).usage.modelCalls).toBe(0);
    const hard = await memory.ask("Why do both Ilse and Rill eat fish, and since when?");
    expect(hard.usage.modelCalls).toBeLessThanOrEqual(4);
    expect((await memory.stats()).totals.modelCalls).toBe(1 + 1 + 1 + 2 + hard.usage.modelCalls);
  });

  it("streams an answer in pieces, and returns it with what proves it", async () => {
    const streaming = new ScriptedModel([
      (prompt) =>
        prompt.includes("You answer")
          ? "Rill eats fish.\nSOURCES: 1"
          : reply(fact("Rill, Ilse's greyhound, eats fish")),
    ]);
    await using simplemem = await openWith({ llm: streaming });
    const memory = simplemem.scope({ userId: "u-ilse", userName: "Ilse" });
    await memory.add(said("My greyhound Rill eats fish.", { id: "t1" }));
    await memory.flush();
    const pieces: string[] = [];
    const stream = memory.streamAsk("What does Rill eat?");
    let next = await stream.next();
    for (; next.done !== true; next = await stream.next()) pieces.push(next.value);
    expect(pieces.join("")).toBe("Rill eats fish.");
    expect(next.value).toMatchObject({ answer: "Rill eats fish.", abstained: false, usage: { modelCalls: 1 } });
    expect(next.value.citations[0]?.sourceIds).toEqual(["t1"]);
  });

  it("is answered by rules, marked degraded, when the model cannot be reached", async () => {
    let isDown = false;
    const flaky = new ScriptedModel([
      () =>
        isDown ? Promise.reject(Object.assign(new Error("down"), { status: 500 })) : reply(fact("Rill eats fish")),
    ]);
    await using simplemem = await openWith({ llm: flaky });
    const memory = simplemem.scope({ userId: "u-ilse", userName: "Ilse" });
    await memory.add(said("Rill eats fish."));
    await memory.flush();
    isDown = true;
    const answer = await memory.ask("What does Rill eat?");
    expect(answer).toMatchObject({
      abstained: false,
      degraded: expect.stringMatching(/by rules/),
      usage: { modelCalls: 2 },
    });
    const pieces: string[] = [];
    for await (const piece of memory.streamAsk("What does Rill eat?")) pieces.push(piece);
    expect(pieces.join("")).toBe(answer.answer);
  });
});

describe("a reply that is cut off every time (R07)", () => {
  it("leaves its whole items and an open window, and a later full reply adds only what was missing", async () => {
    const whole = reply(fact("Ilse likes figs"), fact("Ilse dislikes olives"), fact("Ilse is moving to Porthaven"));
    let isFull = false;
    const model = new ScriptedModel([() => (isFull ? whole : whole.slice(0, whole.indexOf("moving to") + 6))]);
    await using simplemem = await openWith({ llm: model });
    const memory = simplemem.scope({ userId: "u-ilse", userName: "Ilse" });
    await memory.add(said("I like figs, dislike olives and am moving to Porthaven."));
    const report = await memory.flush();
    expect(report.windows).toEqual({ stored: 0, failed: 0, pending: 1 });
    expect((await texts(memory)).sort()).toEqual(["Ilse dislikes olives", "Ilse likes figs"]);
    isFull = true;
    expect((await memory.flush()).windows.stored).toBe(1);
    expect(await texts(memory)).toHaveLength(3);
    expect((await memory.stats()).fidelity).toBeGreaterThan(0);
  });
});
