import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJson } from "../../src/models/json-text.js";
import { withoutReasoning } from "../../src/models/reasoning.js";

const fits = (value: unknown, isWhole: boolean): boolean =>
  Array.isArray(value) &&
  (value.length === 0 ? isWhole : value.some((one) => typeof one === "object" && one !== null && "a" in one));
const read = (reply: string) => readJson(reply, { fits });
const jsonIn = (reply: string): unknown => read(reply)?.value;

describe("JSON is found in what models write (R01 R02 R04 R07)", () => {
  it.each([
    ["a bare list", '[{"a":1}]', [{ a: 1 }]],
    ["a fence", 'Here:\n```json\n[{"a":1}]\n```', [{ a: 1 }]],
    ["the second of two fences, when only that fits", '```json\n{"b":2}\n```\n```json\n[{"a":1}]\n```', [{ a: 1 }]],
    ["the first of two fences, when only that fits", '```json\n[{"a":1}]\n```\n```json\n{"b":2}\n```', [{ a: 1 }]],
    ["a fence without a label or line feeds", '```[{"a":1}]```', [{ a: 1 }]],
    ["a fence that is never closed", '```json\n[{"a":1}]', [{ a: 1 }]],
    ["prose with brackets before it", 'See [1] and {x}: [{"a":1}]', [{ a: 1 }]],
    ["prose with a bracket that is never closed before it", 'Notes {see below: [{"a":1}] done', [{ a: 1 }]],
    ["prose with a lone quote within a bracket before it", 'Notes {see "below: [{"a":1}] done', [{ a: 1 }]],
    ["prose with a smiley of closing brackets", 'Done :] :} [{"a":1}] :}', [{ a: 1 }]],
    ["prose with brackets after it", '[{"a":1}]\nAnything else? {yes/no} [y/n', [{ a: 1 }]],
    ["a list under another key", '{"memories":[{"a":1}],"note":"x"}', [{ a: 1 }]],
    ["a list two levels down", '{"data":{"result":[{"a":1}]}}', [{ a: 1 }]],
    ["a list of lists beside it", '[["x"]] [{"a":1}]', [{ a: 1 }]],
    ["brackets within its strings", '[{"a":"]}[{"}]', [{ a: "]}[{" }]],
    ["a quote within its strings", '[{"a":"6\\" pipe ]"}]', [{ a: '6" pipe ]' }]],
    ["a trailing comma", '[{"a":1},]', [{ a: 1 }]],
    ["single quotes", "[{'a': 'x'}]", [{ a: "x" }]],
    ["keys without quotes", "[{a: 1}]", [{ a: 1 }]],
    ["a comment", '[{"a":1} // one\n]', [{ a: 1 }]],
    ["Python's names", '[{"a":None,"b":True}]', [{ a: null, b: true }]],
    ["a line feed within a string", '[{"a":"x\ny"}]', [{ a: "x\ny" }]],
    ["the same key twice", '[{"a":1,"a":2}]', [{ a: 2 }]],
    ["a reply that was encoded twice", JSON.stringify('[{"a":1}]'), [{ a: 1 }]],
    ["a draft before it", 'Draft: [{"a":0}]\nFinal: [{"a":1}]', [{ a: 1 }]],
    ["an empty list that is the whole reply", "[]", []],
    ["an empty list that is all in its fence", "```json\n[]\n```", []],
  ])("%s", (_title, reply, value) => {
    expect(read(reply)).toMatchObject({ value, isCutOff: false });
  });

  it.each([
    ["nothing", ""],
    ["white space", " \n\t"],
    ["prose", "I found nothing."],
    ["prose with apostrophes and a lone bracket", "That's [all I can't say"],
    ["a thought that never ends", '<think>[{"a":1}]'],
    ["a thought and nothing after it", '<think>[{"a":1}]</think>'],
    ["an empty list within prose", "I write [] when nothing is there."],
    ["an empty list after prose", "Nothing to remember:\n```json\n[]\n```"],
    ["the beginning of a list", "["],
    ["the beginning of an object", '{"memories": ['],
    ["the beginning of an item", '[{"a": "x'],
    ["a number", "42"],
    ["null", "null"],
  ])("is no answer: %s (R03 R06 R08)", (_title, reply) => {
    expect(read(reply)).toBeNull();
  });

  it.each([
    ["a lost character", '[{"a":"x \\u12G4 y"}]', "x \uFFFD y"],
    ["a path", '[{"a":"C:\\users"}]', "C:\\users"],
    ["an escaped backslash before a u", '[{"a":"C:\\\\u1"},]', "C:\\u1"],
    ["a good escape", '[{"a":"\\u00e9"},]', "é"],
    ["an escape that JSON has not", '[{"a":"it\\\'s"}]', "it's"],
    ["a backslash before a line feed", '[{"a":"x\\\ny"}]', "x\ny"],
  ])("reads a reply with bad escapes: %s (R11)", (_title, reply, text) => {
    expect(jsonIn(reply)).toEqual([{ a: text }]);
  });

  it.each([
    ["within a key", '[{"a":1},{"a":2},{"a', 2],
    ["within a value", '[{"a":1},{"a":2},{"a":"x, y', 2],
    ["after an item", '[{"a":1},{"a":2},', 2],
    ["within an inner list", '[{"a":1},{"a":2,"b":["x","y', 1],
    ["after an inner list", '[{"a":1},{"a":2,"b":["x"],"c":[', 1],
    ["within its wrapper", '{"entries":[{"a":1},{"a":2},{"a":', 2],
    ["within a fence", '```json\n[{"a":1},{"a":', 1],
    ["after prose", 'Here you are:\n[{"a":1},{"a":', 1],
    ["within an escape", '[{"a":1},{"a":"x\\', 1],
    ["within a surrogate", '[{"a":1},{"a":"x\\ud8', 1],
  ])("keeps only the whole items of a reply that was cut off %s (R07)", (_title, reply, items) => {
    const value = Array.from({ length: items }, (_, index) => ({ a: index + 1 }));
    expect(read(reply)).toMatchObject({ value: value.map((one) => expect.objectContaining(one)), isCutOff: true });
    expect(jsonIn(reply)).toHaveLength(items);
  });

  it("joins several values when it is told how, each once", () => {
    const join = (values: readonly unknown[]) => values.flat();
    const reply = '1. [{"a":1}]\n2. ```json\n[{"a":2}]\n```\nand {"entries":[{"a":3}]}';
    expect(readJson(reply, { fits, join })?.value).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
  });
});

describe("what a model thinks aloud is no reply (R02)", () => {
  it.each([
    ["closed", "<think>no</think>yes"],
    ["closed, in capitals and with an attribute", '<THINKING effort="high">no</THINKING>yes'],
    ["without its beginning", "no</think>yes"],
    ["several", "<think>no</think>y<reasoning>no</reasoning>es"],
    ["one within another", "<think>no <think>no</think> no</think>yes"],
    ["in brackets", "[THINK]no[/THINK]yes"],
    ["of Kimi", "◁think▷no◁/think▷yes"],
    ["of Seed", "<seed:think>no</seed:think>yes"],
    [
      "in a channel",
      "<|channel|>analysis<|message|>no<|end|><|start|>assistant<|channel|>final<|message|>yes<|return|>",
    ],
    ["as a scratchpad", "<scratchpad>no</scratchpad>\nyes"],
    ["never closed, after the answer", "yes<think>no"],
    ["an end too many", "<think>no</think>no</think>yes"],
  ])("%s", (_title, reply) => {
    expect(withoutReasoning(reply)).toBe("yes");
  });

  it("leaves a tag within a string of a whole reply alone", () => {
    expect(jsonIn('[{"a":"Ilse types <think> by hand"}]')).toEqual([{ a: "Ilse types <think> by hand" }]);
  });
});

describe("reading takes time in proportion to the reply", () => {
  // What takes quadratic time does not end within the test's limit at these lengths.
  it.each([
    ["openers", "[".repeat(200_000)],
    ["openers of both kinds", "[{".repeat(100_000)],
    ["closers after openers of the other kind", "[".repeat(100_000) + "}".repeat(100_000)],
    ["quotes", '["'.repeat(100_000)],
    ["tags of thinking", "<think>".repeat(30_000)],
    ["ends of thinking", "</think>".repeat(30_000)],
    ["beginnings of tags", "<think ".repeat(30_000)],
    ["fences", "```".repeat(70_000)],
    ["fences and blanks", `\`\`\`${" ".repeat(200_000)}`],
    ["backslashes", `["${"\\".repeat(200_001)}`],
    ["items that are never closed", '[{"a":'.repeat(30_000)],
    ["balanced brackets", "[".repeat(50_000) + "]".repeat(50_000)],
  ])("%s", (_title, reply) => {
    expect(read(reply)).toBeNull();
  });
});

it("never throws, and gives nothing but what fits", () => {
  const characters = fc.constantFrom(..."[]{}\":,a1\\ \n<think>/`'".split(""));
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 200 }), (reply) => {
      const found = read(reply);
      expect(found === null || fits(found.value, true)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
