import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { expect, it, vi } from "vitest";
import { type AddInput, SimpleMem } from "../../src/index.js";
import { FakeEmbeddings, fact, reply, ScriptedModel } from "../support/fakes.js";
import { freshFolder } from "../support/folders.js";

const newLines = (prompt: string): string => prompt.slice(prompt.lastIndexOf("\nNEW"));
const USER_LINE = /\(user\): (.+)/g;

/** Restates each new line of the user word for word. */
const restating = (prompt: string): string =>
  prompt.includes("You compare")
    ? '{"operations":[]}'
    : reply(...[...newLines(prompt).matchAll(USER_LINE)].map(([, said = ""]) => fact(`Ilse said: ${said}`)));

const open = (llm: ScriptedModel, uri = "memory://") =>
  SimpleMem.open({ uri, llm, embeddings: new FakeEmbeddings(), window: { idleMs: 0 } });

type Memory = ReturnType<SimpleMem["scope"]>;
const scopeOf = (simplemem: SimpleMem): Memory => simplemem.scope({ userId: "u-ilse", userName: "Ilse" });

/** How often each text was shown as new in a prompt of extraction. */
function shownAsNew(model: ScriptedModel, texts: readonly string[]): number[] {
  const extractions = model.prompts.filter((prompt) => prompt.includes("One entry states one fact")).map(newLines);
  return texts.map((text) => extractions.filter((lines) => lines.includes(text)).length);
}

const THINGS = ["row", "knit", "sail", "bake", "paint"] as const;
const SAID = THINGS.map((thing, index) => `I ${thing} on day ${index + 1}.`);
const ONCE = SAID.map(() => 1);
const withId = (content: string, index: number) => ({ role: "user", content, id: `m${index}` });
const bare = (content: string) => ({ role: "user", content });
const growing = (messages: readonly AddInput[]): (readonly AddInput[])[] =>
  messages.map((_, index) => messages.slice(0, index + 1));

/** Answers of the assistant between what the user says, as a chat holds them. */
const answered = (withIds: boolean): AddInput[] =>
  SAID.flatMap((content, index) => [
    new HumanMessage(withIds ? { content, id: `h${index}` } : { content }),
    new AIMessage(
      withIds ? { content: `Noted, day ${index + 1}.`, id: `a${index}` } : { content: `Noted, day ${index + 1}.` },
    ),
  ]);
const dialogues = (withIds: boolean) => growing(answered(withIds)).filter((messages) => messages.length % 2 === 0);

it.each<[string, readonly (readonly AddInput[])[]]>([
  ["as messages with ids, answers between", dialogues(true)],
  ["as messages without ids, answers between", dialogues(false)],
  ["as pairs", growing(SAID.map((content) => ["human", content] as const))],
  [
    "as serialised messages",
    growing(SAID.map((content, index) => JSON.parse(JSON.stringify(new HumanMessage({ content, id: `h${index}` }))))),
  ],
  [
    "as stored messages",
    growing(SAID.map((content, index) => new HumanMessage({ content, id: `h${index}` }).toDict())),
  ],
  [
    "as instances first, then as they come out of a checkpoint",
    SAID.map((_, last) =>
      SAID.slice(0, last + 1).map((content, index) => {
        const message = new HumanMessage({ content, id: `h${index}` });
        return index === last ? message : message.toDict();
      }),
    ),
  ],
  [
    "with its system message each time",
    growing(SAID.map(withId)).map((messages) => [new SystemMessage({ content: "Be brief.", id: "s" }), ...messages]),
  ],
  [
    "with tool calls between",
    growing(SAID.map(withId)).map((messages) => [
      ...messages,
      new AIMessage({ content: "", tool_calls: [{ name: "w", args: {}, id: "c" }] }),
      new ToolMessage({ content: "17", tool_call_id: "c", id: "t17" }),
    ]),
  ],
  ["trimmed to its last three, with ids", growing(SAID.map(withId)).map((messages) => messages.slice(-3))],
  ["trimmed to its last three, without ids", growing(SAID.map(bare)).map((messages) => messages.slice(-3))],
  ["whole each time, then once more, oldest part last", [...growing(SAID.map(bare)), SAID.slice(0, 3).map(bare)]],
  ["in two halves, the later one first, with ids", [SAID.map(withId).slice(3), SAID.map(withId)]],
  ["backwards, with ids", growing(SAID.map(withId)).map((messages) => messages.toReversed())],
])("a history that is sent again every turn, %s, is new in one prompt each (R57)", async (_title, calls) => {
  const model = new ScriptedModel([restating]);
  await using simplemem = await open(model);
  const memory = scopeOf(simplemem);
  for (const messages of calls) {
    await memory.add(messages);
    await memory.flush();
  }
  expect(shownAsNew(model, SAID)).toEqual(ONCE);
  const facts = (await memory.list({ filter: { speaker: "Ilse" } })).items.map((entry) => entry.losslessRestatement);
  expect(facts.sort()).toEqual(SAID.map((text) => `Ilse said: ${text}`).sort());
});

it("two equal words of agreement were said twice, and what is sent again adds none (R57)", async () => {
  const model = new ScriptedModel([restating]);
  await using simplemem = await open(model);
  const memory = scopeOf(simplemem);
  const history = ["I row", "yes", "yes", "I knit"].map(bare);
  for (const messages of growing(history)) await memory.add(messages);
  await memory.add(history);
  expect((await memory.turns()).map((turn) => turn.content)).toEqual(["I row", "yes", "yes", "I knit"]);
});

it("a turn that ends after the next one sets nothing back (R57)", async () => {
  let letGo = (): void => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const model = new ScriptedModel([
    async (prompt) => {
      if (newLines(prompt).includes("I sail")) await gate;
      return restating(prompt);
    },
  ]);
  await using simplemem = await open(model);
  const memory = scopeOf(simplemem);
  const history = SAID.map(withId);
  await memory.add(history.slice(0, 2));
  await memory.flush();
  await memory.add(history.slice(0, 3));
  const slow = memory.flush();
  await vi.waitFor(() => expect(shownAsNew(model, ["I sail"])).toEqual([1]));
  await memory.add(history.slice(0, 4));
  const next = memory.flush();
  letGo();
  await Promise.all([slow, next]);
  await memory.add(history);
  await memory.flush();
  expect(shownAsNew(model, SAID)).toEqual(ONCE);
  expect((await memory.stats()).turns).toBe(SAID.length);
});

it("the same history sent by two requests at once is kept once (R57)", async () => {
  const model = new ScriptedModel([restating]);
  await using simplemem = await open(model);
  const memory = scopeOf(simplemem);
  const history = SAID.map(withId);
  await Promise.all([memory.add(history), scopeOf(simplemem).add(history), memory.add(history.slice(0, 3))]);
  await Promise.all([memory.flush(), memory.flush()]);
  expect(shownAsNew(model, SAID)).toEqual(ONCE);
  expect((await memory.stats()).turns).toBe(SAID.length);
});

it.each([
  ["with ids, extracted before the end", withId, true],
  ["with ids, pending at the end", withId, false],
  ["without ids, extracted before the end", bare, true],
  ["without ids, pending at the end", bare, false],
])("after a restart nothing is done again: %s (R57)", async (_title, form, flush) => {
  const uri = freshFolder();
  const model = new ScriptedModel([restating]);
  const history = SAID.map(form);
  const first = await open(model, uri);
  await scopeOf(first).add(history.slice(0, 3));
  await first.close({ flush });
  await using second = await open(model, uri);
  await scopeOf(second).add(history);
  await scopeOf(second).flush();
  expect(shownAsNew(model, SAID)).toEqual(ONCE);
  expect((await scopeOf(second).stats()).turns).toBe(SAID.length);
});
