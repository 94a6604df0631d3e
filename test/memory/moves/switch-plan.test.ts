import fc from "fast-check";
import { expect, it } from "vitest";
import { planSwitch } from "../../../src/memory/moves/switch-plan.js";
import type { EntryWithChanges } from "../../../src/store/index.js";
import { entryRow } from "../../support/store.js";

const NOW = "2025-04-01T12:00:00.000Z";

interface Sketch {
  readonly says: string;
  readonly turn: string;
  readonly byHand: boolean;
}

function entryOf({ says, turn, byHand }: Sketch, entryId: string): EntryWithChanges {
  const { entry } = entryRow({ entryId, losslessRestatement: says, sourceIds: [turn], status: "active" });
  const made = { at: NOW, turnIds: [turn], reason: null, related: [], before: {}, grew: {} };
  const corrected = { ...made, op: "updated", by: "user", turnIds: [], before: { topic: "x" } } as const;
  return { entry, changes: [{ ...made, op: "extracted", by: "model" }, ...(byHand ? [corrected] : [])] };
}

const sketch = fc.record({
  says: fc.constantFrom("a", "b", "c", "d", "e", "f"),
  turn: fc.constantFrom("t1", "t2", "t3"),
  byHand: fc.boolean(),
});
const sketches = fc.uniqueArray(sketch, { selector: ({ says }) => says, maxLength: 6 });

function planned(now: readonly Sketch[], then: readonly Sketch[], open: readonly string[]) {
  const known = now.map((one, index) => entryOf(one, `k${index}`));
  const anew = then.map((one, index) => entryOf({ ...one, byHand: false }, `n${index}`));
  const plan = planSwitch({ known, anew, open: new Set(open), saidElsewhere: new Set() });
  return { known, anew, plan };
}

function after({ known, anew, plan }: ReturnType<typeof planned>): EntryWithChanges[] {
  const kept = known.filter(({ entry }) => !plan.retired.has(entry.entryId));
  const added = anew.flatMap((one) => {
    const id = plan.added.get(one.entry.entryId);
    return id === undefined ? [] : [{ ...one, entry: { ...one.entry, entryId: id } }];
  });
  return [...kept, ...added];
}

const turns = fc.subarray(["t1", "t2", "t3"]);

it("whatever is known: what a person made stays, closed turns stay, nothing is said twice, and again changes nothing", () => {
  fc.assert(
    fc.property(sketches, sketches, turns, (now, then, open) => {
      const result = planned(now, then, open);
      const { known, anew, plan } = result;
      const retired = known.filter(({ entry }) => plan.retired.has(entry.entryId));
      expect(retired.every(({ changes }) => changes.every(({ by }) => by !== "user"))).toBe(true);
      expect(retired.every(({ entry }) => entry.sourceIds.every((id) => open.includes(id)))).toBe(true);
      const written = anew.filter(({ entry }) => plan.added.has(entry.entryId));
      expect(written.every(({ entry }) => entry.sourceIds.every((id) => open.includes(id)))).toBe(true);
      const standing = after(result);
      const said = standing.map(({ entry }) => entry.losslessRestatement);
      expect(new Set(said).size).toBe(said.length);
      const again = planSwitch({ known: standing, anew, open: new Set(open), saidElsewhere: new Set() });
      expect([again.added.size, again.retired.size]).toEqual([0, 0]);
    }),
  );
});

it("broken off after the new rows were written it comes to the same", () => {
  fc.assert(
    fc.property(sketches, sketches, (now, then) => {
      const open = ["t1", "t2", "t3"];
      const whole = planned(now, then, open);
      const half = [...whole.known, ...after(whole).filter((one) => !whole.known.includes(one))];
      const again = planSwitch({ known: half, anew: whole.anew, open: new Set(open), saidElsewhere: new Set() });
      expect(again.added.size).toBe(0);
      expect([...again.retired.keys()]).toEqual([...whole.plan.retired.keys()]);
    }),
  );
});

it("with every turn open and nothing by hand, what stands is what the new options make", () => {
  const free = sketches.map((list) => list.map((one) => ({ ...one, byHand: false })));
  fc.assert(
    fc.property(free, free, (now, then) => {
      const standing = after(planned(now, then, ["t1", "t2", "t3"]));
      expect(standing.map(({ entry }) => entry.losslessRestatement).sort()).toEqual(
        then.map(({ says }) => says).sort(),
      );
    }),
  );
});
