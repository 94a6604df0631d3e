/** Quoted speech and code, whose words are nobody's to change. */
const QUOTED = /```[\s\S]*?(?:```|$)|`[^`\n]*`|"[^"\n]*"|“[^”]*”|「[^」]*」|『[^』]*』|《[^》]*》/gu;

/** The text with quoted parts overwritten by blanks, so that offsets stay the same. */
export function blankQuotes(text: string): string {
  return text.replace(QUOTED, (quoted) => " ".repeat(quoted.length));
}
