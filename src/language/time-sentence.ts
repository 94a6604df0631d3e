import type { Granularity } from "./time-reading.js";

/** The part of a mention that its place in the sentence depends on. */
interface Placed {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly written: string;
  readonly granularity: Granularity;
}

/** Prepositions that merely place an event in time: they give way to the one that the written form needs. */
const PLAIN_PREPOSITION = /\b(on|in|at)\s+$/iu;
/** Words after which the written form stands without a preposition of its own. */
const OTHER_PREPOSITION =
  /\b(?:by|since|until|till|from|before|after|around|about|of|to|for|between|and|or|than|through|during|over|within|is|was|isn['’]t|wasn['’]t|next|past|except|like|be)\s+$|[(:]\s*$/iu;
const NARROWING = /\b(?:early|earlier|late|later|sometime|sometimes)\s+$/iu;
const COPULA_AFTER = /^\s+(?:is|was|will|would|has|works|sounds|looks)\b/iu;
const POSSESSIVE_AFTER = /^['’]s\b/u;
const SENTENCE_START = /(?:^|[.!?\n]["”’)]*\s*)$/u;
const HAS_OWN_PREPOSITION = /^(?:around|shortly)\b|^(?!the ).* (?:before|after) \d/u;
/** Behind a determiner the date is an attribute of what follows: "the 3 May 2023 protests". */
const DETERMINER = /\b(?:the|an?|this|that|these|those|my|our|your|his|its|their|every|each|another)\s+$/iu;
/** "I've chosen the 26th of April": a day that is spoken of, not one on which something happens. */
const DAY_AS_NOUN = /^the (?:\d|\p{L}+ of )/iu;
/** Feasts that last longer than a day. */
const FEAST_TIDE = /^(?:Christmas|Easter) \d/u;
const CLAUSE_START = /(?:[,;:]|\b(?:and|but|because|so|that|think|hope))\s+$/iu;
const STARTS_WITH_ON = /^(?:from|between|in|on)\b/iu;

function prepositionOf({ granularity, written }: Placed): string {
  if (HAS_OWN_PREPOSITION.test(written)) return "";
  if (/^the (?:week|fortnight|month|year|decade)\b/u.test(written)) return "in ";
  if (FEAST_TIDE.test(written)) return "at ";
  if (granularity === "time") return /^the /u.test(written) ? "on " : "at ";
  if (granularity === "day") return /–/u.test(written) ? "from " : "on ";
  return granularity === "weekend" ? "on " : "in ";
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "yesterday's game" → "the 7 May 2023 game": a written date takes no possessive. */
function asAttribute(written: string, days: string, granularity: Granularity): string {
  if (granularity === "week" || granularity === "weekend") return `the ${days}`;
  const part = /^the (morning|afternoon|evening|night) of (.+)$/u.exec(written);
  if (part !== null) return `the ${part[2]} ${part[1]}`;
  return /^the /u.test(written) ? written : `the ${written}`;
}

/**
 * Puts the written form of an English mention in its place, with the preposition that fits.
 * @param days The mention's days, such as "1–7 May 2023".
 */
export function placeWritten(text: string, mention: Placed, days: string): string {
  const before = text.slice(0, mention.start);
  const after = text.slice(mention.end);
  const said = mention.text;
  if (POSSESSIVE_AFTER.test(after)) {
    const attribute = asAttribute(mention.written, days, mention.granularity);
    const placed = SENTENCE_START.test(before) ? capitalise(attribute) : attribute;
    return before + placed + after.replace(POSSESSIVE_AFTER, "");
  }
  if (SENTENCE_START.test(before)) {
    const hasCopula = COPULA_AFTER.test(after);
    return before + capitalise(`${hasCopula ? "" : prepositionOf(mention)}${mention.written}`) + after;
  }
  const plain = PLAIN_PREPOSITION.exec(before);
  if (plain !== null && !STARTS_WITH_ON.test(said)) {
    const lead = before.slice(0, plain.index);
    const preposition = prepositionOf(mention);
    return lead + (SENTENCE_START.test(lead) ? capitalise(preposition) : preposition) + mention.written + after;
  }
  const isSubject = CLAUSE_START.test(before) && COPULA_AFTER.test(after);
  if (isSubject || DETERMINER.test(before) || DAY_AS_NOUN.test(said)) return before + mention.written + after;
  if (NARROWING.test(before) || !OTHER_PREPOSITION.test(before)) {
    return before + prepositionOf(mention) + mention.written + after;
  }
  return before + mention.written + after;
}
