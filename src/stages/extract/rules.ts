import { DEFAULT_DENSITY_THRESHOLD } from "./density.js";
import type { Extractor } from "./extractor.js";
import { namesIn, WindowReading } from "./rules-window.js";

export interface RuleExtractorOptions {
  /** Sentences and windows of less information gain give no entry, 0 to 1. Default 0.35. */
  readonly densityThreshold?: number;
}

/**
 * Extracts without a model: sentence by sentence, names for pronouns, dates for relative times (reckoned from the time
 * and offset of the turn, never the clock), a question and its short answer as one entry. Keeps the speaker's words.
 *
 * What it cannot resolve (an unclear "they") stays in the text, with the sentence to look in behind it in brackets; an
 * unclear person also lowers the confidence to 0.4 and gives an open question.
 *
 * @example
 * const extractor = createRuleExtractor();
 * (await extractor.extract(input, run)).items[0]?.losslessRestatement; // "Ilse sold the loom on 4 November 2024."
 */
export function createRuleExtractor(options: RuleExtractorOptions = {}): Extractor {
  const threshold = options.densityThreshold ?? DEFAULT_DENSITY_THRESHOLD;
  return {
    by: "rule",
    readsKnownFacts: false,
    async extract(input, run) {
      run.signal?.throwIfAborted();
      const names = await namesIn(input);
      return new WindowReading(input, threshold, names).read(run.signal);
    },
  };
}
