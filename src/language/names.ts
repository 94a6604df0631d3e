export interface Names {
  readonly persons: string[];
  readonly entities: string[];
}

export function findNames(text: string, known: readonly string[]): Names {
  return { persons: known.filter((name) => text.includes(name)), entities: [] };
}
