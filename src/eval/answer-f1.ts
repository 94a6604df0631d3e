import { stemOf } from "../language/index.js";

const ARTICLES: ReadonlySet<string> = new Set(["a", "an", "the"]);
const PUNCTUATION = /[^\p{L}\p{N}\s]/gu;

function answerWords(text: string, stems: boolean): string[] {
  const words = text.toLowerCase().replace(PUNCTUATION, "").split(/\s+/);
  const kept = words.filter((word) => word !== "" && !ARTICLES.has(word));
  return stems ? kept.map(stemOf) : kept;
}

/**
 * Overlap of two answers as multisets of words: lower case, without punctuation and articles (Rajpurkar et al. 2016).
 * @returns 0 to 1; 0 when one of them is blank
 * @example answerF1("on 7 May 2023", "7 May, 2023", { stems: false }) // 0.857…
 */
export function answerF1(given: string, gold: string, { stems }: { readonly stems: boolean }): number {
  const expected = answerWords(gold, stems);
  const words = answerWords(given, stems);
  const left = [...expected];
  const shared = words.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  }).length;
  return shared === 0 ? 0 : (2 * shared) / (words.length + expected.length);
}
