/**
 * Run by the tests in a consumer's folder: takes the ways on which values meet zod schemas, and prints what came of them.
 * With the word "agent" also the way through langchain's agents, whose package is optional.
 */
import { AIMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { SimpleMem } from "simplemem-langchain";
import { createMemoryTools } from "simplemem-langchain/tools";

const TURN = { id: "t1", speaker: "Ilse", content: "I moved to Graz.", timestamp: "2025-03-10T09:00:00+01:00" };

/** What the work gives over a memory that holds one turn. */
async function over(options, work) {
  const simplemem = await SimpleMem.open({ uri: "memory://", ...options });
  try {
    const memory = simplemem.scope({ userId: "ilse" });
    await memory.add([TURN]);
    await memory.flush();
    return await work(memory, simplemem);
  } finally {
    await simplemem.close();
  }
}

/** Without a model: rules alone write and read. */
function byRules() {
  return over({}, async (memory) => (await memory.search("Graz")).hits.map((hit) => hit.text));
}

/** With a model, whose reply is read by a schema. */
function byModel() {
  const entry = {
    lossless_restatement: "Graz is where Ilse moved to.",
    persons: ["Ilse"],
    kind: "event",
    source_ids: ["t1"],
  };
  const extract = new FakeListChatModel({ responses: [JSON.stringify({ entries: [entry], open_questions: [] })] });
  return over({ llms: { extract } }, async (memory) =>
    (await memory.list()).items.map((one) => one.losslessRestatement),
  );
}

/** An agent's tools: their schemas as a provider gets them, good and bad arguments. */
function byTools() {
  return over({}, async (memory) => {
    const tools = createMemoryTools({ memory });
    const call = (name, args) => tools.find((tool) => tool.name === name).invoke(args);
    await call("remember_fact", { key: " home.city ", value: "Graz" });
    const refusal = await call("search_memory", { query: "Graz", limit: 0.5 }).catch((error) => error.message);
    return {
      required: tools.map((tool) => convertToOpenAITool(tool).function.parameters.required ?? []),
      recalled: await call("recall_facts", { pattern: "home.*" }),
      refusal,
    };
  });
}

/** An agent whose middleware reads the user from the run. */
async function byAgent() {
  const { createAgent } = await import("langchain");
  const { simpleMemMiddleware } = await import("simplemem-langchain/middleware");
  return over({}, async (_memory, simplemem) => {
    const scopeFrom = ({ context }) => simplemem.scope({ userId: context?.userId ?? "" });
    const model = fakeModel().respond((messages) => new AIMessage(messages[0].text));
    const agent = createAgent({ model, tools: [], middleware: [simpleMemMiddleware({ scopeFrom })] });
    const asked = [{ role: "user", content: "Where did I move?" }];
    const { messages } = await agent.invoke({ messages: asked }, { context: { userId: "ilse" } });
    return messages.at(-1).text;
  });
}

/** What `open` says about an option that does not fit. */
function byWrongOption() {
  return over({ window: { size: 0 } }, () => "opened").catch((error) => `${error.name} ${error.message}`);
}

const report = {
  rules: await byRules(),
  model: await byModel(),
  tools: await byTools(),
  wrongOption: await byWrongOption(),
  ...(process.argv.includes("agent") ? { agent: await byAgent() } : {}),
};
process.stdout.write(JSON.stringify(report));
