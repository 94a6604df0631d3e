import { readFileSync } from "node:fs";
import { HumanMessage } from "@langchain/core/messages";
import { CompiledStateGraph, MemorySaver } from "@langchain/langgraph";
import { beforeAll, describe, expect, it, vi } from "vitest";

interface StudioConfig {
  readonly node_version: string;
  readonly dependencies: readonly string[];
  readonly graphs: Readonly<Record<string, string>>;
}

const ROOT = new URL("../../", import.meta.url);
const config: StudioConfig = JSON.parse(readFileSync(new URL("langgraph.json", ROOT), "utf8"));

/** What a line of langgraph.json names, loaded as LangGraph's server does. */
async function load(name: string) {
  const [file = "", symbol = ""] = (config.graphs[name] ?? "").split(":");
  const module: Record<string, unknown> = await import(new URL(file, ROOT).href);
  const graph = module[symbol];
  if (!(graph instanceof CompiledStateGraph)) throw new Error(`${name} is no compiled graph`);
  // The server keeps the state of each thread.
  graph.checkpointer = new MemorySaver();
  return graph;
}

describe("langgraph.json", () => {
  beforeAll(() => {
    vi.stubEnv("SIMPLEMEM_URI", "memory://");
    return () => vi.unstubAllEnvs();
  });

  it("names both graphs, bare and as parts of a conversation, for a Node that the package runs on", async () => {
    expect(Object.keys(config.graphs)).toEqual(["write", "read", "remember", "recall"]);
    expect(config.node_version).toBe("20");
    expect(config.dependencies).toEqual(["."]);
    const nodes = async (name: string) => Object.keys((await (await load(name)).getGraphAsync()).nodes);
    expect(await nodes("write")).toEqual(expect.arrayContaining(["window", "extract", "consolidate", "store"]));
    expect(await nodes("read")).toEqual(expect.arrayContaining(["plan", "retrieve", "reflect", "answer"]));
  });

  it("serves graphs that remember and recall under a checkpointer", async () => {
    const run = (thread_id: string) => ({ configurable: { thread_id, userId: "ilse" } });
    const { failures } = await (await load("remember")).invoke(
      { messages: [new HumanMessage("My sister Ane repairs clocks.")] },
      run("t1"),
    );
    expect(failures).toEqual([]);
    const { recalled } = await (await load("recall")).invoke(
      { messages: [new HumanMessage("Who repairs clocks?")] },
      run("t2"),
    );
    expect(recalled).toContain("Ane");
    const scope = { tenantId: "", userId: "ilse", agentId: "" };
    const { tally } = await (await load("write")).invoke({ scope, runId: "studio" }, run("t3"));
    expect(tally.windowsStored).toBe(0);
    const { reply } = await (await load("read")).invoke(
      { scope, question: "Who repairs clocks?", wantsAnswer: true },
      run("t4"),
    );
    expect(reply.answer).toBe("Ane");
  });
});
