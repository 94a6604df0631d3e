import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linesOf } from "../torture/programs.js";
import type { Sample } from "./sample.js";
import { type Trend, trends } from "./trend.js";

/** After `close`, a process that something keeps alive is killed. */
const PATIENCE_MS = 30_000;

export interface SoakOptions {
  readonly minutes: number;
  /** Seconds between two samples. */
  readonly every: number;
  /** Share of a core that the process may take, on average. */
  readonly duty: number;
  readonly onSample?: (sample: Sample) => void;
}

/** What came of it. Plain JSON. */
export interface Soaked {
  readonly samples: readonly Sample[];
  readonly trends: readonly Trend[];
  /** Rows of each table at the end. */
  readonly rows: { readonly [table: string]: number };
  /** Milliseconds from the end of `close` to the end of the process. */
  readonly endedAfterMs: number;
  /** What did not hold, in words; empty when all did. */
  readonly faults: readonly string[];
}

/** What the process told. */
interface Told {
  readonly samples: Sample[];
  rows: { readonly [table: string]: number };
  readonly findings: string[];
  closedAt: number | null;
}

function take(told: Told, line: string): void {
  const [what, json = "null"] = [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)];
  if (what === "sample") {
    const sample: Sample = JSON.parse(json);
    told.samples.push(sample);
  }
  if (what === "verified") {
    const { checked, findings }: { checked: { [table: string]: number }; findings: string[] } = JSON.parse(json);
    told.rows = checked;
    told.findings.push(...findings);
  }
  if (what === "closed") told.closedAt = performance.now();
}

/** Lets a process use a memory for some minutes, and looks whether anything grows, and whether it ends by itself. */
export async function soak({ minutes, every, duty, onSample }: SoakOptions): Promise<Soaked> {
  const folder = await mkdtemp(join(tmpdir(), "simplemem-soak-"));
  const args = [folder, minutes, every, duty].map(String);
  // A snapshot of the heap may be had at any time by the signal.
  const node = ["--expose-gc", "--heapsnapshot-signal=SIGUSR2", "--import", "tsx"];
  const child = spawn(process.execPath, [...node, join(import.meta.dirname, "life.ts"), ...args]);
  const told: Told = { samples: [], rows: {}, findings: [], closedAt: null };
  try {
    const { errors, code, signal } = await linesOf(child, (line) => {
      take(told, line);
      const last = told.samples.at(-1);
      if (line.startsWith("sample") && last !== undefined) onSample?.(last);
      if (line.startsWith("closed")) setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS).unref();
    });
    const all = trends(told.samples);
    const faults = [
      ...told.findings,
      ...(errors === "" ? [] : [`it said on its way: ${errors.slice(0, 1_000)}`]),
      ...(code === 0 ? [] : [`it did not end by itself: code ${code}, signal ${signal}`]),
      ...(told.closedAt === null ? ["it ended before it was closed"] : []),
      ...all.filter(({ grows }) => grows).map(({ measure, grewBy }) => `${measure} grew by ${Math.round(grewBy)}`),
    ];
    const endedAfterMs = Math.round(performance.now() - (told.closedAt ?? performance.now()));
    return { samples: told.samples, trends: all, rows: told.rows, endedAfterMs, faults };
  } finally {
    child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
}
