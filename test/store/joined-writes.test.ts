import { describe, expect, it } from "vitest";
import { JoinedWrites } from "../../src/store/joined-writes.js";

/** Writes that end when the test says so. */
function writesUnderHand(fails: (rows: readonly string[]) => boolean = () => false) {
  const written: (readonly string[])[] = [];
  const ends: (() => void)[] = [];
  const write = async (rows: readonly string[]): Promise<void> => {
    await new Promise<void>((resolve) => ends.push(resolve));
    if (fails(rows)) throw new Error(`refused ${rows.join()}`);
    written.push(rows);
  };
  /** Ends writes, one after another, until none begins any more. */
  const endAll = async (): Promise<void> => {
    for (let idle = 0; idle < 20; idle += 1) {
      await Promise.resolve();
      const end = ends.shift();
      if (end === undefined) continue;
      end();
      idle = 0;
    }
  };
  return { write, written, endAll };
}

describe("joined writes", () => {
  it("send what came while one was under way in one write, in the order in which it came", async () => {
    const { write, written, endAll } = writesUnderHand();
    const joined = new JoinedWrites(write, 100);
    const first = joined.add(["a"]);
    await Promise.resolve();
    const rest = ["b", "c", "d"].map((row) => joined.add([row, `${row}2`]));
    await endAll();
    await Promise.all([first, ...rest]);
    expect(written).toEqual([["a"], ["b", "b2", "c", "c2", "d", "d2"]]);
  });

  it("resolve for a caller only when its own rows are written", async () => {
    const { write, written, endAll } = writesUnderHand();
    const joined = new JoinedWrites(write, 100);
    const seen: string[][] = [];
    const add = async (row: string) => {
      await joined.add([row]);
      seen.push(written.flat().filter((one) => one === row));
    };
    const all = [add("a"), Promise.resolve().then(() => add("b"))];
    expect(seen).toEqual([]);
    await endAll();
    await Promise.all(all);
    expect(seen).toEqual([["a"], ["b"]]);
  });

  it("let the refusal of one caller's rows reach that caller alone", async () => {
    const { write, written, endAll } = writesUnderHand((rows) => rows.includes("bad"));
    const joined = new JoinedWrites(write, 100);
    const first = joined.add(["a"]);
    await Promise.resolve();
    const rest = Promise.allSettled(["b", "bad", "c"].map((row) => joined.add([row])));
    await endAll();
    await first;
    expect((await rest).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(written.flat().sort()).toEqual(["a", "b", "c"]);
    const alone = joined.add(["bad"]);
    const refused = expect(alone).rejects.toThrow("refused bad");
    await endAll();
    await refused;
  });

  it("never part one caller's rows, and keep a joint write within its limit", async () => {
    const { write, written, endAll } = writesUnderHand();
    const joined = new JoinedWrites(write, 3);
    const all = [["a"], ["b1", "b2"], ["c1", "c2"], ["d"], ["e1", "e2", "e3", "e4"]].map((rows) => joined.add(rows));
    await endAll();
    await Promise.all(all);
    expect(written).toEqual([
      ["a", "b1", "b2"],
      ["c1", "c2", "d"],
      ["e1", "e2", "e3", "e4"],
    ]);
  });
});
