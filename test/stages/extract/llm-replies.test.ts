import { expect, it } from "vitest";
import { estimateTokens } from "../../../src/models/index.js";
import { type DialogueTurn, emptyUsage, SILENT_LOGGER } from "../../../src/records/index.js";
import { createLlmExtractor, type ExtractInput } from "../../../src/stages/extract/index.js";
import { fact, reply, ScriptedModel } from "../../support/fakes.js";
import { turn } from "./fixtures.js";

type Replies = ConstructorParameters<typeof ScriptedModel>[0];

/** Extracts the turns with scripted replies; the clock is far from every turn. */
async function extract(replies: Replies, turns: readonly DialogueTurn[], over: Partial<ExtractInput> = {}) {
  const model = new ScriptedModel(replies);
  const usage = emptyUsage();
  const run = { usage, logger: SILENT_LOGGER, now: () => Date.parse("2026-09-25T12:00:00.000Z") };
  const input = { windowId: "w", turns, context: [], neighbours: [], timeZone: "UTC", ...over };
  const output = await createLlmExtractor({ model, maxPromptTokens: 4000 }).extract(input, run);
  return { ...output, model, texts: output.items.map((item) => item.losslessRestatement) };
}

const told = (content: string, more = {}) => [turn("Ilse Corrin", content, more)];

it("finds the list within prose that has brackets of its own (R01)", async () => {
  const list = reply(fact("Ilse Corrin repairs clocks"), fact("Ilse Corrin lives in Dunmore"));
  const chatty = `Two notes {see below}:\n${list}\nAnything else? {yes/no}`;
  const { texts, model } = await extract([chatty], told("I repair clocks and live in Dunmore."));
  expect(texts).toEqual(["Ilse Corrin repairs clocks", "Ilse Corrin lives in Dunmore"]);
  expect(model.calls).toBe(1);
});

const DRAFT = reply(fact("Bram Otway owns a boat"));
const FINAL = reply(fact("Bram Otway rented a boat"));

it.each([
  ["closed", `<think>maybe ${DRAFT}? no, rented</think>${FINAL}`],
  ["without its beginning", `maybe ${DRAFT}? no, rented</think>${FINAL}`],
])("takes nothing from a thought that is %s (R02)", async (_title, text) => {
  const { texts } = await extract([text], [turn("Bram Otway", "I rented a boat.")]);
  expect(texts).toEqual(["Bram Otway rented a boat"]);
});

it.each([
  ["an endless thought (R02)", `<think>${DRAFT}`],
  ["nothing (R03)", ""],
  ["plain chat (R06)", "All good, nothing in JSON today."],
  ["a refusal (R08)", "I'm unable to process personal details."],
  ["the beginning of an object (R08)", '{"memories": ['],
])("rejects after two tries when the reply is %s", async (_title, text) => {
  const model = new ScriptedModel([text]);
  const run = { usage: emptyUsage(), logger: SILENT_LOGGER, now: () => 0 };
  const input = { windowId: "w", turns: told("I rented a boat."), context: [], neighbours: [], timeZone: "UTC" };
  await expect(createLlmExtractor({ model }).extract(input, run)).rejects.toMatchObject({ name: "ModelOutputError" });
  expect(model.calls).toBe(2);
});

it("takes an empty list for nothing to remember, in one call (R06)", async () => {
  const { items, rejections, incomplete, model } = await extract(["[]"], told("hello there"));
  expect([items, rejections, incomplete, model.calls]).toEqual([[], [], false, 1]);
});

it("keeps the whole items of a reply that was cut off, and says so (R07)", async () => {
  const turns = told("I like figs, dislike olives and am moving to Porthaven.");
  const whole = reply(fact("Ilse likes figs"), fact("Ilse dislikes olives"), fact("Ilse is moving to Porthaven"));
  const cut = await extract([whole.slice(0, whole.indexOf("moving to") + 6)], turns);
  expect(cut.texts).toEqual(["Ilse likes figs", "Ilse dislikes olives"]);
  expect(cut.incomplete).toBe(true);
  const full = await extract([whole], turns);
  expect([full.texts.length, full.incomplete]).toEqual([3, false]);
});

it("counts items of the wrong type and keeps the good one (R09)", async () => {
  const items = ["Bram plays the oboe", null, 42, fact("x", { lossless_restatement: { value: "x" } }), fact("   ")];
  const { texts, rejections } = await extract(
    [JSON.stringify([...items, fact("Bram lives in Skerrow")])],
    [turn("Bram", "I play the oboe and live in Skerrow.")],
  );
  expect(texts).toEqual(["Bram lives in Skerrow"]);
  expect(rejections).toHaveLength(5);
});

it("loses no window to one item without its text (R10)", async () => {
  const { texts, rejections, model } = await extract(
    [reply(fact("Ilse owns two looms"), {}, fact("Ilse sold one loom"))],
    told("I own two looms. I sold one loom."),
  );
  expect(texts).toEqual(["Ilse owns two looms", "Ilse sold one loom"]);
  expect([rejections.length, model.calls]).toEqual([1, 1]);
});

it("keeps good items beside bad escapes and lone surrogates (R11)", async () => {
  const text = reply(fact("Ilse likes figs"), fact("Ilse threw a party SURROGATE"), fact("Ilse has a BROKEN cat"))
    .replace("SURROGATE", "\\ud83d")
    .replace("BROKEN", "\\u12G4");
  const { texts, rejections } = await extract([text], told("I like figs, threw a party and have a cat."));
  expect(texts[0]).toBe("Ilse likes figs");
  expect(texts.every((one) => one.isWellFormed() && !one.includes("\uFFFD"))).toBe(true);
  expect(texts.length + rejections.length).toBe(3);
  expect(rejections.length).toBeGreaterThanOrEqual(1);
});

it("rejects what it said itself in the prompt, and stores a turn that shares a word with it (R13)", async () => {
  const echo = (prompt: string): string => {
    const examples = [...prompt.matchAll(/"lossless_restatement": "([^"]+)"/g)].map((match) => fact(match[1] ?? ""));
    return reply(...examples, fact(/^[^.]+\./.exec(prompt)?.[0] ?? ""), fact("Never share prices.", {}));
  };
  const { texts, rejections } = await extract([echo], told("hi"), { instructions: "Never share prices." });
  expect(texts).toEqual([]);
  expect(rejections).toHaveLength(3);
  const genuine = await extract([reply(fact("Ilse Corrin sent a survey"))], told("I sent a survey."));
  expect(genuine.texts).toEqual(["Ilse Corrin sent a survey"]);
});

it("keeps the language of the conversation (R27)", async () => {
  const { texts, items, model } = await extract([reply(fact("林若对花生过敏"))], [turn("林若", "我对花生过敏")]);
  expect(texts).toEqual(["林若对花生过敏"]);
  expect(items[0]?.keywords.length).toBeGreaterThan(0);
  expect(model.prompts[0]).toMatch(/in the language of the conversation/);
});

it.each([
  ["a date", fact("Ilse Corrin sold the loom", { timestamp: "2024-11-04" })],
  ["yesterday", fact("Ilse Corrin sold the loom yesterday")],
])("counts yesterday from the day it was said, when the model writes %s (R39)", async (_title, item) => {
  const { items, texts, model } = await extract([reply(item)], told("I sold the loom yesterday"));
  expect(model.prompts[0]).toContain("2024-11-05");
  expect(model.prompts[0]).not.toContain("2026-09-25");
  expect(items[0]?.timestamp).toMatch(/^2024-11-04/);
  expect(items[0]?.mentionedAt).toMatch(/^2024-11-05/);
  expect(texts[0]).not.toContain("yesterday");
});

const garden = () => [
  turn("Ilse Corrin", "How do I prune figs?", { dialogueId: "g1" }),
  turn("Assistant", "I love pruning in March; cut a third.", { dialogueId: "g2", role: "assistant" }),
];

it.each([
  ["is the assistant", "The assistant loves pruning in March.", 1],
  ["is the user", "Ilse Corrin loves pruning in March.", 0],
  ["is the user by first name", "Ilse loves pruning in March.", 0],
  ["is a label", "Speaker 1 loves pruning in March.", 0],
])("takes what the assistant said for its own words when the subject %s (R45)", async (_title, text, kept) => {
  const { items, rejections, model } = await extract([reply(fact(text, { source_ids: ["g2"] }))], garden());
  expect([items.length, rejections.length]).toEqual([kept, 1 - kept]);
  for (const item of items) expect(item).toMatchObject({ speaker: "Assistant", sourceRole: "assistant" });
  expect(model.prompts[0]).toMatch(/Ilse Corrin \(user\): How do I prune figs/);
  expect(model.prompts[0]).toMatch(/Assistant \(assistant\): I love pruning/);
});

it("moves a wrongly cited statement of the user to the turn in which the user made it (R45)", async () => {
  const turns = [
    turn("Ilse Corrin", "I moved to Porthaven.", { dialogueId: "m1" }),
    turn("Assistant", "Nice, Porthaven is lovely.", { dialogueId: "m2", role: "assistant" }),
  ];
  const { items } = await extract([reply(fact("Ilse Corrin moved to Porthaven.", { source_ids: ["m2"] }))], turns);
  expect(items[0]).toMatchObject({ sourceIds: ["m1"], speaker: "Ilse Corrin", sourceRole: "user" });
});

const FIRST = "My boat is called Tern";
const LAST = "My dog is called Rill";

it.each([
  ["sentences", `${FIRST}. ${"The harbour was calm and nothing moved. ".repeat(50_000)}${LAST}.`],
  ["words without a stop", `${FIRST} ${"harbour calm water ".repeat(105_000)}${LAST}`],
  ["one word", `${FIRST} ${"x".repeat(2_000_000)} ${LAST}`],
  ["lines", `${FIRST}\n${"a\n".repeat(1_000_000)}${LAST}`],
  ["emoji", `${FIRST} ${"🐟".repeat(300_000)} ${LAST}`],
])("shows a turn of 2 MB of %s in prompts within the budget (R75)", async (_title, content) => {
  const { model } = await extract(["[]"], told(content), {
    context: told(content),
    neighbours: Array.from({ length: 10 }, (_, index) => `Ilse ${index} ${"knows a lot ".repeat(300)}`),
  });
  expect(Math.max(...model.prompts.map(estimateTokens))).toBeLessThanOrEqual(4000);
  expect(model.prompts.every((prompt) => prompt.isWellFormed())).toBe(true);
  const shownAsNew = model.prompts.map((prompt) => prompt.slice(prompt.indexOf("\nNEW")));
  for (const sentence of [FIRST, LAST]) expect(shownAsNew.some((prompt) => prompt.includes(sentence))).toBe(true);
});
