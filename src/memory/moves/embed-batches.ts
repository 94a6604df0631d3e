import type { NamedEmbedder } from "../../graph/index.js";
import { InvalidVectorError } from "../../records/index.js";

/** Texts of one call. */
const TEXTS_PER_CALL = 100;

/**
 * A vector for each text, in as many calls as it takes.
 * @throws InvalidVectorError when the embedder answers another number of vectors; else what it throws
 */
export async function embedAll(embedder: NamedEmbedder, texts: readonly string[]): Promise<readonly number[][]> {
  const vectors: number[][] = [];
  for (let start = 0; start < texts.length; start += TEXTS_PER_CALL) {
    const some = texts.slice(start, start + TEXTS_PER_CALL);
    const made = await embedder.embedDocuments(some);
    if (made.length !== some.length) {
      throw new InvalidVectorError(`the embedder answered ${made.length} vectors for ${some.length} texts.`);
    }
    vectors.push(...made);
  }
  return vectors;
}
