import { AIMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { createMemoryTools } from "../../src/agents/tools.js";
import { InvalidInputError, ScopeError } from "../../src/index.js";
import { openMemory } from "../support/agents.js";

function byName(tools: ReturnType<typeof createMemoryTools>) {
  return (name: string, input: Record<string, unknown>, config = {}): Promise<string> => {
    const found = tools.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no tool ${name}`);
    return found.invoke(input, config);
  };
}

describe("the memory tools", () => {
  it("remember, recall by pattern and category, and forget", async () => {
    const memory = (await openMemory()).scope({ userId: "u-ilse" });
    const call = byName(createMemoryTools({ memory }));
    expect(await call("remember_fact", { key: "home.city", value: "Dunmore", category: "home" })).toContain("Dunmore");
    await call("remember_fact", { key: "home.door", value: "blue" });
    await call("remember_fact", { key: "pet", value: "Rill" });
    expect(await call("recall_facts", { pattern: "home.*" })).toBe(
      "home.city = Dunmore [home]\nhome.door = blue [general]",
    );
    expect(await call("recall_facts", { category: "home" })).toBe("home.city = Dunmore [home]");
    expect(await call("forget_fact", { key: "pet" })).toBe("Forgot pet.");
    expect(await call("forget_fact", { key: "pet" })).toBe("There was no fact pet.");
    expect((await memory.facts.list()).map((fact) => fact.key)).toEqual(["home.city", "home.door"]);
  });

  it("see another conversation of the user on request only", async () => {
    const simplemem = await openMemory();
    await simplemem.scope({ userId: "u-ilse", sessionId: "s1" }).facts.remember("pet", "Rill");
    const call = byName(createMemoryTools({ memory: simplemem.scope({ userId: "u-ilse", sessionId: "s2" }) }));
    expect(await call("recall_facts", {})).toBe("No such fact.");
    expect(await call("recall_facts", { all_sessions: true })).toBe("pet = Rill [general]");
  });

  it("answer briefly, whatever is stored, with ids that can be used", async () => {
    const memory = (await openMemory()).scope({ userId: "u-ilse" });
    const call = byName(createMemoryTools({ memory }));
    for (let index = 0; index < 14; index++) await memory.facts.remember(`k${index}`, "x".repeat(5_000));
    const facts = await call("recall_facts", { pattern: "k*" });
    expect(facts.split("\n")).toHaveLength(11);
    expect(facts.length).toBeLessThan(10 * 450);
    expect(facts).toContain("4 more");
    await memory.add({ id: "t1", speaker: "Ilse", content: `I keep bees.\n${"z ".repeat(300)}` });
    const found = await call("search_memory", { query: "Who keeps bees?", limit: 1 });
    expect(found.split("\n")).toHaveLength(1);
    expect(found).toMatch(/^t1 \(\d{4}-\d\d-\d\d\): I keep bees\./);
    expect(found.length).toBeLessThan(450);
    await memory.forget({ ids: [found.split(" ")[0] ?? ""] });
    expect(await call("search_memory", { query: "bees" })).toBe("Nothing found.");
  });

  it("take no user, agent or session from the model (R55)", async () => {
    const tools = createMemoryTools({ memory: (await openMemory()).scope({ userId: "u-ilse" }) });
    for (const one of tools) expect(JSON.stringify(one.schema)).not.toMatch(/user_?id|agent_?id|tenant|session_?id/i);
  });

  it("serve each user of one agent from what the run says, and nobody without one (R54, R55)", async () => {
    const simplemem = await openMemory();
    const tools = createMemoryTools({
      scopeFrom: ({ configurable }) => simplemem.scope({ userId: configurable?.user_id }),
    });
    const remember = async (userId: unknown, value: string) => {
      const model = fakeModel()
        .respondWithTools([{ name: "remember_fact", args: { key: "code", value, userId: "u1", user_id: "u1" } }])
        .respond(new AIMessage("Done."));
      return createAgent({ model, tools }).invoke(
        { messages: [{ role: "user", content: "Keep it." }] },
        { configurable: { user_id: userId } },
      );
    };
    await Promise.all([remember("u1", "one"), remember("u10", "ten"), remember("u1:x", "x")]);
    const values = async (userId: string) => (await simplemem.scope({ userId }).facts.list()).map((fact) => fact.value);
    expect([await values("u1"), await values("u10"), await values("u1:x")]).toEqual([["one"], ["ten"], ["x"]]);
    const call = byName(tools);
    await expect(call("search_memory", { query: "code" })).rejects.toThrow(ScopeError);
    expect(() => createMemoryTools({} as never)).toThrow(InvalidInputError);
  });
});
