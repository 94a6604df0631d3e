import { describe, expect, it } from "vitest";
import type { ExtractedItem } from "../../../src/records/index.js";
import { extract, turn } from "../extract/fixtures.js";
import { decide, entry } from "./fixtures.js";

async function itemOf(said: string, timestamp: string): Promise<ExtractedItem> {
  const speaker = /\p{Script=Han}/u.test(said) ? "小雨" : "Ilse";
  const { items } = await extract([turn(speaker, said, { timestamp })]);
  const [only] = items;
  if (only === undefined || items.length !== 1) throw new Error(`expected one item of: ${said}`);
  return only;
}

/** Said on two days, in this order. */
const ROWS = [
  ["I live in Dunmore.", "I moved to Porthaven.", "supersede"],
  ["I live in Dunmore.", "I moved to Porthaven last week.", "supersede"],
  ["My locker code is 4417.", "My locker code is 7714.", "supersede"],
  ["I like figs.", "I don't like figs anymore.", "supersede"],
  ["I love figs.", "I hate figs.", "supersede"],
  ["I work at Quill & Fern.", "I work for Oakline now.", "supersede"],
  ["The trip to Skerrow is confirmed.", "The trip to Skerrow is cancelled.", "supersede"],
  ["我住在杭州。", "我搬到了成都。", "supersede"],
  ["我喜欢吃榴莲。", "我不喜欢吃榴莲了。", "supersede"],
  [
    "I want to open a second bakery in Skerrow in May.",
    "I will open the Skerrow bakery on 21 June instead of May.",
    "supersede",
  ],
  ["I will visit the dentist on 12 December.", "I will visit the dentist on 18 December.", "supersede"],
  ["The pottery course starts on 7 January.", "The pottery course starts on 14 January.", "supersede"],
  ["The Porto workshop is in March 2025.", "The Porto workshop was moved from March to April.", "supersede"],
  ["Liv wants blue tiles.", "Liv wants green tiles now, not blue.", "supersede"],
  ["我打算在3月开店。", "我打算在4月开店。", "supersede"],
  ["I will visit the dentist on 12 November.", "I will visit the dentist on 18 December.", "add"],
  ["I will open the Skerrow bakery on 21 June.", "I will open the Dunmore bakery on 3 July.", "add"],
  ["The pottery course starts on 7 January.", "The pottery course ends on 14 March.", "add"],
  ["I will visit the dentist in January.", "I will visit the museum on 4 February.", "add"],
  ["I live in Dunmore.", "I live in Dunmore!", "skip"],
  ["I'm allergic to walnuts.", "I adopted a greyhound.", "add"],
  ["I work at Quill & Fern.", "I adopted a greyhound.", "add"],
  ["I visited Maren yesterday.", "I visited Maren yesterday.", "add"],
] as const;

describe("what is said later, extracted and consolidated by rules", () => {
  it.each(ROWS)("%s, then %s: %s", async (first, second, op) => {
    const before = await itemOf(first, "2024-11-05T09:00:00.000Z");
    const after = await itemOf(second, "2024-12-10T09:00:00.000Z");
    expect((await decide(after, { ...entry(""), ...before, entryId: "known" }))?.op).toBe(op);
  });
});
