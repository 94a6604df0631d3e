const GREETING =
  "hey|hi|hello|thanks|thank you|wow|oh|yes|yeah|yep|no|sure|ok|okay|congrats|well|bye|good (?:morning|evening|night)";
const escapeForPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");

/** The names under which listeners may be addressed: full names and first names, longest first. */
function addressForms(speakers: readonly string[]): string[] {
  const forms = new Set(speakers.flatMap((speaker) => [speaker, speaker.split(/\s+/u)[0] ?? speaker]));
  return [...forms].filter((form) => form.trim() !== "").sort((left, right) => right.length - left.length);
}

/**
 * The text without the names that only address a listener: "Thanks, Bram! I sold it" → "Thanks! I sold it".
 * A name that is part of the statement stays.
 */
export function withoutVocatives(text: string, speakers: readonly string[]): string {
  const forms = addressForms(speakers).map(escapeForPattern).join("|");
  if (forms === "") return text;
  const afterGreeting = new RegExp(`\\b(${GREETING})(?: there)?,? (?:${forms})(?=\\s*(?:[,.!?…—-]|$))`, "giu");
  const atStart = new RegExp(`(^|[.!?]\\s+)(?:${forms})\\s*[,!，]\\s*`, "gu");
  const atEnd = new RegExp(`\\s*[,，]\\s*(?:${forms})(?=\\s*(?:[.!?…。！？]|$))`, "gu");
  return text.replace(afterGreeting, "$1").replace(atStart, "$1").replace(atEnd, "");
}
