import type { NamedEmbedder } from "../graph/index.js";
import { InvalidVectorError } from "../records/index.js";
import type { MemoryStore } from "../store/index.js";

/**
 * The vector of one text that is stored.
 * @throws InvalidVectorError or DimensionMismatchError when the embedder gives what the store cannot hold
 */
export async function vectorOf(text: string, embedder: NamedEmbedder, store: MemoryStore): Promise<readonly number[]> {
  const [vector] = await embedder.embedDocuments([text]);
  if (!Array.isArray(vector) || vector.length === 0) {
    throw new InvalidVectorError(`the embedder ${embedder.name} answered no vector; nothing was changed.`);
  }
  await store.ensureDimension(vector.length, embedder.name);
  return vector;
}
