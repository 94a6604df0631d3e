import fc from "fast-check";
import { expect, it } from "vitest";
import {
  type ChangeCause,
  changesOf,
  type EntryChange,
  firstChange,
  type MemoryEntry,
  versionsOf,
  withChange,
} from "../../src/records/index.js";
import { entryOf, NOON } from "../support/store.js";

const ORIGIN: ChangeCause = { op: "extracted", at: NOON, by: "rule", turnIds: ["d1"], reason: null, related: [] };

const ids = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 4 });
const change: fc.Arbitrary<Partial<MemoryEntry>> = fc.record(
  {
    losslessRestatement: fc.string(),
    sourceIds: ids,
    keywords: ids,
    persons: ids,
    supersedes: ids,
    topic: fc.option(fc.string()),
    pinned: fc.boolean(),
    metadata: fc.dictionary(fc.string(), fc.string()),
    status: fc.constantFrom("active", "superseded", "archived"),
  },
  { requiredKeys: [] },
);

/** The states that an entry goes through, and what is stored of them. */
function lived(steps: readonly Partial<MemoryEntry>[]) {
  const first = entryOf();
  const states = [first];
  let changes: readonly EntryChange[] = [firstChange(ORIGIN)];
  steps.forEach((step, index) => {
    const before = states.at(-1) ?? first;
    const at = new Date(Date.parse(NOON) + index + 1).toISOString();
    const after = { ...before, ...step, updatedAt: at };
    const more = withChange(changes, before, after, { ...ORIGIN, op: "updated", by: "user", at, turnIds: [] });
    if (more === changes) return;
    changes = more;
    states.push(after);
  });
  return { states, changes };
}

it("whatever an entry goes through, its changes give back every state that it had, and can be made of these again", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (steps) => {
      const { states, changes } = lived(steps);
      const versions = versionsOf(states.at(-1) ?? entryOf(), JSON.parse(JSON.stringify(changes)));
      expect(versions.map(({ entry }) => entry)).toEqual(states);
      expect(versions.map(({ version }) => version)).toEqual(states.map((_, index) => index + 1));
      expect(changesOf(versions)).toEqual(changes);
    }),
  );
});

it("a list that only grows is kept as its former length, so that a thousand repeats stay small", () => {
  const steps = Array.from({ length: 1000 }, (_, index) => ({
    sourceIds: Array.from({ length: index + 2 }, (_one, ordinal) => `turn-${ordinal}`),
  }));
  const { changes } = lived(steps);
  expect(changes).toHaveLength(1001);
  expect(JSON.stringify(changes).length).toBeLessThan(200 * 1001);
});

it("an entry from before histories were kept has the version that it is, and keeps it when it is changed", () => {
  const entry = entryOf();
  expect(versionsOf(entry, []).map(({ op, by }) => [op, by])).toEqual([["stored", "unknown"]]);
  const pinned = { ...entry, pinned: true };
  const changes = withChange([], entry, pinned, { ...ORIGIN, op: "pinned", by: "user" });
  expect(versionsOf(pinned, changes).map(({ op, entry: { pinned: mark } }) => [op, mark])).toEqual([
    ["stored", false],
    ["pinned", true],
  ]);
});
