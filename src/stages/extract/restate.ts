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

const QUOTED = /“[^”]{1,400}”|"[^"]{1,400}"|「[^」]{1,400}」/gu;
const FIRST_OR_SECOND_PERSON = /\b(?:I|me|my|mine|we|us|our|you|your)\b|[我你您]/u;
/** "There" as a place, not as in "there is" or "hi there". */
const THERE =
  /(?<!\b(?:hi|hey|hello|over|out|hang in|been) )\bthere\b(?! (?:is|are|was|were|will|has|have|had|would|might|may|could|should|must|seems?)\b|['’]s\b)/giu;
const THERE_ZH = /那里|那儿|那边/gu;
const GAP = "\uE000";

/** Rewrites a statement so that it needs no context: names for pronouns, dates for relative times. */
export function restate(statement: string, context: RestateContext): Restated {
  const { text: dated, mentions } = resolveTimes(statement, context.reference);
  const placed = context.place === null ? dated : withPlace(dated, context.place);
  const quotes: string[] = [];
  const masked = placed.replace(QUOTED, (quote) => {
    if (!FIRST_OR_SECOND_PERSON.test(quote)) return quote;
    quotes.push(quote);
    return GAP;
  });
  const { text: named, unresolved } = resolvePronouns(masked, {
    speaker: context.speaker,
    addressee: context.addressee,
    antecedent: context.antecedent,
  });
  const text = quotes.reduce((all, quote) => all.replace(GAP, () => quote), named);
  const times = hasRelativeTime(text) ? ["a relative time"] : [];
  const pronouns = unresolved.length > 0 || !hasBarePronoun(named) ? unresolved : ["a pronoun"];
  return { text: capitalised(text), mentions, unresolved: [...pronouns, ...times] };
}

function withPlace(text: string, place: string): string {
  return text.replace(THERE, () => `in ${place}`).replace(THERE_ZH, () => place);
}

export function capitalised(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** Says who says it, unless the text names the speaker already. */
export function attributed(text: string, speaker: string, verb: "said" | "answered" = "said"): string {
  const first = speaker.split(/\s+/u)[0] ?? speaker;
  if (text.toLowerCase().includes(speaker.toLowerCase()) || (first.length > 1 && text.startsWith(first))) return text;
  return hasCjk(text)
    ? `${speaker}${verb === "said" ? "说" : "回答"}：${text}`
    : `${capitalised(speaker)} ${verb}: ${text}`;
}
