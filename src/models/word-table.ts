import { readFileSync } from "node:fs";
import { SimpleMemError } from "../records/index.js";

/** First bytes of the file: name and version of the layout. */
export const TABLE_MAGIC = "SMWV0001";

/**
 * Word vectors as one file. Layout, little-endian: 8 bytes magic; uint32 count of words; uint32 dimensions; uint32 bytes
 * of the word list; float32 × dimensions: the common direction; float32 × count: the scale of each row; the words,
 * commonest first, parted by line feeds; int8 × count × dimensions: the rows.
 */
export interface WordTable {
  readonly dimension: number;
  /** Word to its rank; 0 is the commonest. */
  readonly ranks: ReadonlyMap<string, number>;
  readonly scales: Float32Array;
  readonly rows: Int8Array;
  /** Unit vector that common words share, and that is taken out of every sentence. */
  readonly commonDirection: Float32Array;
}

const HEADER_BYTES = 20;
const FLOAT_BYTES = 4;

/** Reads a table from its bytes. @throws SimpleMemError when it is not one */
export function parseWordTable(bytes: Uint8Array): WordTable {
  const magic = new TextDecoder().decode(bytes.subarray(0, TABLE_MAGIC.length));
  if (magic !== TABLE_MAGIC) throw new SimpleMemError("the word-vector table is damaged; install the package again.");
  // A copy, so that the float views are aligned.
  const buffer = Uint8Array.from(bytes).buffer;
  const header = new DataView(buffer);
  const count = header.getUint32(8, true);
  const dimension = header.getUint32(12, true);
  const wordBytes = header.getUint32(16, true);
  const scalesAt = HEADER_BYTES + dimension * FLOAT_BYTES;
  const wordsAt = scalesAt + count * FLOAT_BYTES;
  const words = new TextDecoder().decode(new Uint8Array(buffer, wordsAt, wordBytes)).split("\n");
  return {
    dimension,
    ranks: new Map(words.map((word, rank) => [word, rank])),
    commonDirection: new Float32Array(buffer, HEADER_BYTES, dimension),
    scales: new Float32Array(buffer, scalesAt, count),
    rows: new Int8Array(buffer, wordsAt + wordBytes, count * dimension),
  };
}

// From the sources (src/models) the package root is two folders up, from the build (dist) one.
const PLACES = ["../assets/word-vectors/english.bin", "../../assets/word-vectors/english.bin"];

// Read once per process, however many embedders there are: the bytes never change, and 3 MB each would add up.
let shared: WordTable | undefined;

/** The table of the package. @throws SimpleMemError when its file is missing */
export function englishWordTable(): WordTable {
  if (shared !== undefined) return shared;
  for (const place of PLACES) {
    try {
      shared = parseWordTable(readFileSync(new URL(place, import.meta.url)));
      return shared;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  throw new SimpleMemError(
    "the file assets/word-vectors/english.bin of this package is missing; mark simplemem-langchain as external in your bundler.",
  );
}
