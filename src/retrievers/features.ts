import type { Plan } from "../records/index.js";
import { bm25f, type QueryWords } from "./bm25f.js";
import type { Candidate } from "./candidate.js";
import { nearness } from "./nearness.js";
import { samePerson } from "./speakers.js";

/** What all candidates of one query are judged by. */
export interface QueryView {
  readonly plan: Plan;
  /** Telling stems of the query, without the names of those who speak. */
  readonly words: QueryWords;
  /** Average length of a turn, in words. */
  readonly averageLength: number;
  /** How alike a word, by its number, is to each of `words`, 0 to 1; null when it is like none. */
  readonly likeness: (word: number) => readonly number[] | null;
  /** Persons of the plan who speak, in the plan's order. */
  readonly speakers: readonly string[];
  /** The question is about the one who asks ("my", "I"), in a conversation with an assistant. */
  readonly asksOfSelf: boolean;
  /** Persons of the plan who are only spoken of. */
  readonly thirdParties: readonly string[];
}

/** What a candidate has of its own; the vector features need the others and are added by the ranking. */
export interface OwnFeatures {
  readonly words: number;
  readonly alike: number;
  readonly phrase: number;
  readonly speaker: number;
  readonly firstSpeaker: number;
  readonly about: number;
  readonly time: number;
  readonly tellsWhen: number;
  readonly tellsNumber: number;
  readonly place: number;
  readonly length: number;
  readonly isQuestion: number;
}

/** Weight of the best likeness in the turn before and after, against the text itself. */
const ALIKE_BEFORE = 0.9;
const ALIKE_AFTER = 0.8;
const TIME_WORDS =
  /\d{4}|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|today|tonight|last|next|ago|weekend|week|month|year|since|recently)\b|[年月日号]|昨天|今天|明天|前天|后天|上周|下周|去年|明年|刚才|最近/i;
const NUMBER_WORDS =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|once|twice|couple|few|several)\b|[一二两三四五六七八九十百千万]/i;
const ENDS_AS_QUESTION = /[?？]\s*(?:\[[^\]]*\])?\s*$/u;

function speaks(candidate: Candidate, person: string | undefined): boolean {
  return person !== undefined && candidate.speaker !== null && samePerson(candidate.speaker, person);
}

/** Raises `best` to the likeness of the likest word, times a share. */
function raise(best: Float64Array, words: Int32Array | undefined, query: QueryView, share: number): void {
  for (const word of words ?? []) {
    const likeness = query.likeness(word);
    if (likeness === null) continue;
    for (let place = 0; place < best.length; place += 1) {
      const here = share * (likeness[place] ?? 0);
      if (here > (best[place] ?? 0)) best[place] = here;
    }
  }
}

/** Weighted mean, over the query's words, of the likest word in the text or beside it: words may differ, the sense not. */
function alikeness({ profile }: Candidate, query: QueryView): number {
  const { weights } = query.words;
  const best = new Float64Array(weights.length);
  raise(best, profile.own, query, 1);
  raise(best, profile.around.get(0), query, 1);
  raise(best, profile.around.get(-1), query, ALIKE_BEFORE);
  raise(best, profile.around.get(1), query, ALIKE_AFTER);
  let sum = 0;
  let total = 0;
  for (const [place, weight] of weights.entries()) {
    sum += weight * (best[place] ?? 0);
    total += weight;
  }
  return total === 0 ? 0 : sum / total;
}

/** Share of the query's weight that stands in the text in the query's order, next to each other or with one word between. */
function phraseShare({ profile: { own } }: Candidate, query: QueryView): number {
  const { weights, numbers } = query.words;
  let found = 0;
  let total = 0;
  for (const [place, weight] of weights.entries()) {
    total += weight;
    const next = numbers[place + 1];
    const at = next === undefined ? -1 : own.indexOf(numbers[place] ?? -1);
    if (at >= 0 && (own[at + 1] === next || own[at + 2] === next)) found += weight + (weights[place + 1] ?? 0);
  }
  return total === 0 ? 0 : Math.min(1, found / total);
}

function isAbout(candidate: Candidate, query: QueryView): boolean {
  return query.thirdParties.some((name) => candidate.persons.some((known) => samePerson(known, name)));
}

/** The candidate is the words of the one whom the question is about. */
function isOfSubject(candidate: Candidate, { speakers, asksOfSelf }: QueryView): boolean {
  if (speakers.length > 0) return speakers.length === 1 && speaks(candidate, speakers[0]);
  return asksOfSelf && candidate.role === "user";
}

export function ownFeatures(candidate: Candidate, query: QueryView): OwnFeatures {
  const { plan, speakers } = query;
  const flag = (holds: boolean): number => (holds ? 1 : 0);
  const resolved = candidate.entry !== undefined && candidate.entry.timestamp !== null;
  return {
    words: bm25f(candidate.profile, query.words, query.averageLength),
    alike: alikeness(candidate, query),
    phrase: phraseShare(candidate, query),
    speaker: flag(isOfSubject(candidate, query)),
    firstSpeaker: flag(speakers.length > 1 && speaks(candidate, speakers[0])),
    about: flag(isAbout(candidate, query)),
    time: Math.max(nearness(candidate.timestamp, plan), nearness(candidate.entry?.mentionedAt ?? null, plan)),
    tellsWhen: flag(plan.questionType === "when" && (resolved || TIME_WORDS.test(candidate.text))),
    tellsNumber: flag(plan.questionType === "count" && NUMBER_WORDS.test(candidate.text)),
    place: flag(plan.location !== null && candidate.entry?.location === plan.location),
    length: Math.log1p(candidate.profile.own.length) / 4,
    isQuestion: flag(ENDS_AS_QUESTION.test(candidate.text)),
  };
}
