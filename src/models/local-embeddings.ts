import { Embeddings } from "@langchain/core/embeddings";
import { InvalidInputError } from "../records/index.js";
import { hashedVector } from "./hashed-vectors.js";
import { englishWordTable, type WordTable } from "./word-table.js";

/** SIF's constant: how fast the weight of a word falls with its frequency (Arora et al. 2017, "A simple but tough-to-beat baseline"). */
const SIF_A = 3e-3;
/** Frequencies are estimated from ranks by Zipf's law, shifted as Mandelbrot proposed. */
const ZIPF_SHIFT = 2.7;
/** Length given to vectors that are made from spelling: half that of a rare word of the table, for they know no neighbours. */
const HASHED_LENGTH = 3;
/** How long a bulk call works before it lets other work run, in milliseconds. */
const SLICE_MS = 15;

const TOKEN =
  /\p{Extended_Pictographic}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+|[\p{L}\p{M}\p{N}]+(?:['’.@_-][\p{L}\p{N}]+)*/gu;
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const JOINERS = /['’.@_-]/u;
/** Words that say nothing about what a sentence is about, and what contractions leave behind. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the is are was were be been being am do does did have has had will would can could should may might i you he she " +
    "it we they me him her us them my your his its our their this that these those of to in on at for with by from as and " +
    "or but if so what who whom which when where why how s ve ll re d m t don didn doesn isn wasn"
  ).split(" "),
);

// Scripts without spaces are cut into characters and pairs of them: no dictionary is needed, and words still meet.
function unspacedTokens(run: string): string[] {
  const points = Array.from(run);
  return [...points, ...points.slice(1).map((point, index) => `${points[index]}${point}`)];
}

function tokensOf(text: string, table: WordTable): string[] {
  const tokens: string[] = [];
  for (const [raw] of text.normalize("NFKC").toLowerCase().matchAll(TOKEN)) {
    if (UNSPACED.test(raw)) tokens.push(...unspacedTokens(raw));
    else if (table.ranks.has(raw) || !JOINERS.test(raw)) tokens.push(raw);
    else tokens.push(...raw.split(JOINERS).filter((part) => part !== "" && part !== "s"));
  }
  const telling = tokens.filter((token) => !EMPTY_WORDS.has(token));
  if (telling.length > 0) return telling;
  return tokens.length > 0 ? tokens : [text.trim()];
}

/**
 * Sentence embeddings that work offline and cost microseconds: the SIF-weighted sum of static English word vectors
 * (GloVe, 100 dimensions), less the direction that all sentences share. Words that are not in the table, other scripts
 * and emoji get vectors from their spelling. One table serves the whole process.
 * @example const [vector] = await new LocalEmbeddings().embedDocuments(["Ilse repairs clocks."]) // 100 numbers, unit length
 */
export class LocalEmbeddings extends Embeddings {
  /** Recorded in every store: another name means another vector space. */
  readonly modelName = "simplemem-local-en-100d-v1";
  readonly #table: WordTable;
  readonly #commonness: number;

  constructor() {
    super({ maxRetries: 0 });
    this.#table = englishWordTable();
    let sum = 0;
    for (let rank = 0; rank < this.#table.ranks.size; rank++) sum += 1 / (rank + ZIPF_SHIFT);
    this.#commonness = sum;
  }

  /** Numbers in a vector: 100. */
  get dimension(): number {
    return this.#table.dimension;
  }

  /**
   * The vector of one text.
   * @throws InvalidInputError for a blank text
   */
  async embedQuery(text: string): Promise<number[]> {
    return this.embedSync(text);
  }

  /**
   * The vectors of texts, in their order; other work runs in between.
   * @throws InvalidInputError for a blank text
   */
  async embedDocuments(texts: string[]): Promise<number[][]> {
    const vectors: number[][] = [];
    let sliceEnds = performance.now() + SLICE_MS;
    for (const text of texts) {
      vectors.push(this.embedSync(text));
      if (performance.now() < sliceEnds) continue;
      await new Promise((resolve) => setImmediate(resolve));
      sliceEnds = performance.now() + SLICE_MS;
    }
    return vectors;
  }

  /**
   * The vector of one text, at once. Its length is 1.
   * @throws InvalidInputError for a blank text, which has no meaning to compare
   */
  embedSync(text: string): number[] {
    if (text.trim() === "") throw new InvalidInputError("a blank text cannot be embedded; leave it out.");
    const sum = new Float64Array(this.dimension);
    for (const token of tokensOf(text, this.#table)) this.#addToken(sum, token);
    this.#removeCommonDirection(sum);
    const norm = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
    const vector = norm > 1e-9 ? sum.map((value) => value / norm) : hashedVector(text.trim(), this.dimension);
    return Array.from(vector);
  }

  #addToken(sum: Float64Array, token: string): void {
    const rank = this.#table.ranks.get(token);
    if (rank === undefined) {
      const vector = hashedVector(token, this.dimension);
      for (let index = 0; index < sum.length; index++) {
        sum[index] = (sum[index] ?? 0) + (vector[index] ?? 0) * HASHED_LENGTH;
      }
      return;
    }
    const probability = 1 / ((rank + ZIPF_SHIFT) * this.#commonness);
    const weight = (SIF_A / (SIF_A + probability)) * (this.#table.scales[rank] ?? 0);
    const start = rank * this.dimension;
    for (let index = 0; index < sum.length; index++) {
      sum[index] = (sum[index] ?? 0) + (this.#table.rows[start + index] ?? 0) * weight;
    }
  }

  #removeCommonDirection(sum: Float64Array): void {
    const direction = this.#table.commonDirection;
    let along = 0;
    for (let index = 0; index < sum.length; index++) along += (sum[index] ?? 0) * (direction[index] ?? 0);
    for (let index = 0; index < sum.length; index++) sum[index] = (sum[index] ?? 0) - along * (direction[index] ?? 0);
  }
}
