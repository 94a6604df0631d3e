import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { FakeEmbeddings } from "./fakes.js";

const STORES = join(import.meta.dirname, "../fixtures/stores");

/** Makes a folder what a former version of the library left; see test/fixtures/stores/README.md. */
export function unpackFormerStore(version: number, folder: string): void {
  const packed: { [path: string]: string } = JSON.parse(
    gunzipSync(readFileSync(join(STORES, `v${version}.json.gz`))).toString("utf8"),
  );
  for (const [path, bytes] of Object.entries(packed)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(bytes, "base64"));
  }
}

function vectorOf(text: string): number[] {
  const vector = Array.from({ length: 8 }, () => 0.01);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const place = [...word].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 9973, 7) % 8;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}

/** The embedder that made the vectors of these stores. */
export function formerEmbeddings(): FakeEmbeddings {
  return Object.assign(new FakeEmbeddings(8, vectorOf), { modelName: "fixture-8" });
}
