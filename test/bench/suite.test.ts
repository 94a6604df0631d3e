import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PARTS, runPart } from "../../bench/main.js";
import { sizeName, sizeOf } from "../../bench/suite/numbers.js";
import { type BenchOptions, isMet } from "../../bench/suite/part.js";
import { svgOf } from "../../bench/suite/plot.js";

describe("the suite of benchmarks, at sizes that tell nothing", { timeout: 300_000 }, () => {
  let home: string;
  let options: BenchOptions;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "bench-test-"));
    options = {
      sizes: [40, 80],
      stores: join(home, "stores"),
      effort: 0.02,
      together: true,
      locomo: join(home, "none"),
    };
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  it.each(["write", "read", "embed", "tokens"])(
    "%s fills its tables with numbers, and writes them as JSON",
    async (name) => {
      // Two sizes, so that there is a line to draw.
      const sizes = name === "read" ? [40, 80] : [40];
      const { tables } = await runPart(name, { ...options, sizes }, home);
      const cells = tables.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row)));
      expect(cells.length).toBeGreaterThan(5);
      expect(cells.filter((cell) => typeof cell === "number" && !Number.isFinite(cell))).toEqual([]);
      const written: unknown = JSON.parse(await readFile(join(home, `${name}.json`), "utf8"));
      expect(written).toMatchObject({ tables });
    },
  );

  it("starts processes of their own, for what must not be warm", async () => {
    const { tables } = await runPart("startup", { ...options, sizes: [40] }, home);
    expect(tables[0]?.rows).toMatchObject([{ entries: "40", "open ms": expect.any(Number) }]);
  });

  it("draws how times grow with the store", async () => {
    expect(await readFile(join(home, "bench-read.svg"), "utf8")).toContain("search, small scope");
  });

  it("says which parts are left out, and why", async () => {
    const { left = [] } = await runPart("peers", options, home);
    expect(left.join()).toMatch(/eval:peers|--locomo/);
  });

  it("knows no other parts", async () => {
    await expect(runPart("speed", options, home)).rejects.toThrow(Object.keys(PARTS).join(", "));
  });
});

describe("what the suite makes of its figures", () => {
  it("reads and writes sizes", () => {
    expect(["1k", "250", "1M"].map(sizeOf)).toEqual([1_000, 250, 1_000_000]);
    expect([1_000, 250, 1_000_000].map(sizeName)).toEqual(["1k", "250", "1m"]);
    expect(() => sizeOf("many")).toThrow("many");
  });

  it("judges a target by its limit, from either side", () => {
    expect(isMet({ what: "", measured: 2, limit: 2 })).toBe(true);
    expect(isMet({ what: "", measured: 2.1, limit: 2 })).toBe(false);
    expect(isMet({ what: "", measured: 0.9, limit: 0.95, atLeast: true })).toBe(false);
  });

  it("plots each line within the picture, larger values higher", () => {
    const points = [
      [1_000, 3],
      [1_000_000, 40],
    ] as const;
    const svg = svgOf({ file: "p", title: "a < b", x: "x", y: "y", lines: [{ name: "line", points }] });
    const [first = Number.NaN, last = Number.NaN] = [...svg.matchAll(/cy="([\d.]+)"/g)].map(([, at]) => Number(at));
    expect(last).toBeLessThan(first);
    expect(svg).toContain("a &lt; b");
  });
});
