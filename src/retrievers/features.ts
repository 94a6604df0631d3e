import type { Plan } from "../records/index.js";
import type { Candidate } from "./candidate.js";
import type { TextProfile, Words } from "./profile.js";
import type { QueryWords } from "./query-words.js";
import { endsAsQuestion, wordsBefore } from "./replies.js";
import { samePerson } from "./speakers.js";
import type { TextMatches } from "./text-matches.js";

/** What all candidates of one query are judged by. */
export interface QueryView {
  readonly plan: Plan;
  /** Telling stems of the query, without the names of those who speak. */
  readonly words: QueryWords;
  /** What they meet in texts. */
  readonly matches: TextMatches;
  /** How much of `words` a text has in common. */
  readonly inCommon: (text: TextProfile) => number;
  /** Room for one number for each word of the question, used for one candidate after the other. */
  readonly best: Float64Array;
  /** Persons of the plan who speak, in the plan's order: each by the names under which he does. */
  readonly speakers: readonly ReadonlySet<string>[];
  /** The question is about the one who asks ("my", "I"), in a conversation with an assistant. */
  readonly asksOfSelf: boolean;
  /** Persons of the plan who are only spoken of. */
  readonly thirdParties: readonly string[];
  /** How near a time is to the one that the question names (0 to 1). */
  readonly nearness: (timestamp: string | null) => number;
  /** True for what was said right after a question of somebody else. */
  readonly isReply: (candidate: Candidate) => boolean;
}

/** The features that compare a candidate with the other candidates. */
export interface VectorFeatures {
  readonly meaning: number;
  readonly session: number;
}

/** What a candidate is judged by. */
export interface Features extends VectorFeatures {
  readonly words: number;
  readonly alike: number;
  readonly phrase: number;
  readonly reply: number;
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

function speaks(candidate: Candidate, person: ReadonlySet<string> | undefined): boolean {
  return person !== undefined && candidate.speaker !== null && person.has(candidate.speaker);
}

/** Raises `best` to the likeness of the likest word, times a share. */
function raise(best: Float64Array, words: Words, { matches }: QueryView, share: number): void {
  const start = matches.likedBy(words);
  if (start < 0) return;
  const { likest } = matches;
  for (let place = 0; place < best.length; place += 1) {
    const here = share * (likest[start + place] ?? 0);
    if (here > (best[place] ?? 0)) best[place] = here;
  }
}

/** Weighted mean, over the query's words, of the likest word in the text or beside it: words may differ, the sense not. */
function alikeness({ profile }: Candidate, query: QueryView): number {
  const { weights, totalWeight } = query.words;
  const { best } = query;
  best.fill(0);
  raise(best, profile.own, query, 1);
  for (const { offset, words } of profile.around) {
    if (offset === 0) raise(best, words, query, 1);
    else if (offset === -1) raise(best, words, query, ALIKE_BEFORE);
    else if (offset === 1) raise(best, words, query, ALIKE_AFTER);
  }
  let sum = 0;
  for (let place = 0; place < best.length; place += 1) sum += (weights[place] ?? 0) * (best[place] ?? 0);
  return totalWeight === 0 ? 0 : sum / totalWeight;
}

/** Share of the query's weight that stands in the text in the query's order, next to each other or with one word between. */
function phraseShare({ profile: { own } }: Candidate, { words, matches }: QueryView): number {
  const { weights, numbers, totalWeight } = words;
  const start = matches.heldBy(own);
  if (start < 0) return 0;
  let found = 0;
  for (let place = 0; place < numbers.length - 1; place += 1) {
    if (matches.counts[start + place] === 0 || matches.counts[start + place + 1] === 0) continue;
    const at = own.numbers.indexOf(numbers[place] ?? -1);
    const next = numbers[place + 1];
    const isFound = own.numbers[at + 1] === next || own.numbers[at + 2] === next;
    if (isFound) found += (weights[place] ?? 0) + (weights[place + 1] ?? 0);
  }
  return totalWeight === 0 ? 0 : Math.min(1, found / totalWeight);
}

/** Share of the query's weight that stands in the question to which the text is the reply: an answer seldom repeats its question. */
function repliedShare(candidate: Candidate, { words, matches, isReply }: QueryView): number {
  const { weights, totalWeight } = words;
  if (totalWeight === 0 || !isReply(candidate)) return 0;
  const start = matches.heldBy(wordsBefore(candidate.profile));
  if (start < 0) return 0;
  let found = 0;
  for (let place = 0; place < weights.length; place += 1) {
    if ((matches.counts[start + place] ?? 0) > 0) found += weights[place] ?? 0;
  }
  return found / totalWeight;
}

function isAbout(candidate: Candidate, query: QueryView): boolean {
  return query.thirdParties.some((name) => candidate.persons.some((known) => samePerson(known, name)));
}

/** The candidate is the words of the one whom the question is about. */
function isOfSubject(candidate: Candidate, { speakers, asksOfSelf }: QueryView): boolean {
  if (speakers.length > 0) return speakers.length === 1 && speaks(candidate, speakers[0]);
  return asksOfSelf && candidate.role === "user";
}

function flag(holds: boolean): number {
  return holds ? 1 : 0;
}

/** @param likeness what the vectors tell, which takes the other candidates to know */
export function featuresOf(candidate: Candidate, query: QueryView, likeness: VectorFeatures): Features {
  const { plan, speakers } = query;
  const resolved = candidate.entry !== undefined && candidate.entry.timestamp !== null;
  return {
    words: query.inCommon(candidate.profile),
    alike: alikeness(candidate, query),
    phrase: phraseShare(candidate, query),
    reply: repliedShare(candidate, query),
    speaker: flag(isOfSubject(candidate, query)),
    firstSpeaker: flag(speakers.length > 1 && speaks(candidate, speakers[0])),
    about: flag(isAbout(candidate, query)),
    time: Math.max(query.nearness(candidate.timestamp), query.nearness(candidate.entry?.mentionedAt ?? null)),
    tellsWhen: flag(plan.questionType === "when" && (resolved || TIME_WORDS.test(candidate.text))),
    tellsNumber: flag(plan.questionType === "count" && NUMBER_WORDS.test(candidate.text)),
    place: flag(plan.location !== null && candidate.entry?.location === plan.location),
    length: Math.log1p(candidate.profile.own.numbers.length) / 4,
    isQuestion: flag(endsAsQuestion(candidate.text)),
    meaning: likeness.meaning,
    session: likeness.session,
  };
}
