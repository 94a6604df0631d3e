import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DialogueTurn } from "../../../src/records/index.js";
import { createWindower } from "../../../src/stages/window/index.js";

const START = Date.parse("2025-03-01T09:00:00.000Z");
const countTokens = (text: string): number => text.length;

function turn(index: number, content = "word", minutes = index): DialogueTurn {
  return {
    dialogueId: `d${index}`,
    sessionId: "s",
    speaker: "Ilse",
    role: "user",
    content,
    timestamp: new Date(START + minutes * 60_000).toISOString(),
    offsetMinutes: 0,
    timestampIsAssumed: false,
    contentHash: "",
    sequence: index,
    metadata: {},
  };
}

const turns = (count: number, content?: string): DialogueTurn[] =>
  Array.from({ length: count }, (_, index) => turn(index, content));

const windower = (over: Partial<Parameters<typeof createWindower>[0]> = {}) =>
  createWindower({ size: 4, overlap: 2, maxTokens: 1_000, closeEarly: false, countTokens, ...over });

const lengths = (windows: readonly { turns: readonly DialogueTurn[] }[]): number[] =>
  windows.map((window) => window.turns.length);

describe("createWindower", () => {
  it("puts every turn in exactly one window, in order, within both caps, whatever comes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 200 })), { maxLength: 60 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 1, max: 80 }),
        fc.boolean(),
        fc.integer({ min: 0, max: 4 }),
        (shape, size, overlap, maxTokens, closeEarly, known) => {
          let minutes = 0;
          const pending = shape.map(([length, gap], index) => {
            minutes += gap;
            return turn(index, "x".repeat(length), minutes);
          });
          const before = turns(known).map((one) => ({ ...one, dialogueId: `b${one.dialogueId}` }));
          const cut = windower({ size, overlap, maxTokens, closeEarly });
          const windows = cut.cut({ pending, before, final: true });
          expect(windows.flatMap((window) => window.turns)).toEqual(pending);
          const all = [...before, ...pending];
          for (const window of windows) {
            expect(window.turns.length).toBeGreaterThan(0);
            expect(window.turns.length).toBeLessThanOrEqual(size);
            const tokens = window.turns.reduce((sum, one) => sum + one.content.length, 0);
            if (window.turns.length > 1) expect(tokens).toBeLessThanOrEqual(maxTokens);
            const start = all.findIndex((one) => one.dialogueId === window.turns[0]?.dialogueId);
            expect(window.context).toEqual(all.slice(Math.max(0, start - overlap), start));
          }
          const open = cut.cut({ pending, before, final: false }).flatMap((window) => window.turns);
          expect(open).toEqual(pending.slice(0, open.length));
        },
      ),
    );
  });

  it("leaves a window that may still grow, and cuts it when final", () => {
    const input = { pending: turns(6), before: [] };
    expect(lengths(windower().cut({ ...input, final: false }))).toEqual([4]);
    expect(lengths(windower().cut({ ...input, final: true }))).toEqual([4, 2]);
    expect(windower().cut({ pending: [], before: turns(3), final: true })).toEqual([]);
  });

  it("makes a window of its own for a turn over the token cap, and refuses none", () => {
    const pending = [turn(0, "a"), turn(1, "b".repeat(50)), turn(2, "c")];
    expect(lengths(windower({ maxTokens: 10 }).cut({ pending, before: [], final: true }))).toEqual([1, 1, 1]);
  });

  it("closes at a pause only when asked to close early, and only in what is still open", () => {
    const pending = [turn(0), turn(1), turn(2, "word", 90)];
    expect(lengths(windower({ closeEarly: true }).cut({ pending, before: [], final: false }))).toEqual([2]);
    expect(windower().cut({ pending, before: [], final: false })).toEqual([]);
    const sparse = Array.from({ length: 9 }, (_, index) => turn(index, "word", index * 1_440));
    expect(lengths(windower({ closeEarly: true }).cut({ pending: sparse, before: [], final: true }))).toEqual([
      4, 4, 1,
    ]);
  });

  it("treats exactly 60 minutes as no pause", () => {
    const pending = [turn(0), turn(1, "word", 60)];
    expect(windower({ closeEarly: true }).cut({ pending, before: [], final: false })).toEqual([]);
  });

  it("closes early after one turn that alone carries a lot", () => {
    const pending = [turn(0), turn(1, "x".repeat(300)), turn(2)];
    expect(lengths(windower({ closeEarly: true }).cut({ pending, before: [], final: false }))).toEqual([2]);
  });

  it("closes early where a topic that has run on gives way to another", () => {
    const old = turns(12, "The greenhouse tomatoes need watering");
    const fresh = ["My passport expires soon", "The embassy opens early", "Visa photos cost extra"].map((text, index) =>
      turn(12 + index, text),
    );
    const cut = windower({ size: 40, closeEarly: true, maxTokens: 10_000 });
    expect(lengths(cut.cut({ pending: [...old, ...fresh], before: [], final: false }))).toEqual([12]);
    expect(cut.cut({ pending: turns(15, "The greenhouse tomatoes need watering"), before: [], final: false })).toEqual(
      [],
    );
  });
});
