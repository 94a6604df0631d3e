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
