import type * as Lance from "@lancedb/lancedb";

/** The columns hold words that are segmented and stemmed already: the index only cuts at spaces. */
export function wordIndex(lance: typeof Lance): Lance.Index {
  return lance.Index.fts({
    baseTokenizer: "whitespace",
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    lowercase: true,
    withPosition: false,
    maxTokenLength: 100,
  });
}
