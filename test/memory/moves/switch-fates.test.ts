import { expect, it } from "vitest";
import { planSwitch } from "../../../src/memory/moves/switch-plan.js";
import type { EntryChange, MemoryEntry } from "../../../src/records/index.js";
import type { EntryWithChanges } from "../../../src/store/index.js";
import { entryRow } from "../../support/store.js";

const CAUSE = { at: "2025-04-01T12:00:00.000Z", turnIds: [], reason: null, related: [], before: {}, grew: {} } as const;

function made(entryId: string, says: string, more: Partial<MemoryEntry> = {}, ...changes: EntryChange[]) {
  const { entry } = entryRow({ entryId, losslessRestatement: says, sourceIds: ["t1"], status: "active", ...more });
  const origin: EntryChange = { ...CAUSE, op: "extracted", by: "model", turnIds: entry.sourceIds };
  return { entry, changes: [origin, ...changes] };
}

function planned(known: EntryWithChanges[], anew: EntryWithChanges[], said: readonly string[] = []) {
  return planSwitch({ known, anew, open: new Set(["t1", "t2"]), saidElsewhere: new Set(said) });
}

const superseded = { status: "superseded", validTo: "2025-03-09T00:00:00.000Z" } as const;

it("the same words with another fate get it as a change, under the ids that stand in the scope", () => {
  const known = [made("k1", "Graz"), made("k2", "Linz", { sourceIds: ["t2"] })];
  const anew = [
    made("n1", "Graz", { ...superseded, supersededBy: "n2" }),
    made("n2", "Linz", { sourceIds: ["t2"], supersedes: ["n1"] }),
  ];
  const { added, retired, changed } = planned(known, anew);
  expect([added.size, retired.size]).toEqual([0, 0]);
  expect(changed.get("k1")?.change).toEqual({ ...superseded, supersededBy: "k2" });
});

it("what newer turns replaced meanwhile is not made current again, in these or other words", () => {
  const replaced = made(
    "k1",
    "Graz",
    { ...superseded, supersededBy: "k9" },
    {
      ...CAUSE,
      op: "superseded",
      by: "rule",
      turnIds: ["t9"],
    },
  );
  const known = [replaced, made("k9", "Linz", { sourceIds: ["t9"] })];
  for (const words of ["Graz", "the city of Graz"]) {
    const { added, retired, changed } = planned(known, [made("n1", words)]);
    expect([added.size, retired.size, changed.size]).toEqual([0, 0, 0]);
  }
});

it("a pattern goes with a part that is made no more, and the parts that are made are current again", () => {
  const condensed: EntryChange = {
    ...CAUSE,
    op: "condensed",
    by: "maintenance",
    related: ["p"],
    before: { status: "active" },
  };
  const known = [
    made("p", "tea each day", { derivedFrom: ["k1", "k2"], sourceIds: ["t1", "t2"] }),
    made("k1", "tea today", { status: "archived" }, condensed),
    made("k2", "tea again", { status: "archived", sourceIds: ["t2"] }, condensed),
  ];
  const whole = planned(known, [made("n1", "tea today"), made("n2", "tea again", { sourceIds: ["t2"] })]);
  expect([whole.added.size, whole.retired.size, whole.changed.size]).toEqual([0, 0, 0]);
  const { retired, changed } = planned(known, [made("n1", "tea today")]);
  expect([...retired.keys()]).toEqual(["p"]);
  expect(changed.get("k1")?.change.status).toBe("active");
  expect(changed.has("k2")).toBe(false);
});

it("what faded stays in the archive, and what all agents share is not said again", () => {
  const faded: EntryChange = { ...CAUSE, op: "archived", by: "maintenance", before: { status: "active" } };
  const { changed, added } = planned([made("k1", "Graz", { status: "archived" }, faded)], [made("n1", "Graz")]);
  expect([changed.size, added.size]).toEqual([0, 0]);
  expect(planned([], [made("n1", "Graz.")], ["graz"])).toMatchObject({ held: 1 });
});
