import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunksOf, chunkText } from "../../src/language/chunks.js";

const letters = fc.constantFrom("a", " ", "好", "😀", "\n", "xyz ", "\u{20000}");
const text = fc.array(letters, { maxLength: 300 }).map((parts) => parts.join(""));
const SIZE = 40;
const OVERLAP = 8;

describe("chunksOf", () => {
  it("keeps a text that fits whole", () => {
    expect(chunkText("short")).toEqual(["short"]);
    expect(chunkText("")).toEqual([""]);
  });

  it("gives pieces of at most the size in code points, each a part of the text, that begin at its start and end at its end", () => {
    fc.assert(
      fc.property(text, (whole) => {
        const chunks = [...chunksOf(whole, SIZE, OVERLAP)];
        for (const chunk of chunks) {
          expect(Array.from(chunk).length).toBeLessThanOrEqual(SIZE);
          expect(chunk.isWellFormed()).toBe(true);
          expect(whole).toContain(chunk);
        }
        expect(whole.startsWith(chunks[0] ?? "")).toBe(true);
        expect(whole.endsWith(chunks.at(-1) ?? "")).toBe(true);
      }),
    );
  });

  it("leaves no code point out", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 9999 }), { maxLength: 120 }), (numbers) => {
        const words = numbers.map((number, index) => `${index}w${number}`);
        const joined = [...chunksOf(words.join(" "), SIZE, 16)].join(" ");
        for (const word of words) expect(joined).toContain(word);
      }),
    );
  });
});
