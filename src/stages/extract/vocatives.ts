/** Words before a name that is called; their first letter may be a capital. */
const GREETING = [
  ..."hey hi hello thanks wow oh yes yeah yep no sure ok okay congrats congratulations well bye goodbye welcome great awesome cheers sorry please".split(
    " ",
  ),
  ...["morning", "afternoon", "evening", "night"].flatMap((part) => [part, `good ${part}`]),
  ...["thank you", "welcome back", "see you", "you too", "same here"],
]
  .map((word) => `[${word.charAt(0).toUpperCase()}${word.charAt(0)}]${word.slice(1)}`)
  .join("|");
/** Letters of a first name from which a short form is understood: "Jo" for Joanna. */
const MIN_SHORT_FORM = 2;
const escapeForPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");

function firstName(speaker: string): string {
  return speaker.split(/\s+/u)[0] ?? speaker;
}

/** The names under which one may be addressed: the full name, the first name and its short forms. */
function formsOf(speaker: string): string[] {
  const first = firstName(speaker);
  const letters = [...first];
  const isLatin = /^\p{Lu}\p{Ll}+$/u.test(first);
  const short = isLatin
    ? letters.map((_, index) => letters.slice(0, index + 1).join("")).slice(MIN_SHORT_FORM - 1, -1)
    : [];
  return [speaker, first, ...short].filter((form) => form.trim() !== "");
}

function alternatives(forms: readonly string[]): string {
  return [...new Set(forms)]
    .sort((left, right) => right.length - left.length)
    .map(escapeForPattern)
    .join("|");
}

/** Ways in which a text can address somebody: "Hi Bram!", "Bram, look", "…, Bram.", "…, Bram, …". */
interface AddressPatterns {
  readonly afterGreeting: RegExp;
  readonly atStart: RegExp;
  readonly atEnd: RegExp;
  readonly between: RegExp;
}

function patternsFor(names: string): AddressPatterns {
  return {
    afterGreeting: new RegExp(`\\b(${GREETING})(?: there)?,? (?:${names})(?=\\s*(?:[,.!?…—:)(-]|$))`, "gu"),
    atStart: new RegExp(`(^|[.!?]\\s+)(?:${names})\\s*[,!，]\\s*`, "gu"),
    atEnd: new RegExp(`\\s*[,，]\\s*(?:${names})(?=\\s*(?:[.!?…。！？]|$))`, "gu"),
    between: new RegExp(
      `,\\s*(?:${names})(?=, (?:can|could|would|will|do|did|are|is|please|I|you|we|what|how|when|where)\\b)`,
      "gu",
    ),
  };
}

function mayAddress(text: string, speakers: readonly string[]): string[] {
  return speakers.filter((speaker) => text.includes(firstName(speaker).slice(0, MIN_SHORT_FORM)));
}

/**
 * The text without the names that only address a listener: "Thanks, Bram! I sold it" → "Thanks! I sold it".
 * A name that is part of the statement stays.
 */
export function withoutVocatives(text: string, speakers: readonly string[]): string {
  const near = mayAddress(text, speakers);
  if (near.length === 0) return text;
  const { afterGreeting, atStart, atEnd, between } = patternsFor(alternatives(near.flatMap(formsOf)));
  return text.replace(afterGreeting, "$1").replace(atStart, "$1").replace(atEnd, "").replace(between, "");
}

/** The one of the speakers whom the text addresses by name; null when it is none or several. */
export function addressedBy(text: string, speakers: readonly string[]): string | null {
  const called = mayAddress(text, speakers).filter((speaker) =>
    Object.values(patternsFor(alternatives(formsOf(speaker)))).some((pattern) => pattern.test(text)),
  );
  return called.length === 1 ? (called[0] ?? null) : null;
}
