import fc from "fast-check";

/** Facts of the turns that the fuzz tests add. */
export const FACTS = [
  "Ilse repairs clocks",
  "Ilse lives in Dunmore",
  "Ilse has 3 cats",
  "Ilse dislikes olives",
] as const;

const item = (text: string, more: Record<string, unknown> = {}) =>
  JSON.stringify({ lossless_restatement: text, keywords: [], persons: ["Ilse"], source_ids: ["1"], ...more });

const wrongItem = fc.constantFrom(
  "42",
  "null",
  "[]",
  '"bare"',
  "{}",
  '{"lossless_restatement": 5}',
  '{"lossless_restatement": {"value": "x"}}',
  '{"lossless_restatement": "   "}',
  '{"lossless_restatement": "a \\ud83d b"}',
  '{"lossless_restatement": "a \\u12G4 b"}',
  '{"lossless_restatement" "x"}',
  '{"__proto__": {"x": 1}, "lossless_restatement": "Ilse repairs clocks"}',
  '{"lossless_restatement": "Ilse repairs clocks", "lossless_restatement": "Ilse repairs clocks"}',
);
const odd = fc.record({
  keywords: fc.constantFrom(undefined, 5, null, ["a", 3, "\ud800"], "one"),
  persons: fc.constantFrom(undefined, "Ilse", [null], ["Ilse"]),
  timestamp: fc.constantFrom(undefined, "soon", 7, "2024-02-31", "2025-01-01"),
  source_ids: fc.constantFrom(undefined, [], ["nobody"], [1], "1"),
  attributes: fc.constantFrom(undefined, { amount: 5 }, { amount: "5" }, []),
  unknown: fc.constantFrom(undefined, 1, { deep: [[]] }),
});
const goodItem = fc.tuple(fc.constantFrom(...FACTS), odd).map(([text, more]) => item(text, more));
const list = fc
  .array(fc.oneof({ weight: 3, arbitrary: goodItem }, { weight: 1, arbitrary: wrongItem }), { maxLength: 5 })
  .map((items) => `[${items.join(", ")}]`);

const noise = fc.constantFrom("", "Sure! ", "See [1] and {x}: ", "{open ", 'it\'s "so" ', "\n\n", ":] ", "<b>");
const frames: ((body: string) => string)[] = [
  (body) => body,
  (body) => `{"entries": ${body}}`,
  (body) => `{"memories": ${body}, "n": 1}`,
  (body) => `\`\`\`json\n${body}\n\`\`\``,
  (body) => `\`\`\`\n{"entries": ${body}}`,
  (body) => `<think>[{"lossless_restatement": "Ilse owns a secret draft"}]</think>${body}`,
  (body) => `[{"lossless_restatement": "Ilse owns a secret draft"}]</think>${body}`,
  (body) => `<think>${body}`,
  (body) => JSON.stringify({ entries: body }),
  (body) => `${body}${body}`,
];

/** Replies of the right kind, mangled as models mangle them: prose, fences, thoughts, wrong types, cuts. */
export const mangledReply: fc.Arbitrary<string> = fc
  .tuple(
    list,
    fc.constantFrom(...frames),
    noise,
    noise,
    fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 3 }),
  )
  .map(([body, frame, before, after, cut]) => {
    const whole = `${before}${frame(body)}${after}`;
    return cut === null ? whole : whole.slice(0, Math.floor(whole.length * cut));
  });
