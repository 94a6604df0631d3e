import { LocalEmbeddings } from "../src/models/index.js";

/** Measures LocalEmbeddings on this machine: a table for people, then one line of JSON for programs. */
const SENTENCES = 20_000;
const WARM_UP = 1_000;
const NAMES = ["Ilse", "Marek", "Oona", "Tadeo"];
const THINGS = ["an old clock", "a wooden boat", "the garden wall", "a violin", "her bicycle"];
const PLACES = ["in the harbour", "behind the mill", "at the market", "near the station"];

function pick(words: readonly string[], index: number): string {
  return words[index % words.length] ?? "";
}

/** No two sentences are equal. */
function sentences(count: number, first: number): string[] {
  return Array.from({ length: count }, (_, offset) => {
    const index = first + offset;
    return `${pick(NAMES, index)} repairs ${pick(THINGS, index)} ${pick(PLACES, index)}, visit ${index}.`;
  });
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

const beforeLoad = performance.now();
const embeddings = new LocalEmbeddings();
const loadMs = performance.now() - beforeLoad;

await embeddings.embedDocuments(sentences(WARM_UP, SENTENCES));
const beforeRun = performance.now();
await embeddings.embedDocuments(sentences(SENTENCES, 0));
const runMs = performance.now() - beforeRun;

const result = {
  model: embeddings.modelName,
  dimension: embeddings.dimension,
  loadMs: rounded(loadMs),
  sentences: SENTENCES,
  sentencesPerSecond: Math.round((SENTENCES / runMs) * 1000),
  microsecondsEach: rounded((runMs / SENTENCES) * 1000),
};
console.table(result);
console.log(JSON.stringify(result));
