import type { Chosen, Digest } from "./digests.js";
import type { Row } from "./row.js";

/** The rows that stand on each turn. */
export class SourceDigest implements Digest {
  readonly columns: readonly string[];
  readonly #bySource = new Map<string, number[]>();
  readonly #orders: (readonly (number | string)[])[] = [];

  /** @param order columns by which rows are ordered: numbers, and a text at last */
  constructor(
    private readonly sources: string,
    private readonly order: { readonly columns: readonly string[]; readonly key: string },
  ) {
    this.columns = [sources, ...order.columns, order.key];
  }

  add(row: Row): void {
    const { columns, key } = this.order;
    const place = this.#orders.push([...columns.map((column) => row.number(column)), row.text(key)]) - 1;
    for (const source of new Set(row.list(this.sources))) {
      const places = this.#bySource.get(source);
      if (places === undefined) this.#bySource.set(source, [place]);
      else places.push(place);
    }
  }

  /** Ids of the rows that stand on one of the turns, in order. */
  static holding({ digest, rowIds, places }: Chosen<SourceDigest>, sources: readonly string[]): number[] {
    const asked = new Set(places);
    const found = new Set(sources.flatMap((source) => digest.#bySource.get(source) ?? []));
    return [...found]
      .filter((place) => asked.has(place))
      .sort((left, right) => digest.#compare(left, right))
      .map((place) => rowIds[place] ?? 0);
  }

  #compare(left: number, right: number): number {
    const [one = [], other = []] = [this.#orders[left], this.#orders[right]];
    for (const [index, value] of one.entries()) {
      const against = other[index] ?? value;
      if (value !== against) return value < against ? -1 : 1;
    }
    return 0;
  }
}
