/** A mean with the interval in which it lies with a probability of 95 %. */
export interface Measured {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** How many values it is of. */
  readonly n: number;
}

const RESAMPLES = 1000;
const TAIL = 0.025;

/** A seeded generator of numbers in [0, 1): mulberry32 (Tommy Ettinger, public domain). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function resampledMean(values: readonly number[], random: () => number): number {
  let sum = 0;
  for (let drawn = 0; drawn < values.length; drawn += 1) sum += values[Math.floor(random() * values.length)] ?? 0;
  return sum / values.length;
}

/** The mean and its percentile bootstrap interval (Efron 1979): the same seed gives the same interval. */
export function measure(values: readonly number[], seed: number): Measured {
  const mean = meanOf(values);
  if (values.length === 0) return { mean, low: 0, high: 0, n: 0 };
  const random = seededRandom(seed);
  const means = Array.from({ length: RESAMPLES }, () => resampledMean(values, random)).sort((a, b) => a - b);
  const at = (share: number): number => means[Math.round(share * (RESAMPLES - 1))] ?? mean;
  return { mean, low: at(TAIL), high: at(1 - TAIL), n: values.length };
}
