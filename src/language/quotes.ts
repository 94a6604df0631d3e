/** Quoted speech and code, whose words are nobody's to change. */
const QUOTED = /```[\s\S]*?(?:```|$)|`[^`\n]*`|"[^"\n]*"|“[^”]*”|「[^」]*」|『[^』]*』|《[^》]*》/gu;

const QUOTE_MARK = /[`"“「『《]/u;

/** The text with quoted parts overwritten by blanks, so that offsets stay the same. */
export function blankQuotes(text: string): string {
  if (!QUOTE_MARK.test(text)) return text;
  return text.replace(QUOTED, (quoted) => " ".repeat(quoted.length));
}
