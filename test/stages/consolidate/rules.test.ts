import { describe, expect, it } from "vitest";
import { createRuleConsolidator } from "../../../src/stages/consolidate/index.js";
import { decide, entry, item, run } from "./fixtures.js";

describe("createRuleConsolidator", () => {
  it.each([
    ["Ilse's locker code is 4417.", "Ilse's locker code is 7714.", "supersede"],
    ["Ilse likes figs.", "Ilse does not like figs.", "supersede"],
    ["Ilse does not like figs.", "Ilse likes figs.", "supersede"],
    ["Ilse loves figs.", "Ilse hates figs.", "supersede"],
    ["Ilse lives in Dunmore.", "Ilse moved to Porthaven.", "supersede"],
    ["Ilse lives in Dunmore.", "Ilse Corrin now lives in Porthaven.", "supersede"],
    ["Bram works at Quill & Fern.", "Bram works for Oakline.", "supersede"],
    ["Bram works as a baker.", "Bram works as a carpenter.", "supersede"],
    ["Maren is 31 years old.", "Maren is 32 years old.", "supersede"],
    ["Maren's phone number is 555-1234.", "Maren's phone number is 555-9876.", "supersede"],
    ["The password of the router is fig7.", "The password for the router was changed to elm9.", "supersede"],
    ["Ilse's favourite colour is green.", "Ilse's favorite colour is blue.", "supersede"],
    ["Ilse prefers tea over coffee.", "Ilse prefers coffee over tea.", "supersede"],
    ["Ilse prefers aisle seats.", "Ilse prefers window seats.", "supersede"],
    ["The trip to Skerrow is confirmed.", "The trip to Skerrow is cancelled.", "supersede"],
    ["Bram is single.", "Bram got married.", "supersede"],
    ["Ilse smokes.", "Ilse does not smoke.", "supersede"],
    ["小雨住在杭州。", "小雨搬到了成都。", "supersede"],
    ["小雨在书店工作。", "小雨在学校工作。", "supersede"],
    ["小雨喜欢榴莲。", "小雨不喜欢榴莲。", "supersede"],
    ["小雨的密码是4417。", "小雨的密码改成7714。", "supersede"],
  ])("%s, then %s: %s", async (known, next, op) => {
    expect(await decide(item(next), entry(known))).toEqual({ op, target: "known" });
  });

  it.each([
    ["Ilse is allergic to walnuts.", "Ilse adopted a greyhound."],
    ["Ilse works at Quill & Fern.", "Ilse adopted a greyhound."],
    ["Ilse prefers tea over coffee.", "Ilse prefers window seats."],
    ["Ilse likes figs.", "Ilse likes walnuts."],
    ["Ilse lives in Dunmore.", "Ilse wants to move to Porthaven."],
    ["Ilse lives in Dunmore.", "Ilse's sister lives in Porthaven."],
    ["Ilse lives in Dunmore.", "Ilse moved to the next chapter."],
    ["Ilse's locker code is 4417.", "Bram's locker code is 7714."],
    ["Ilse's locker code is 4417.", "Ilse's door code is 7714."],
    ["Ilse gave Bram a book.", "Bram gave Ilse a book."],
    ["Ilse sold a car.", "Ilse bought a car."],
    ["Ilse lent Bram 40 euros.", "Ilse lent Bram 60 euros."],
    ["Ilse eats meat.", "Ilse eats meat only before noon."],
    ["Ilse's brother is Bram.", "Ilse's brother is tall."],
    ["小雨养了一只猫。", "小雨在学校工作。"],
  ])("keeps both: %s | %s", async (known, next) => {
    expect(await decide(item(next), entry(known))).toEqual({ op: "add" });
    expect(await decide(item(known), entry(next))).toEqual({ op: "add" });
  });

  it.each([
    ["Ilse lives in Dunmore.", "ilse lives in dunmore", { op: "skip", target: "known" }],
    ["Ilse lives in Dunmore with her cat Pim.", "Ilse lives in Dunmore.", { op: "skip", target: "known" }],
    ["Ilse has a greyhound.", "Ilse has a grey greyhound.", "merge"],
    ["小雨住在杭州。", "小雨住在杭州", { op: "skip", target: "known" }],
  ])("%s | %s is one fact", async (known, next, expected) => {
    const decision = await decide(item(next), entry(known));
    expect(decision).toEqual(expected === "merge" ? { op: "merge", target: "known", text: next } : expected);
  });

  it("orders by when it was said: older words become history of what is known", async () => {
    const older = item("Ilse lives in Dunmore.", { mentionedAt: "2024-06-01T00:00:00.000Z" });
    expect(await decide(older, entry("Ilse moved to Porthaven."))).toEqual({ op: "superseded_by", target: "known" });
  });

  it("takes a move told late for as old as it was", async () => {
    const late = item("Ilse moved to Skerrow in 2019.", { timestamp: "2019-01-01T00:00:00.000Z" });
    expect(await decide(late, entry("Ilse lives in Porthaven."))).toEqual({ op: "superseded_by", target: "known" });
  });

  it("marks a conflict when the times are equal and the words are not of one window", async () => {
    const same = item("Ilse lives in Dunmore.", { mentionedAt: "2025-01-01T10:00:00.000Z" });
    expect(await decide(same, entry("Ilse lives in Porthaven."))).toEqual({ op: "conflict", target: "known" });
  });

  it("lets the later of two items of one call win at equal times", async () => {
    const first = item("Ilse lives in Dunmore.");
    const second = item("Ilse lives in Porthaven.");
    const { decisions } = await createRuleConsolidator().consolidate(
      {
        items: [
          { entryId: "one", item: first, candidates: [] },
          {
            entryId: "two",
            item: second,
            candidates: [{ entry: { ...entry(""), ...first, entryId: "one" }, similarity: 1 }],
          },
        ],
      },
      run,
    );
    expect(decisions).toEqual([{ op: "add" }, { op: "supersede", target: "one" }]);
  });

  it("never touches an entry that is history already", async () => {
    const retired = entry("Ilse lives in Dunmore.", { status: "superseded" });
    expect(await decide(item("Ilse lives in Dunmore."), retired)).toEqual({ op: "add" });
  });

  it("does not let an assistant's words end what the user said", async () => {
    const reply = item("Ilse lives in Porthaven.", { sourceRole: "assistant", speaker: "assistant" });
    expect(await decide(reply, entry("Ilse lives in Dunmore."))).toEqual({ op: "add" });
  });

  it("keeps the same event of two days apart", async () => {
    const day = (date: string) => ({ kind: "event" as const, timestamp: `${date}T00:00:00.000Z` });
    const next = item("Ilse ran the loop.", day("2025-01-05"));
    expect(await decide(next, entry("Ilse ran the long loop.", day("2025-01-03")))).toEqual({ op: "add" });
    expect(await decide(next, entry("Ilse ran the long loop.", day("2025-01-05")))).toMatchObject({ op: "skip" });
  });

  it("looks past the nearest candidate for the one that is contradicted", async () => {
    const decision = await decide(
      item("Ilse moved to Porthaven."),
      entry("Ilse adopted a greyhound.", { entryId: "a" }),
      entry("Ilse lives in Dunmore.", { entryId: "b" }),
    );
    expect(decision).toEqual({ op: "supersede", target: "b" });
  });
});
