/** Numbers from 0 to 1 that a seed gives again. */
export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed % 2_147_483_648;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

export function oneOf<T>(random: Random, values: readonly T[]): T | undefined {
  return values[below(random, values.length)];
}
