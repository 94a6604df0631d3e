import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  believedAt,
  type EntryChange,
  epochOf,
  factAt,
  firstChange,
  inUtc,
  type MemoryEntry,
  versionsOf,
  withChange,
} from "../../src/records/index.js";
import { entryOf, factOf } from "../support/store.js";

const DAY = 86_400_000;
const SAID = Date.parse("2025-01-01T00:00:00.000Z");

function day(number: number): string {
  return new Date(SAID + number * DAY).toISOString();
}

function cause(op: EntryChange["op"], at: string, saidAt?: string) {
  const said = saidAt === undefined ? {} : { saidAt };
  return { op, at, by: "user", turnIds: [], reason: null, related: [], ...said } as const;
}

/** An entry that was said on day 0, stored on `stored`, and corrected on later days. */
function corrected(
  stored: number,
  corrections: readonly { readonly gap: number; readonly patch: Partial<MemoryEntry> }[],
) {
  let entry = entryOf({ mentionedAt: day(0), createdAt: day(stored), updatedAt: day(stored) });
  let changes: readonly EntryChange[] = [firstChange(cause("extracted", day(stored), day(0)))];
  let when = stored;
  for (const { gap, patch } of corrections) {
    when += gap;
    const next = { ...entry, ...patch, updatedAt: day(when) };
    changes = withChange(changes, entry, next, cause("updated", day(when)));
    entry = next;
  }
  return { entry, changes };
}

const patch = fc.oneof(
  fc.record({ losslessRestatement: fc.constantFrom("a", "b", "c") }),
  fc.record({ status: fc.constantFrom("active" as const, "done" as const, "archived" as const) }),
  fc.record({ persons: fc.uniqueArray(fc.constantFrom("Ilse", "Ane", "Bram")) }),
  fc.record({ metadata: fc.dictionary(fc.constantFrom("k", "l"), fc.integer()) }),
);

describe("what was believed", () => {
  it("is, at any day, the last version that had been made by then, where all was made by hand", () => {
    const corrections = fc.array(fc.record({ gap: fc.integer({ min: 1, max: 5 }), patch }), { maxLength: 6 });
    fc.assert(
      fc.property(corrections, fc.integer({ min: 0, max: 40 }), (list, asked) => {
        const { entry, changes } = corrected(2, list);
        const [first, ...later] = versionsOf(entry, changes);
        const made = [first, ...later.filter(({ at }) => at <= day(asked))].at(-1)?.entry;
        const then = believedAt({ entry, changes }, day(asked));
        const { updatedAt: _then, ...believed } = then ?? entry;
        const { updatedAt: _made, ...expected } = made ?? entry;
        expect(believed).toEqual(expected);
      }),
    );
  });

  it("is nothing before it was said, and all of it from that moment on, whenever it was stored", () => {
    const stored = corrected(90, []);
    expect(believedAt(stored, new Date(SAID - 1).toISOString())).toBeNull();
    expect(believedAt(stored, day(0))).toEqual(stored.entry);
  });

  it("does not show a later correction through older words that came in after it", () => {
    const { entry, changes } = corrected(10, [{ gap: 1, patch: { losslessRestatement: "corrected" } }]);
    const joined = { ...entry, sourceIds: [...entry.sourceIds, "old"], updatedAt: day(20) };
    const all = withChange(changes, entry, joined, cause("joined", day(20), day(3)));
    const then = believedAt({ entry: joined, changes: all }, day(5));
    expect(then).toMatchObject({ losslessRestatement: entryOf().losslessRestatement, sourceIds: ["d1", "old"] });
    expect(believedAt({ entry: joined, changes: all }, day(11))?.losslessRestatement).toBe("corrected");
  });

  it("of what was made by upkeep begins when it was made", () => {
    const entry = entryOf({ mentionedAt: day(0), kind: "pattern" });
    const made = { entry, changes: [firstChange(cause("condensed", day(30)))] };
    expect(believedAt(made, day(29))).toBeNull();
    expect(believedAt(made, day(30))).toEqual(entry);
  });

  it("of an entry from before histories were kept ends where it was superseded", () => {
    const entry = entryOf({ mentionedAt: day(0), status: "superseded", supersededBy: "e2", validTo: day(9) });
    expect(believedAt({ entry, changes: [] }, day(8))).toMatchObject({ status: "active", validTo: null });
    expect(believedAt({ entry, changes: [] }, day(9))).toEqual(entry);
  });
});

describe("a fact at a time", () => {
  const fact = factOf({
    value: "c",
    createdAt: day(1),
    updatedAt: day(5),
    expiresAt: day(9),
    history: [
      { value: "a", until: day(3) },
      { value: "b", until: day(5) },
    ],
  });

  it.each([
    [0, null, null],
    [1, "a", null],
    [3, "b", null],
    [4, "b", null],
    [5, "c", day(9)],
  ])("on day %i is %j", (asked, value, expiresAt) => {
    const then = factAt(fact, day(asked));
    expect(then?.value ?? null).toBe(value);
    expect(then?.expiresAt ?? null).toBe(expiresAt);
    expect(then?.history.map(({ until }) => until) ?? []).toEqual(
      [day(3), day(5)].filter((until) => until <= day(asked)),
    );
  });
});

describe("a time without an offset", () => {
  it.each([
    ["2025-02-01", "2025-02-01T00:00:00.000Z"],
    ["2025-02-01T10:00", "2025-02-01T10:00:00.000Z"],
    ["2025-02-01 10:00:30", "2025-02-01T10:00:30.000Z"],
    ["2025-02-01T10:00:00+02:00", "2025-02-01T08:00:00.000Z"],
    ["2025-02-01T10:00:00-02:00", "2025-02-01T12:00:00.000Z"],
    ["2025-02-01t10:00:00z", "2025-02-01T10:00:00.000Z"],
  ])("%s is read as UTC, whatever the machine's zone", (time, expected) => {
    expect(inUtc(time)).toBe(expected);
  });

  it("is no number where it is no time", () => {
    expect(epochOf("soon")).toBeNaN();
  });
});
