import {
  hasBarePronoun,
  hasCjk,
  hasRelativeTime,
  resolvePronouns,
  resolveTimes,
  type TimeMention,
  type TimeReference,
} from "../../language/index.js";

export interface RestateContext {
  readonly speaker: string;
  readonly addressee: string | null;
  readonly antecedent: string | null;
  /** The place that "there" means, or null. */
  readonly place: string | null;
  readonly reference: TimeReference;
}

export interface Restated {
  readonly text: string;
  readonly mentions: readonly TimeMention[];
  /** Pronouns whose owner is not known, and times that could not be reckoned. */
  readonly unresolved: readonly string[];
}

/** "There" as a place, not as in "there is" or "hi there". */
const THERE =
  /(?<!\b(?:hi|hey|hello|over|out|hang in|been) )\bthere\b(?! (?:is|are|was|were|will|has|have|had|would|might|may|could|should|must|seems?)\b|['’]s\b)/giu;
const THERE_ZH = /那里|那儿|那边/gu;
/** Verbs after which a place takes "to". */
const TOWARDS =
  /\b(?:mov(?:e|es|ed|ing)|go|goes|going|went|gone|come|comes|came|coming|drive|drove|fly|flew|travel(?:s|ed|led|ing)?|get|got|return(?:s|ed|ing)?|been|head(?:s|ed|ing)?|run|ran|walk(?:s|ed|ing)?)(?: back)? $/iu;

/** Rewrites a statement so that it needs no context: names for pronouns, dates for relative times. */
export function restate(statement: string, context: RestateContext): Restated {
  const { text: dated, mentions } = resolveTimes(statement, context.reference);
  const placed = context.place === null ? dated : withPlace(dated, context.place);
  const { text, unresolved } = resolvePronouns(placed, {
    speaker: context.speaker,
    addressee: context.addressee,
    antecedent: context.antecedent,
  });
  const times = hasRelativeTime(text) ? ["a relative time"] : [];
  const pronouns = unresolved.length > 0 || !hasBarePronoun(text) ? unresolved : ["a pronoun"];
  return { text: capitalised(text), mentions, unresolved: [...pronouns, ...times] };
}

function withPlace(text: string, place: string): string {
  return text
    .replace(THERE, (_, at: number) => `${TOWARDS.test(text.slice(0, at)) ? "to" : "in"} ${place}`)
    .replace(THERE_ZH, () => place);
}

export function capitalised(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/**
 * Says who says it, unless the text names the speaker already or opens with a person.
 * @param persons names that make a subject of their own
 */
export function attributed(text: string, speaker: string, persons: readonly string[] = []): string {
  const first = speaker.split(/\s+/u)[0] ?? speaker;
  if (text.toLowerCase().includes(speaker.toLowerCase()) || (first.length > 1 && text.startsWith(first))) return text;
  if (persons.some((person) => text.startsWith(person))) return text;
  return hasCjk(text) ? `${speaker}说：${text}` : `${capitalised(speaker)} said: ${text}`;
}
