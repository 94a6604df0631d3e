import { describe, expect, it } from "vitest";
import { live } from "../../bench/year/live.js";
import { lifeOf } from "../support/year.js";

// The whole year is `npm run bench:year`; this is a small one.
const LIFE = { sessions: 45, people: 3 };

describe("some months of chats with repeats, changes of mind, plans and noise", () => {
  it("leave a store that levels off, right answers about the present, and the old truth for who asks as of then", async () => {
    const months = await live(lifeOf(LIFE), { uri: "memory://", months: 3, consolidation: true, askedThen: 6 });
    const [first, , last] = months;
    expect(months.map(({ fromHistory }) => fromHistory)).toEqual([0, 0, 0]);
    expect(last?.right).toBeGreaterThanOrEqual(0.9);
    expect(last?.rightThen).toBeGreaterThanOrEqual(0.8);
    expect(last?.superseded).toBeGreaterThan(5);
    // Turns grow by as many each month; entries that hold do not.
    expect((last?.turns ?? 0) / (first?.turns ?? 1)).toBeGreaterThan(2.5);
    expect((last?.active ?? 0) / (first?.active ?? 1)).toBeLessThan(1.7);
  });

  it("are the same for the same seed", () => {
    expect(lifeOf(LIFE).sessions).toEqual(lifeOf(LIFE).sessions);
    expect(lifeOf({ ...LIFE, seed: 8 }).sessions).not.toEqual(lifeOf(LIFE).sessions);
  });
});
