import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod/v4";
import type { Outcome } from "./outcome.js";

const resultsSchema = z.object({
  machine: z.string(),
  runs: z.array(z.record(z.string(), z.string())),
  outcomes: z.array(
    z.object({
      part: z.string(),
      what: z.string(),
      tried: z.number(),
      faults: z.array(z.string()),
      seen: z.record(z.string(), z.number()),
    }),
  ),
});

/** What is written: of one run, or of several that were added up. */
export type Results = z.infer<typeof resultsSchema>;

function added(left: Results["outcomes"], right: readonly Outcome[]): Results["outcomes"] {
  const sum = left.map((one) => ({ ...one, faults: [...one.faults], seen: { ...one.seen } }));
  for (const { part, what, tried, faults, seen } of right) {
    const same = sum.find((one) => one.part === part && one.what === what);
    if (same === undefined) {
      sum.push({ part, what, tried, faults: [...faults], seen: { ...seen } });
      continue;
    }
    same.tried += tried;
    same.faults.push(...faults);
    for (const [name, count] of Object.entries(seen)) same.seen[name] = (same.seen[name] ?? 0) + count;
  }
  return sum;
}

async function former(path: string): Promise<Results | null> {
  const text = await readFile(path, "utf8").catch(() => null);
  return text === null ? null : resultsSchema.parse(JSON.parse(text));
}

/** Writes the results; with `append` those of the runs before are added to them. Answers what was written. */
export async function keepResults(
  path: string,
  machine: string,
  options: { readonly [option: string]: string },
  outcomes: readonly Outcome[],
  append: boolean,
): Promise<Results> {
  const before = append ? await former(path) : null;
  const results: Results = {
    machine,
    runs: [...(before?.runs ?? []), { ...options }],
    outcomes: added(before?.outcomes ?? [], outcomes),
  };
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(results, null, 2)}\n`);
  return results;
}
