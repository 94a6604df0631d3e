import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import {
  Command,
  END,
  INTERRUPT,
  interrupt,
  MemorySaver,
  MessagesValue,
  START,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod/v4";
import { createRecallGraph, createRememberGraph } from "../../src/graph/index.js";
import { InvalidInputError, ScopeError, type SimpleMem, type StageOverrides } from "../../src/index.js";
import { createRuleAnswerer } from "../../src/stages/answer/index.js";
import { createRuleConsolidator } from "../../src/stages/consolidate/index.js";
import { createRuleExtractor, type Extractor } from "../../src/stages/extract/index.js";
import { createRulePlanner } from "../../src/stages/plan/index.js";
import { createRuleReflector } from "../../src/stages/reflect/index.js";
import { answering, openMemory } from "../support/agents.js";
import { fact, reply, ScriptedModel } from "../support/fakes.js";

const State = new StateSchema({ messages: MessagesValue, recalled: z.string().default("") });

type Runtime = { readonly configurable?: { readonly userId?: string; readonly sessionId?: string } };

/** A host that has both graphs as its nodes: recall → answer → remember. */
function hostOf(simplemem: SimpleMem, answer: (messages: BaseMessage[]) => string, calls = 10) {
  const model = answering(calls, answer);
  const scopeFrom = ({ configurable }: Runtime) =>
    simplemem.scope({ userId: configurable?.userId ?? "", sessionId: configurable?.sessionId ?? "s1" });
  return new StateGraph(State)
    .addNode("recall", createRecallGraph({ scopeFrom, readGraph: simplemem.readGraph }))
    .addNode("answer", async ({ messages, recalled }) => ({
      messages: [await model.invoke([new SystemMessage(recalled || "Nothing is known."), ...messages])],
    }))
    .addNode("remember", createRememberGraph({ scopeFrom, writeGraph: simplemem.writeGraph }))
    .addEdge(START, "recall")
    .addEdge("recall", "answer")
    .addEdge("answer", "remember")
    .addEdge("remember", END);
}

function systemText(messages: readonly BaseMessage[]): string {
  return messages[0]?.text ?? "";
}

describe("both graphs as nodes that share the host's messages", () => {
  it("recall in one thread what was said in another, and add nothing to the host's state", async () => {
    const simplemem = await openMemory();
    const host = hostOf(simplemem, (sent) => `I know ${systemText(sent).match(/Dunmore/)?.[0] ?? "nothing"}.`).compile({
      checkpointer: new MemorySaver(),
    });
    const say = async (content: string, thread_id: string) => {
      const config = { configurable: { userId: "u-ilse", sessionId: thread_id, thread_id } };
      return host.invoke({ messages: [new HumanMessage(content)] }, config);
    };
    const first = await say("I keep bees in Dunmore.", "t1");
    expect(first.messages.map((message) => message.text)).toEqual(["I keep bees in Dunmore.", "I know nothing."]);
    const second = await say("Where are my bees?", "t2");
    expect(second.messages.at(-1)?.text).toBe("I know Dunmore.");
    expect(Object.keys(second).sort()).toEqual(["messages", "recalled"]);
    expect(second.messages).toHaveLength(2);
    const memory = simplemem.scope({ userId: "u-ilse" });
    expect(await memory.stats()).toMatchObject({ turns: 4, pendingTurns: 0 });
    expect((await memory.list()).items.length).toBeGreaterThan(0);
  });

  it("store a thread's history once, and recall nothing when the user said nothing (R57)", async () => {
    const simplemem = await openMemory();
    const host = hostOf(simplemem, () => "Fine.").compile({ checkpointer: new MemorySaver() });
    const config = { configurable: { userId: "u-ilse", thread_id: "t1" } };
    for (const content of ["I row.", "I knit.", "I sail."]) {
      await host.invoke({ messages: [new HumanMessage(content)] }, config);
    }
    const { recalled } = await host.invoke({ messages: [new HumanMessage({ content: [] })] }, config);
    expect((await simplemem.scope({ userId: "u-ilse" }).stats()).turns).toBe(7);
    expect(recalled).toBe("");
  });

  it("serve each user of one host, and nobody without one (R54, R55)", async () => {
    const simplemem = await openMemory();
    const host = hostOf(simplemem, systemText, 20).compile();
    const say = async (userId: string, content: string) => {
      const { messages } = await host.invoke({ messages: [new HumanMessage(content)] }, { configurable: { userId } });
      return messages.at(-1)?.text;
    };
    const users = ["u1", "u10", "u1%"];
    await Promise.all(users.map((userId, index) => say(userId, `My locker code is 44${index}7.`)));
    const answers = await Promise.all(users.map((userId) => say(userId, "What is my locker code?")));
    expect(answers.map((answer) => [...new Set(answer?.match(/44\d7/g))])).toEqual([["4407"], ["4417"], ["4427"]]);
    await expect(say("", "What is my locker code?")).rejects.toThrow(ScopeError);
    const { readGraph, writeGraph } = simplemem;
    expect(() => createRecallGraph({ readGraph } as never)).toThrow(InvalidInputError);
    expect(() => createRememberGraph({ writeGraph } as never)).toThrow(InvalidInputError);
  });

  it("process more windows in one run than the host's limit of steps", async () => {
    const simplemem = await openMemory({ window: { size: 2, overlap: 0, idleMs: 0 } });
    const memory = simplemem.scope({ userId: "u-ilse", sessionId: "s1" });
    await memory.add(
      Array.from({ length: 12 }, (_, day) => ({ speaker: "Ilse", content: `On day ${day} I oiled hinge ${day * 7}.` })),
    );
    const host = hostOf(simplemem, () => "Fine.").compile();
    const run = { configurable: { userId: "u-ilse" }, recursionLimit: 10 };
    await host.invoke({ messages: [new HumanMessage("Hello.")] }, run);
    expect(await memory.stats()).toMatchObject({ pendingTurns: 0, windows: { pending: 0, failed: 0, stored: 7 } });
  });

  it("stream the host's answer alone, also where the steps of subgraphs are streamed (R67)", async () => {
    const llm = new ScriptedModel([reply(fact("Ilse keeps secret bees"))]);
    const simplemem = await openMemory({ llm });
    const host = hostOf(simplemem, () => "Hello Ilse").compile();
    let shown = "";
    const stream = await host.stream(
      { messages: [new HumanMessage("I keep secret bees.")] },
      { configurable: { userId: "u-ilse" }, streamMode: "messages", subgraphs: true },
    );
    for await (const [, [message]] of stream) if (message.getType() === "ai") shown += message.text;
    expect(shown).toBe("Hello Ilse");
    expect(llm.calls).toBeGreaterThan(0);
  });

  it("tell the host's stream of their steps", async () => {
    const simplemem = await openMemory();
    const host = hostOf(simplemem, () => "Fine.").compile();
    const stream = await host.stream(
      { messages: [new HumanMessage("I keep bees in Dunmore.")] },
      { configurable: { userId: "u-ilse" }, streamMode: "custom", subgraphs: true },
    );
    const told: string[] = [];
    for await (const [, event] of stream) told.push(event.type);
    expect(told).toEqual(["planned", "retrieved", "windows_claimed", "window_extracted", "window_stored"]);
  });
});

describe("both graphs in a mapped form", () => {
  it("are invoked by nodes of a host whose state has keys of its own", async () => {
    const simplemem = await openMemory();
    const memory = simplemem.scope({ userId: "u-ilse" });
    const scope = { tenantId: "", userId: "u-ilse", agentId: "" };
    const Own = new StateSchema({ note: z.string(), ask: z.string(), stored: z.number(), found: z.string() });
    const host = new StateGraph(Own)
      .addNode("write", async ({ note }) => {
        await memory.add({ speaker: "Ilse", content: note });
        const { tally } = await simplemem.writeGraph.invoke({ scope, runId: "host-run" });
        return { stored: tally.windowsStored };
      })
      .addNode("read", async ({ ask }) => {
        const { reply: answered } = await simplemem.readGraph.invoke({ scope, question: ask, wantsAnswer: true });
        return { found: answered?.answer ?? "" };
      })
      .addEdge(START, "write")
      .addEdge("write", "read")
      .addEdge("read", END)
      .compile({ checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: "t1" } };
    const input = { note: "My sister Ane repairs clocks.", ask: "Who repairs clocks?", stored: 0, found: "" };
    const { stored, found } = await host.invoke(input, config);
    expect([stored, found]).toEqual([1, "Ane"]);
    expect(Object.keys((await host.getState(config)).values).sort()).toEqual(["ask", "found", "note", "stored"]);
  });
});

/** Asks a human once before the stage does its work. */
function approved<T>(what: string, work: () => Promise<T>): Promise<T> {
  if (interrupt(what) !== "yes") throw new Error(`${what} was refused`);
  return work();
}

const ASKING: readonly (readonly [string, StageOverrides])[] = [
  ["plan", { plan: { plan: (...input) => approved("plan", () => createRulePlanner().plan(...input)) } }],
  [
    "reflect",
    { reflect: { reflect: (...input) => approved("reflect", () => createRuleReflector().reflect(...input)) } },
  ],
  [
    "extract",
    { extract: { extract: (...input) => approved("extract", () => createRuleExtractor().extract(...input)) } },
  ],
  [
    "consolidate",
    {
      consolidate: {
        consolidate: (...input) => approved("consolidate", () => createRuleConsolidator().consolidate(...input)),
      },
    },
  ],
];

describe("a run that pauses within the memory", () => {
  it.each(ASKING)(
    "hands the interrupt of a %s stage to the host, and goes on where it stood",
    async (stage, stages) => {
      const simplemem = await openMemory({ stages });
      const memory = simplemem.scope({ userId: "u-ilse", sessionId: "s1" });
      const scopeFrom = () => memory;
      const host = new StateGraph(State)
        .addNode(
          "recall",
          createRecallGraph({ scopeFrom, readGraph: simplemem.readGraph, search: { planning: "always" } }),
        )
        .addNode("remember", createRememberGraph({ scopeFrom, writeGraph: simplemem.writeGraph }))
        .addEdge(START, "recall")
        .addEdge("recall", "remember")
        .addEdge("remember", END)
        .compile({ checkpointer: new MemorySaver() });
      const config = { configurable: { thread_id: "t1" } };
      const question = "Why did I move from Dunmore to Porthaven, and which friends came along?";
      const paused = await host.invoke({ messages: [new HumanMessage(question)] }, config);
      expect(paused).toHaveProperty(INTERRUPT, [expect.objectContaining({ value: stage })]);
      const resumed = await host.invoke(new Command({ resume: "yes" }), config);
      expect(resumed).not.toHaveProperty(INTERRUPT);
      expect((await host.getState(config)).next).toEqual([]);
      expect(await memory.stats()).toMatchObject({ turns: 1, pendingTurns: 0, windows: { pending: 0, failed: 0 } });
      // The scope was let go while the run stood still: somebody else can write.
      await memory.facts.remember("home.city", "Porthaven");
    },
  );

  it("hands over the interrupt of an answer stage as well", async () => {
    const answerer = createRuleAnswerer();
    const simplemem = await openMemory({
      stages: { answer: { answer: (...input) => approved("answer", () => answerer.answer(...input)) } },
    });
    await simplemem.scope({ userId: "u-ilse" }).add({ speaker: "Ilse", content: "My sister Ane repairs clocks." });
    const scope = { tenantId: "", userId: "u-ilse", agentId: "" };
    const host = new StateGraph(new StateSchema({ ask: z.string(), found: z.string() }))
      .addNode("read", async ({ ask }) => {
        const { reply: answered } = await simplemem.readGraph.invoke({ scope, question: ask, wantsAnswer: true });
        return { found: answered?.answer ?? "" };
      })
      .addEdge(START, "read")
      .addEdge("read", END)
      .compile({ checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: "t1" } };
    const paused = await host.invoke({ ask: "Who repairs clocks?", found: "" }, config);
    expect(paused).toHaveProperty(INTERRUPT, [expect.objectContaining({ value: "answer" })]);
    expect((await host.invoke(new Command({ resume: "yes" }), config)).found).toBe("Ane");
  });

  it("goes on after it broke off between two steps, and extracts nothing twice", async () => {
    const extractor = createRuleExtractor();
    const consolidator = createRuleConsolidator();
    const leaving = new AbortController();
    let extractions = 0;
    const counted: Extractor = {
      extract: (...input) => {
        extractions += 1;
        return extractor.extract(...input);
      },
    };
    const simplemem = await openMemory({
      stages: {
        extract: counted,
        consolidate: {
          consolidate: (...input) => {
            leaving.abort(new Error("the process is asked to end"));
            return consolidator.consolidate(...input);
          },
        },
      },
    });
    const host = hostOf(simplemem, () => "Fine.").compile({ checkpointer: new MemorySaver() });
    const config = { configurable: { userId: "u-ilse", thread_id: "t1" } };
    const input = { messages: [new HumanMessage("I keep bees in Dunmore.")] };
    await expect(host.invoke(input, { ...config, signal: leaving.signal })).rejects.toThrow(/asked to end|abort/i);
    const memory = simplemem.scope({ userId: "u-ilse" });
    expect((await memory.stats()).windows).toMatchObject({ pending: 1, stored: 0 });
    await host.invoke(null, config);
    expect(extractions).toBe(1);
    expect((await memory.stats()).windows).toMatchObject({ pending: 0, stored: 1 });
    expect((await memory.list()).items.map(({ losslessRestatement }) => losslessRestatement).join()).toMatch(/Dunmore/);
  });

  it("keeps plain JSON between its steps (R68)", async () => {
    const simplemem = await openMemory();
    const checkpointer = new MemorySaver();
    const host = hostOf(simplemem, () => "Fine.").compile({ checkpointer });
    const config = { configurable: { userId: "u-ilse", thread_id: "t1" } };
    await host.invoke({ messages: [new HumanMessage("I keep bees in Dunmore.")] }, config);
    let checked = 0;
    for (const [namespace, checkpoints] of Object.entries(checkpointer.storage.t1 ?? {})) {
      if (namespace === "") continue;
      for (const [bytes] of Object.values(checkpoints)) {
        const { channel_values: values } = JSON.parse(new TextDecoder().decode(bytes));
        expect(JSON.stringify(values)).not.toMatch(/"lc":1,"type":"not_implemented"|\[object/);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(5);
  });
});
