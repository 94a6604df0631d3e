import { AIMessage, type BaseMessage, type MessageContent } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { expect, it } from "vitest";
import { z } from "zod/v4";
import { StructuredCaller } from "../../src/models/structured-output.js";
import { emptyUsage, SILENT_LOGGER } from "../../src/records/index.js";
import { httpError, ScriptedModel } from "../support/fakes.js";

/** A model whose messages are given whole, with their side fields. */
class MessageModel extends ScriptedModel {
  #asked = 0;

  constructor(private readonly messages: readonly AIMessage[]) {
    super([""]);
  }

  get asked(): number {
    return this.#asked;
  }

  override async _generate(_messages: BaseMessage[]) {
    const message = this.messages[Math.min(this.#asked, this.messages.length - 1)] ?? new AIMessage("");
    this.#asked += 1;
    return { generations: [{ text: message.text, message }] };
  }
}

/** A model that claims native structured output, and answers it with `native`. */
function nativeModel(native: () => unknown, text: string | Error) {
  const model = new ScriptedModel([text]);
  let nativeCalls = 0;
  Object.assign(model, {
    bindTools: () => model,
    withStructuredOutput: () =>
      RunnableLambda.from(async () => {
        nativeCalls += 1;
        return native();
      }),
  });
  return { model, nativeCalls: () => nativeCalls };
}

function request() {
  const usage = emptyUsage();
  return {
    name: "simplemem_extract",
    schema: z.object({ entries: z.array(z.string()) }),
    system: "Rules",
    user: "Lines",
    fits: (value: unknown, isWhole: boolean) => Array.isArray(value) && (isWhole || value.length > 0),
    run: { usage, logger: SILENT_LOGGER, now: () => 0 },
  };
}

const withBlocks = (content: MessageContent, more: Record<string, unknown> = {}) => new AIMessage({ content, ...more });

it("reads an empty answer as no answer, and never the thoughts beside it (R03)", async () => {
  const thinking = withBlocks("", { additional_kwargs: { reasoning_content: '["secret draft"]' } });
  const model = new MessageModel([thinking, new AIMessage('["Ilse Corrin is left-handed"]')]);
  expect(await new StructuredCaller(model).call(request())).toEqual({
    value: ["Ilse Corrin is left-handed"],
    isCutOff: false,
  });
  expect(model.asked).toBe(2);
  const mute = new MessageModel([thinking]);
  await expect(new StructuredCaller(mute).call(request())).rejects.toThrow(/no usable JSON/);
  expect(mute.asked).toBe(2);
});

it("joins the text blocks of a reply and leaves its reasoning out (R04)", async () => {
  const model = new MessageModel([
    withBlocks([
      { type: "reasoning", reasoning: '["hm"]' },
      { type: "text", text: '["Bram Otway bakes' },
      { type: "text", text: ' rye bread"]' },
    ]),
  ]);
  expect((await new StructuredCaller(model).call(request())).value).toEqual(["Bram Otway bakes rye bread"]);
});

it.each([
  ["throws without a status", () => Promise.reject(new Error("forced tool choice is not supported")), 0],
  ["rejects with status 400", () => Promise.reject(httpError(400)), 1],
  ["resolves to null", () => null, 0],
])("asks in text when structured output %s, and remembers it (R15)", async (_title, native, counted) => {
  const { model, nativeCalls } = nativeModel(native, '["Ilse keeps bees"]');
  const caller = new StructuredCaller(model);
  const first = request();
  expect((await caller.call(first)).value).toEqual(["Ilse keeps bees"]);
  expect(first.run.usage.modelCalls).toBe(1 + counted);
  const second = request();
  await caller.call(second);
  expect([nativeCalls(), model.calls, second.run.usage.modelCalls]).toEqual([1, 2, 1]);
});

it("asks in text when withStructuredOutput itself throws (R15)", async () => {
  const { model } = nativeModel(() => null, '["Ilse keeps bees"]');
  let tried = 0;
  Object.assign(model, {
    withStructuredOutput: () => {
      tried += 1;
      throw new Error("not implemented");
    },
  });
  const caller = new StructuredCaller(model);
  await caller.call(request());
  await caller.call(request());
  expect([tried, model.calls]).toEqual([1, 2]);
});

it.each([
  ["too many requests", httpError(429)],
  ["a failing server", httpError(503)],
  ["a wrong key", httpError(401)],
  ["a broken connection", new Error("Connection error.")],
])("takes %s for no refusal: it is thrown, and the route is kept", async (_title, error) => {
  const { model, nativeCalls } = nativeModel(() => Promise.reject(error), '["never asked for"]');
  const caller = new StructuredCaller(model);
  await expect(caller.call(request())).rejects.toThrow(error.message);
  await expect(caller.call(request())).rejects.toThrow(error.message);
  expect([nativeCalls(), model.calls]).toEqual([2, 0]);
});

it("forgets a refusal when text fails as well", async () => {
  const { model, nativeCalls } = nativeModel(() => Promise.reject(httpError(400)), httpError(400));
  const caller = new StructuredCaller(model);
  await expect(caller.call(request())).rejects.toThrow("400");
  await expect(caller.call(request())).rejects.toThrow("400");
  expect(nativeCalls()).toBe(2);
});

const ANSWER = '["Ilse keeps bees"]';
const HALVES = [ANSWER.slice(0, 7), ANSWER.slice(7)] as const;

it.each([
  ["no content", withBlocks("")],
  ["white space", withBlocks(" \n")],
  ["no blocks", withBlocks([])],
  ["a side field", withBlocks("", { additional_kwargs: { reasoning_content: '["secret draft"]' } })],
  ["another side field", withBlocks("", { additional_kwargs: { reasoning: '["secret draft"]' } })],
  ["metadata", withBlocks("", { response_metadata: { reasoning: '["secret draft"]' } })],
  ["a reasoning block", withBlocks([{ type: "reasoning", reasoning: '["secret draft"]' }])],
  ["a thinking block", withBlocks([{ type: "thinking", thinking: '["secret draft"]' }])],
  ["a block of summaries", withBlocks([{ type: "reasoning", summary: [{ text: '["secret draft"]' }] }])],
  ["a thought within the text", withBlocks('<think>["secret draft"]</think>')],
  ["a thought that never ends", withBlocks('<think>["secret draft"]')],
  ["a picture", withBlocks([{ type: "image_url", image_url: { url: "data:," } }])],
])("asks once more after a reply of %s alone (R03)", async (_title, message) => {
  const model = new MessageModel([message, new AIMessage(ANSWER)]);
  const asking = request();
  expect((await new StructuredCaller(model).call(asking)).value).toEqual(["Ilse keeps bees"]);
  expect([model.asked, asking.run.usage.modelCalls, asking.run.usage.retries]).toEqual([2, 2, 1]);
});

const text = (value: string) => ({ type: "text" as const, text: value });

it.each([
  ["one", [text(ANSWER)]],
  ["two", HALVES.map(text)],
  ["three", [text(ANSWER.slice(0, 1)), text(ANSWER.slice(1, 9)), text(ANSWER.slice(9))]],
  ["with an empty one", [text(""), ...HALVES.map(text)]],
  ["after a reasoning block", [{ type: "reasoning", reasoning: '["hm"]' }, text(ANSWER)]],
  ["around a reasoning block", [text(HALVES[0]), { type: "reasoning", reasoning: '["hm"]' }, text(HALVES[1])]],
  ["after a thinking block", [{ type: "thinking", thinking: '["hm"]', signature: "x" }, text(ANSWER)]],
  ["before a block of no known type", [text(ANSWER), { type: "citation", text: '["hm"]' }]],
  ["named output", [{ type: "output_text", text: ANSWER }]],
  ["with notes of their own", [{ ...text(ANSWER), annotations: [{ text: '["hm"]' }] }]],
  ["within a fence", [text("```json\n"), text(ANSWER), text("\n```")]],
])("joins text blocks, %s (R04)", async (_title, blocks) => {
  const model = new MessageModel([withBlocks(blocks as MessageContent)]);
  expect((await new StructuredCaller(model).call(request())).value).toEqual(["Ilse keeps bees"]);
  expect(model.asked).toBe(1);
});

it.each([400, 404, 422, 401, 403, 408, 429, 500, 503, 529])(
  "takes status %i for a refusal, or throws it (R15)",
  async (status) => {
    const isRefused = [400, 404, 422].includes(status);
    const { model, nativeCalls } = nativeModel(() => Promise.reject(httpError(status)), ANSWER);
    const caller = new StructuredCaller(model);
    if (isRefused) {
      expect((await caller.call(request())).value).toEqual(["Ilse keeps bees"]);
      await caller.call(request());
      expect(nativeCalls()).toBe(1);
    } else await expect(caller.call(request())).rejects.toThrow(String(status));
  },
);

it("reads what a client could not parse from the reply that it heard (R15)", async () => {
  const model = new ScriptedModel([`Here: ${ANSWER}`]);
  Object.assign(model, {
    bindTools: () => model,
    withStructuredOutput: () =>
      RunnableLambda.from(async (input, config) => JSON.parse((await model.invoke(input as never, config)).text)),
  });
  const asking = request();
  expect((await new StructuredCaller(model).call(asking)).value).toEqual(["Ilse keeps bees"]);
  expect([model.calls, asking.run.usage.modelCalls]).toEqual([1, 1]);
});

it("tells the model what was wrong with its reply", async () => {
  const complaints = ["", "Sure.", "<think>x</think>", '{"a":1}'].map(async (bad) => {
    const model = new ScriptedModel([bad, ANSWER]);
    await new StructuredCaller(model).call(request());
    return /could not be used: ([^.]+)/.exec(model.prompts[1] ?? "")?.[1];
  });
  expect(await Promise.all(complaints)).toEqual([
    "it was empty",
    "it held no JSON",
    "it held thoughts only, and no answer after them",
    "its JSON was not of the wanted form",
  ]);
});

it("is told what a model counted, and estimates what it did not", async () => {
  const counted = withBlocks(ANSWER, { usage_metadata: { input_tokens: 70, output_tokens: 9, total_tokens: 79 } });
  const told = request();
  await new StructuredCaller(new MessageModel([counted])).call(told);
  expect(told.run.usage).toMatchObject({ promptTokens: 70, completionTokens: 9 });
  const estimated = request();
  await new StructuredCaller(new ScriptedModel([ANSWER])).call(estimated);
  expect(estimated.run.usage.promptTokens).toBeGreaterThan(0);
  expect(estimated.run.usage.completionTokens).toBeGreaterThan(0);
});
