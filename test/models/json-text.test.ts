import { describe, expect, it } from "vitest";
import { readJson } from "../../src/models/json-text.js";

const isList = (value: unknown, isWhole: boolean): boolean =>
  Array.isArray(value) &&
  (value.length === 0 ? isWhole : value.some((one) => typeof one === "object" && one !== null && "a" in one));

describe("JSON is found in what models write (R01 R02 R04 R07)", () => {
  it.each([
    ["a bare list", '[{"a":1}]', [{ a: 1 }]],
    ["a fence", 'Here:\n```json\n[{"a":1}]\n```', [{ a: 1 }]],
    ["the second of two fences, when only that fits", '```json\n{"b":2}\n```\n```json\n[{"a":1}]\n```', [{ a: 1 }]],
    ["after a closed thought", '<think>[{"a":0}]</think>[{"a":1}]', [{ a: 1 }]],
    ["after an orphaned end of thought", 'maybe [{"a":0}]</think>[{"a":1}]', [{ a: 1 }]],
    ["prose with brackets before it", 'See [1] and {x}: [{"a":1}]', [{ a: 1 }]],
    ["a trailing comma", '[{"a":1},]', [{ a: 1 }]],
    ["an empty list that is the whole reply", "[]", []],
  ])("%s", (_title, reply, value) => {
    expect(readJson(reply, isList)).toEqual({ value, isCutOff: false });
  });

  it.each([
    ["nothing", ""],
    ["prose", "I found nothing."],
    ["a thought that never ends", '<think>[{"a":1}]'],
    ["an empty list within prose", "I write [] when nothing is there."],
  ])("is no answer: %s (R03 R06)", (_title, reply) => {
    expect(readJson(reply, isList)).toBeNull();
  });

  it.each([
    ["a lost character", '[{"a":"x \\u12G4 y"}]', "x \uFFFD y"],
    ["a path", '[{"a":"C:\\users"}]', "C:\\users"],
    ["an escaped backslash before a u", '[{"a":"C:\\\\u1"},]', "C:\\u1"],
    ["a good escape", '[{"a":"\\u00e9"},]', "é"],
  ])("reads a reply with bad escapes: %s (R11)", (_title, reply, text) => {
    expect(readJson(reply, isList)?.value).toEqual([{ a: text }]);
  });

  it("keeps only the whole items of a reply that was cut off (R08)", () => {
    expect(readJson('[{"a":1},{"a":2},{"a":', isList)).toEqual({ value: [{ a: 1 }, { a: 2 }], isCutOff: true });
  });
});
