import type { NamedEmbedder } from "../graph/index.js";
import { DimensionMismatchError, SimpleMemError } from "../records/index.js";
import type { MemoryStore } from "../store/index.js";

/**
 * @throws DimensionMismatchError when another embedder made the store's vectors
 * @throws SimpleMemError while they are being made anew for this one: a search then goes on by words
 */
export async function ensureComparable(store: MemoryStore, { name, embedQuery }: NamedEmbedder): Promise<void> {
  const answer = await store.comparesWith(name);
  if (answer === "yes") return;
  if (answer === "soon") throw new SimpleMemError(`the vectors are being made anew by ${name}.`);
  const { length } = await embedQuery("dimension");
  const expected = store.dimension ?? length;
  throw new DimensionMismatchError(
    `the store holds vectors of ${expected} numbers made by ${store.embedder}, but ${name} makes vectors of ${length}. Call reembed(), or open the store with the former embedder.`,
    expected,
    length,
  );
}
