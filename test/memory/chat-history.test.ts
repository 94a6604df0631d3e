import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { ChatPromptTemplate, MessagesPlaceholder } from "@langchain/core/prompts";
import { RunnableWithMessageHistory } from "@langchain/core/runnables";
import { describe, expect, it } from "vitest";
import { SimpleMemChatMessageHistory } from "../../src/memory/index.js";
import { answering, openMemory } from "../support/agents.js";

describe("SimpleMemChatMessageHistory", () => {
  it("gives back what was said in its session, in order and with its ids, and keeps no system text", async () => {
    const simplemem = await openMemory();
    const history = (sessionId: string) =>
      new SimpleMemChatMessageHistory({ memory: simplemem.scope({ userId: "u-ilse", sessionId }) });
    await history("s1").addMessages([
      new SystemMessage("Be brief."),
      new HumanMessage({ id: "h1", content: "I row." }),
      new AIMessage({ id: "a1", content: "Nice." }),
    ]);
    await history("s2").addUserMessage("I knit.");
    await history("s1").addUserMessage("yes");
    await history("s1").addUserMessage("yes");
    const said = await history("s1").getMessages();
    expect(said.map((message) => [message.getType(), message.text])).toEqual([
      ["human", "I row."],
      ["ai", "Nice."],
      ["human", "yes"],
      ["human", "yes"],
    ]);
    expect(said.slice(0, 2).map(({ id }) => id)).toEqual(["h1", "a1"]);
    expect(
      await new SimpleMemChatMessageHistory({
        memory: simplemem.scope({ userId: "u-bram", sessionId: "s1" }),
      }).getMessages(),
    ).toEqual([]);
  });

  it("gives back the last messages only, and clears its own session only", async () => {
    const simplemem = await openMemory();
    const memory = simplemem.scope({ userId: "u-ilse", sessionId: "s1" });
    const history = new SimpleMemChatMessageHistory({ memory, maxMessages: 2 });
    await simplemem.scope({ userId: "u-ilse", sessionId: "s2" }).add({ speaker: "Ilse", content: "I sail." });
    for (const content of ["I row.", "I knit.", "I bake."]) await history.addUserMessage(content);
    expect((await history.getMessages()).map((message) => message.text)).toEqual(["I knit.", "I bake."]);
    await history.clear();
    expect(await history.getMessages()).toEqual([]);
    expect((await memory.stats()).turns).toBe(1);
  });

  it("works in RunnableWithMessageHistory, each session for itself", async () => {
    const simplemem = await openMemory();
    const model = answering(3, (messages) => `I see ${messages.length} messages.`);
    const prompt = ChatPromptTemplate.fromMessages([new MessagesPlaceholder("history"), ["human", "{input}"]]);
    const chain = new RunnableWithMessageHistory({
      runnable: prompt.pipe(model),
      getMessageHistory: (sessionId: string) =>
        new SimpleMemChatMessageHistory({ memory: simplemem.scope({ userId: "u-ilse", sessionId }) }),
      inputMessagesKey: "input",
      historyMessagesKey: "history",
    });
    const ask = (input: string, sessionId: string) => chain.invoke({ input }, { configurable: { sessionId } });
    expect((await ask("I row.", "s1")).text).toBe("I see 1 messages.");
    expect((await ask("What do I do?", "s1")).text).toBe("I see 3 messages.");
    expect((await ask("Hello.", "s2")).text).toBe("I see 1 messages.");
    expect((await simplemem.scope({ userId: "u-ilse" }).stats()).turns).toBe(6);
  });

  it("keeps a history that is added again once, and never brings back what was forgotten (R57, R60)", async () => {
    const memory = (await openMemory()).scope({ userId: "u-ilse", sessionId: "s1" });
    const history = new SimpleMemChatMessageHistory({ memory });
    const messages = [
      new HumanMessage({ id: "h1", content: "My locker code is 4417." }),
      new AIMessage({ id: "a1", content: "Noted." }),
    ];
    for (let time = 0; time < 3; time++) await history.addMessages(messages);
    expect(await history.getMessages()).toHaveLength(2);
    await memory.flush();
    await history.clear();
    await history.addMessages(messages);
    expect(await history.getMessages()).toEqual([]);
    expect((await memory.search("locker code")).hits).toEqual([]);
  });

  it("keeps words and placeholders of messages with blocks, and no tool call or result (R65)", async () => {
    const memory = (await openMemory()).scope({ userId: "u-ilse", sessionId: "s1" });
    const history = new SimpleMemChatMessageHistory({ memory });
    const image = { type: "image_url", image_url: { url: `data:image/png;base64,${"QUJD".repeat(1_000)}` } };
    const call = { name: "weather", args: {}, id: "c1", type: "tool_call" } as const;
    await history.addMessages([
      new HumanMessage({ content: [{ type: "text", text: "My puppy Nacho." }, image] }),
      new AIMessage({ content: "", tool_calls: [call] }),
      new ToolMessage({ content: "NOISE", tool_call_id: "c1" }),
      new AIMessage({ content: [] }),
      new AIMessage("Lovely."),
    ]);
    expect((await history.getMessages()).map((message) => message.text)).toEqual([
      "My puppy Nacho.\n[image]",
      "Lovely.",
    ]);
  });
});
