import { harmless } from "./harmless.js";

const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** A look that a terminal can give to words. */
export type Style = keyof typeof STYLES;

/** Words of a line: plain ones, or some with a look. Whoever made them, they are made harmless before they are printed. */
export type Words = string | { readonly text: string; readonly style: Style };

/** Words with a look. */
export function styled(style: Style, text: string): Words {
  return { text, style };
}

/** Words that stand out. */
export const bold = (text: string): Words => styled("bold", text);
/** Words that matter less. */
export const dim = (text: string): Words => styled("dim", text);

/** The bare text of words. */
export function textOf(words: Words): string {
  return harmless(typeof words === "string" ? words : words.text);
}

/** Words as they are printed. */
export function rendered(words: Words, colours: boolean): string {
  const text = textOf(words);
  if (typeof words === "string" || !colours) return text;
  const [on, off] = STYLES[words.style];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

/** Whether a stream takes colours: a terminal, unless NO_COLOR (https://no-color.org) or a terminal that can do nothing says otherwise. */
export function takesColours(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  return isTerminal && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
}
