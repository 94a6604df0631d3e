import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { locomoFolder } from "../../src/eval/command.js";
import { evaluate } from "../../src/eval/evaluate.js";
import { readLocomo } from "../../src/eval/locomo.js";

/** The smallest conversation. What it reaches was recorded; a change that falls under a floor loses what was won. */
const FILE = "30";
const FLOORS = {
  "recall@5": 0.78,
  "recall@10": 0.815,
  "recall@20": 0.86,
  "recall@500tok": 0.87,
  "recall@1000tok": 0.9,
};
const FIDELITY_FLOOR = 0.99;

const folder = locomoFolder(process.env);
const isThere = existsSync(join(folder, `${FILE}.json`));
const reason = isThere ? "" : ` (skipped: no ${FILE}.json in ${resolve(folder)}; set LOCOMO_DIR)`;

describe("quality cannot slip unseen", () => {
  it.skipIf(!isThere)(
    `conversation ${FILE} of LoCoMo stays above its recorded floors${reason}`,
    async () => {
      const { ingest, retrieval } = await evaluate(readLocomo(folder, [FILE]));
      const measures = retrieval[0]?.measures ?? {};
      const reached = Object.fromEntries(Object.keys(FLOORS).map((name) => [name, measures[name]?.mean ?? 0]));
      const under = Object.entries(FLOORS).filter(([name, floor]) => (reached[name] ?? 0) < floor);
      expect(under, `reached ${JSON.stringify(reached)}`).toEqual([]);
      expect(ingest[0]?.fidelity).toBeGreaterThanOrEqual(FIDELITY_FLOOR);
    },
    600_000,
  );
});
