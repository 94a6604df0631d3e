/** Counts the tokens of a text. */
export type TokenCounter = (text: string) => number;

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Extended_Pictographic}]/gu;
/** Tokens of one character of a script without spaces: between what current tokenizers need for common and for rare ones. */
const TOKENS_PER_WIDE = 0.9;
const CHARACTERS_PER_TOKEN = 4;

/**
 * Estimates the tokens of a text without a model or a download: four characters of a spaced script to a token, 0.9 token
 * for each character of Chinese, Japanese, Korean or Thai.
 * @example estimateTokens("Ilse repairs clocks.") // 5
 */
export function estimateTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return Math.ceil(wide * TOKENS_PER_WIDE + (text.length - wide) / CHARACTERS_PER_TOKEN);
}
