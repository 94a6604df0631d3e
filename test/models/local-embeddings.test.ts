import { describe, expect, it } from "vitest";
import { InvalidInputError } from "../../src/index.js";
import { LocalEmbeddings } from "../../src/models/index.js";
import { parseWordTable } from "../../src/models/word-table.js";

const embeddings = new LocalEmbeddings();

function cosine(left: string, right: string): number {
  const [a, b] = [embeddings.embedSync(left), embeddings.embedSync(right)];
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

describe("LocalEmbeddings", () => {
  it.each([
    "Ilse repairs clocks.",
    "我每天下午喝绿茶",
    "남산에서 만나요",
    "🐕",
    "?!",
    "4417",
    "zxqvbn",
    "the of and",
    "x".repeat(5000),
  ])("gives %s a finite vector of unit length", (text) => {
    const vector = embeddings.embedSync(text);
    expect(vector).toHaveLength(embeddings.dimension);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
  });

  it.each(["", "   ", "\n\t"])("refuses the blank text %j", async (text) => {
    await expect(embeddings.embedQuery(text)).rejects.toThrow(InvalidInputError);
  });

  it.each([
    ["Ilse adopted a dog.", "Ilse has a puppy.", "The train to Dunmore was late."],
    ["She plays the violin in an orchestra.", "He loves music and concerts.", "The rent is 600 euros a month."],
    ["我每天下午喝绿茶", "她喜欢喝绿茶", "火车晚点了"],
  ])("finds %j nearer to %j than to %j", (text, near, far) => {
    expect(cosine(text, near)).toBeGreaterThan(cosine(text, far));
  });

  it("gives the same text the same vector, in one call and in many, whatever the case of its letters", async () => {
    const text = "Rill the greyhound sleeps in Porthaven";
    const [first] = await embeddings.embedDocuments([text]);
    expect(first).toEqual(embeddings.embedSync(text));
    expect(await new LocalEmbeddings().embedQuery(text.toUpperCase())).toEqual(first);
  });

  it("tells numbers apart that it has never seen", () => {
    expect(cosine("The locker code is 4417", "The locker code is 7714")).toBeLessThan(0.999);
  });

  it("lets other work run during a bulk call", async () => {
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 0);
    await embeddings.embedDocuments(
      Array.from({ length: 5000 }, (_, index) => `Sentence number ${index} about clocks and bread.`),
    );
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(1);
  });

  it("refuses a damaged table", () => {
    expect(() => parseWordTable(new Uint8Array(64))).toThrow(/damaged/);
  });
});
