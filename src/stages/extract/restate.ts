import {
  blankQuotes,
  hasCjk,
  hasRelativeTime,
  isPastVerb,
  resolvePronouns,
  resolveTimes,
  type TimeMention,
  type TimeReference,
} from "../../language/index.js";
import { genderOfPronoun, mentionsUnnamed } from "./referents-gender.js";

export interface RestateContext {
  readonly speaker: string;
  readonly addressee: string | null;
  /** Whom "she" or "he" means, given the text before it; null when that is not clear. */
  readonly thirdPerson: (pronoun: string, before: string) => string | null;
  /** The place that "there" means, or null. */
  readonly place: string | null;
  readonly reference: TimeReference;
}

export interface Restated {
  readonly text: string;
  readonly mentions: readonly TimeMention[];
  /** Pronouns whose owner is not known, and times that could not be reckoned. */
  readonly unresolved: readonly string[];
  /** "it" or "them" as an object without a noun before it in the statement. */
  readonly leansOn: string | null;
}

/** "There" as a place, not as in "there is" or "hi there". */
const THERE =
  /(?<!\b(?:hi|hey|hello|over|out|hang in|been) )\bthere\b(?! (?:is|are|was|were|will|has|have|had|would|might|may|could|should|must|seems?)\b|['’]s\b)/giu;
const THERE_ZH = /那里|那儿|那边/gu;
/** Verbs after which a place takes "to". */
const TOWARDS =
  /\b(?:mov(?:e|es|ed|ing)|go|goes|going|went|gone|come|comes|came|coming|drive|drove|fly|flew|travel(?:s|ed|led|ing)?|get|got|return(?:s|ed|ing)?|been|head(?:s|ed|ing)?|run|ran|walk(?:s|ed|ing)?)(?: back)? $/iu;

const ELIDED_SUBJECT =
  /^((?:Just|Finally|Also|Recently|Already|Even|Only|Never) )?(\p{L}+)( (?:a|an|the|my|our|some|it|him|her|them|to|back|for|from|in|at|on|with|up|out|home|two|three|\d+)\b.*)$/su;
/** Past forms that open a sentence as something else: orders, adjectives. */
const NO_ELISION =
  /^(?:put|cut|let|set|read|hit|quit|shut|cost|hurt|beat|been|done|gone|seen|known|taken|given|thought|felt|excited|interested|tired|based|compared|used|married|supposed|glad\w*|bored|worried|surprised|pleased|stressed|inspired|blessed|honou?red|related|located|dedicated|motivated|determined)$/iu;
/** A plural noun, which no subject stands right before as it would before a verb. */
const PLURAL_BEFORE =
  /(?<!\b(?:\p{Lu}\p{L}*|he|she|it|who|that|which)\s)(?<![\p{L}'’])(?!this|was|has|does|is|as|its|us|yes|his|always|sometimes|perhaps)\p{Ll}{2,}[^s\P{Ll}]s\b|\b(?:people|children|men|women|family|team|everyone|\p{L}+ and \p{L}+)\b/u;
const OBJECT_PRONOUN =
  /^.*?(?<!\b(?:make|made|got|get|worth|that|as|if|and|but|so|think|hope|believe|when|because) )\b(it|them)\b(?=\s*(?:[.,!;?…)]|$|(?:on|at|in|for|to|from|with|by|this|that|last|next|yesterday|today|tonight|tomorrow|every|all|so|again|too|already|now|up|out|down|back|yet|and|but|when|because|before|after)\b))/isu;
const NOUN_PHRASE =
  /\b(?:an?|the|my|our|your|his|her|their|this|that|these|those|some|any|every|another|\d+|two|three|four|five|six|seven|eight|nine|ten)\s\p{Ll}|['’]s?\s\p{Ll}|[;:]|\p{Ll}\s\p{Lu}\p{Ll}/u;

/** Rewrites a statement so that it needs no context: names for pronouns, dates for relative times. */
export function restate(statement: string, context: RestateContext): Restated {
  const { text: dated, mentions } = resolveTimes(withSubject(statement), context.reference);
  const placed = context.place === null ? dated : withPlace(dated, context.place);
  const { text, unresolved } = resolvePronouns(placed, {
    speaker: context.speaker,
    addressee: context.addressee,
    antecedent: null,
    thirdPerson: context.thirdPerson,
  });
  const times = hasRelativeTime(text) ? ["a relative time"] : [];
  const unclear = unresolved.filter((word) => !isOwn(word, statement));
  return { text: capitalised(text), mentions, unresolved: [...unclear, ...times], leansOn: leansOn(statement) };
}

/** "She makes rolls, people queue for them", "my brother said he is ill": the statement itself says who or what. */
function isOwn(word: string, statement: string): boolean {
  const gender = genderOfPronoun(word.toLowerCase());
  const at = statement.search(new RegExp(`(?<![\\p{L}])${word}(?![\\p{L}])`, "u"));
  const before = at === -1 ? "" : statement.slice(0, at);
  if (gender !== null) return mentionsUnnamed(before, gender) && !/\p{Script=Han}/u.test(word);
  return /^(?:they|them|their|theirs)$/iu.test(word) && PLURAL_BEFORE.test(before);
}

/** "Just got back", "Dyed my hair": who it was is the speaker. */
function withSubject(statement: string): string {
  const [, lead = "", verb = "", rest = ""] = ELIDED_SUBJECT.exec(statement) ?? [];
  if (verb === "" || !isPastVerb(verb) || NO_ELISION.test(verb)) return statement;
  return `I ${lead.toLowerCase()}${verb.toLowerCase()}${rest}`;
}

/** The word for a thing that was named before this statement: "signed it", "finished twenty of them"; null when none. */
function leansOn(text: string): string | null {
  const match = OBJECT_PRONOUN.exec(blankQuotes(text));
  if (match === null) return null;
  const [whole, word = ""] = match;
  return NOUN_PHRASE.test(whole.slice(0, -word.length)) || isOwn(word, text) ? null : word;
}

function withPlace(text: string, place: string): string {
  return text
    .replace(THERE, (_, at: number) => `${TOWARDS.test(text.slice(0, at)) ? "to" : "in"} ${place}`)
    .replace(THERE_ZH, () => place);
}

export function capitalised(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** An order or a wish has no subject: the speaker is not it. */
const ORDER =
  /^(?:please|remind|tell|let|don['’]t|do not|remember|make sure|take|look|check|try|keep|call|send|book|ask|bring|give|wish|hope|congratulations|congrats|good luck)\b/iu;

/**
 * Says who says it, unless the text names the speaker already or opens with a person.
 * @param persons names that make a subject of their own
 */
export function attributed(text: string, speaker: string, persons: readonly string[] = []): string {
  const first = speaker.split(/\s+/u)[0] ?? speaker;
  if (ORDER.test(text)) return `${capitalised(speaker)} said: ${text}`;
  if (text.toLowerCase().includes(speaker.toLowerCase()) || (first.length > 1 && text.startsWith(first))) return text;
  if (persons.some((person) => text.startsWith(person))) return text;
  return hasCjk(text) ? `${speaker}说：${text}` : `${capitalised(speaker)} said: ${text}`;
}
