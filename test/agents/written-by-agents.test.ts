import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { simpleMemMiddleware } from "../../src/agents/middleware.js";
import { answering, openMemory, saidIn, systemTextOf } from "../support/agents.js";
import { fact, reply, ScriptedModel } from "../support/fakes.js";

/** What a window's prompt shows as new, without what it shows as context. */
function newLines(prompt: string): string {
  return prompt.slice(prompt.lastIndexOf("\nNEW"));
}

describe("what an agent hears becomes facts with their owner", () => {
  it("a pronoun gets its owner from what was said before, and is never stored unflagged (R44)", async () => {
    const naive = fact("She starts there on Monday");
    const llm = new ScriptedModel([
      (prompt) => (newLines(prompt).includes("She starts") ? reply(naive) : reply(fact("Maren got a job in Skerrow"))),
    ]);
    const memory = (await openMemory({ llm })).scope({ userId: "u-ilse", userName: "Ilse" });
    const agent = createAgent({
      model: answering(2, () => "I see."),
      tools: [],
      middleware: [simpleMemMiddleware({ memory, awaitWrites: true })],
    });
    const say = (content: string) => agent.invoke({ messages: [new HumanMessage(content)] });
    await say("My sister Maren got a job in Skerrow.");
    await say("She starts there on Monday.");
    const later = llm.prompts.find((prompt) => newLines(prompt).includes("She starts"));
    expect(later).toContain("Maren");
    expect(newLines(later ?? "")).not.toContain("Maren");
    const { items } = await memory.list({ status: ["active", "doubtful"] });
    expect(items.filter(({ losslessRestatement }) => losslessRestatement.includes("job in Skerrow"))).toHaveLength(1);
    for (const { losslessRestatement, attributes, status } of items) {
      if (/^She\b/.test(losslessRestatement)) expect(attributes.doubt ?? status).toMatch(/pronoun|doubt/i);
    }
  });

  it("the agent's own words never become facts about the user (R45)", async () => {
    const llm = new ScriptedModel([reply(fact("Ilse Corrin loves pruning figs in March"))]);
    const memory = (await openMemory({ llm })).scope({ userId: "u-ilse", userName: "Ilse Corrin" });
    const agent = createAgent({
      model: answering(1, () => "I love pruning in March; cut a third."),
      tools: [],
      middleware: [simpleMemMiddleware({ memory, awaitWrites: true })],
    });
    await agent.invoke({ messages: [new HumanMessage("How do I prune figs?")] });
    const prompt = llm.prompts[0] ?? "";
    expect(prompt).toMatch(/Ilse Corrin[^\n]*How do I prune figs/);
    expect(prompt).toMatch(/assistant[^\n]*I love pruning in March/i);
    expect(prompt).not.toMatch(/Speaker 1|Human:|User 1/);
    const { items } = await memory.list();
    for (const { losslessRestatement, speaker } of items) {
      expect(losslessRestatement).not.toMatch(/Ilse Corrin loves/);
      expect(speaker).not.toBe("Ilse Corrin");
    }
  });
});

describe("what an agent is shown", () => {
  it("messages of every form are said in words, and pictures as a short placeholder (R65)", async () => {
    const memory = (await openMemory()).scope({ userId: "u-ilse", userName: "Ilse" });
    const image = { type: "image_url", image_url: { url: `data:image/png;base64,${"QUJD".repeat(10_000)}` } };
    const agent = createAgent({
      model: fakeModel()
        .respond(new AIMessage({ content: [{ type: "text", text: "A fine puppy." }] }))
        .respond(new AIMessage({ content: [] }))
        .respond(new AIMessage("You row well.")),
      tools: [],
      middleware: [simpleMemMiddleware({ memory })],
    });
    await agent.invoke({
      messages: [new HumanMessage({ content: [{ type: "text", text: "This is my puppy Nacho." }, image] })],
    });
    await agent.invoke({ messages: [new HumanMessage({ content: [image] })] });
    await agent.invoke({ messages: [{ role: "user", content: "I row." }] });
    const said = await saidIn(memory, "puppy Nacho row image yes fine");
    expect(said.sort()).toEqual([
      "Assistant: A fine puppy.",
      "Assistant: You row well.",
      "Ilse: I row.",
      "Ilse: This is my puppy Nacho.\n[image]",
      "Ilse: [image]",
    ]);
  });

  it("costs the same prompt whether the memory is small or large (R77)", async () => {
    const sizes = [];
    for (const rows of [20, 200]) {
      const memory = (await openMemory()).scope({ userId: "u-ilse" });
      const content = (row: number) =>
        `On day ${row} I oiled hinge number ${row * 7} of the garden gate near the mill.`;
      await memory.add(Array.from({ length: rows }, (_, row) => ({ speaker: "Ilse", content: content(row) })));
      const model = answering(1, () => "Fine.");
      const agent = createAgent({ model, tools: [], middleware: [simpleMemMiddleware({ memory })] });
      await agent.invoke({ messages: [new HumanMessage("Which hinge of the garden gate did I oil?")] });
      sizes.push(systemTextOf(model, 0).length);
    }
    const [small = 0, large = 0] = sizes;
    expect(small).toBeGreaterThan(200);
    expect(Math.abs(large - small)).toBeLessThan(small * 0.1);
  });
});
