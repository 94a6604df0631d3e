import { percentile } from "../../src/eval/ask.js";

export { percentile };

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** With two digits after the point, or three that count. */
export function rounded(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 100) / 100;
}

/** Milliseconds that it took. */
export async function timed(run: () => Promise<unknown> | unknown): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

/** Milliseconds of each of several runs, one after the other. */
export async function timedEach<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (const item of items) times.push(await timed(() => run(item)));
  return times;
}

/** What each of so many runs gave, one after the other. */
export async function inTurn<T>(count: number, run: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let done = 0; done < count; done += 1) results.push(await run());
  return results;
}

/** Of a size as it is written: "10k", "1m", "250". @throws Error when it is none */
export function sizeOf(text: string): number {
  const [, digits, unit] = /^(\d+)(k|m)?$/i.exec(text.trim()) ?? [];
  if (digits === undefined) throw new Error(`a size is a number, such as 10k or 1m, got ${JSON.stringify(text)}.`);
  return Number(digits) * (unit === undefined ? 1 : unit.toLowerCase() === "k" ? 1e3 : 1e6);
}

/** As a size is written. */
export function sizeName(size: number): string {
  if (size % 1e6 === 0) return `${size / 1e6}m`;
  return size % 1e3 === 0 ? `${size / 1e3}k` : String(size);
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10;
}
