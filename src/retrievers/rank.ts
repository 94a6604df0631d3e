import { contentStems, segmentWords, stemOf } from "../language/index.js";
import type { WordLikeness } from "../models/index.js";
import type { Plan } from "../records/index.js";
import { bm25f } from "./bm25f.js";
import type { Candidate } from "./candidate.js";
import { type Features, featuresOf, type QueryView } from "./features.js";
import { nearnessTo } from "./nearness.js";
import type { Profiles } from "./profile.js";
import { placesOf, type QueryWords } from "./query-words.js";
import { repliesAmong } from "./replies.js";
import { namedPersons, samePerson } from "./speakers.js";
import { TextMatches } from "./text-matches.js";
import type { Spread, WordStatistics } from "./word-statistics.js";

/**
 * What counts how much: one sum, no hidden steps (docs/retrieval.md holds a worked example). The weights are flat: a
 * third more or less of any of them changes the found evidence by less than half a percent.
 */
export const WEIGHTS = Object.freeze({
  /** Words in common by rarity, in the text and in the turns around it (BM25F; about 0 to 20). */
  words: 0.1,
  /** Words of like meaning in the text and right beside it (0 to 1). */
  alike: 0.5,
  /** Words that stand together in the question and in the text (0 to 1). */
  phrase: 0.08,
  /** Words in common with another speaker's question right before, to which the text is the reply (0 to 1). */
  reply: 0.4,
  /** Likeness of the vectors: the cosine's distance from the scope's mean, in quarters of its deviation. */
  meaning: 0.3,
  /** The mean of the three best such distances in the candidate's session: a conversation about the same thing. */
  session: 0.4,
  /** The question names one speaker, or means the one who asks, and this is that speaker's. */
  speaker: 0.6,
  /** The question names several, and this is of the first, who is mostly its subject. */
  firstSpeaker: 0.4,
  /** A person of the question who never speaks is spoken of. */
  about: 0.3,
  /** Inside the time that the question names, or near it (0 to 1). */
  time: 1,
  /** The question asks when, and the text tells a time. */
  tellsWhen: 0.3,
  /** The question asks how many, and the text holds a number. */
  tellsNumber: 0.25,
  /** The question's place is the entry's. */
  place: 0.2,
  /** Long enough to say something: a quarter of the logarithm of its words. */
  length: 0.1,
  /** A question is seldom the answer. */
  isQuestion: -0.13,
} satisfies { readonly [name in keyof Features]: number });

/** What is history stands below what is true now. */
export const RETIRED_PENALTY = 0.6;

/** Sessions are judged by so many of their best candidates. */
const SESSION_BEST = 3;
/** Deviations are counted in quarters, so that the weights of both kinds of likeness compare. */
const DEVIATION_SHARE = 4;
/** The sum at which a hit is as good as not, and how steeply the score rises around it: scores are in (0, 1). */
const SCORE_MIDDLE = 1.4;
const SCORE_STEEPNESS = 1.8;
const NOTHING: { readonly retired?: number } = Object.freeze({});
const RETIRED: ReadonlySet<string> = new Set(["superseded", "archived", "done"]);

/** What a word of a date counts as a word: it seldom stands in what was said then, and `time` judges it. */
const DATE_SHARE = 0.5;
const DATE_WORDS = new Set(
  contentStems(
    "January February March April May June July August September October November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
  ),
);
const DATE_NUMBER = /^\d{1,4}(?:st|nd|rd|th|年|月|日|号)?$/u;

const FIRST_PERSON = /\b(?:i|i'm|i've|i'd|my|mine|me|myself)\b|我/iu;

/** A candidate with its place in the ranking. */
export interface Ranked {
  readonly candidate: Candidate;
  readonly sum: number;
  /** What the sum was made of, weighted; absent for what is found by its key. */
  readonly features?: Features;
  /** What was added to it or taken from it beside the features. */
  readonly extra: { readonly [name: string]: number };
  /** Ids of the entries that took the place of what it says; absent while that holds. */
  readonly replacedBy?: readonly string[];
}

/** What each feature added to the sum. */
export function partsOf({ features, extra }: Ranked): { readonly [name: string]: number } {
  const weighted = features === undefined ? [] : FEATURE_NAMES.map((name) => [name, WEIGHTS[name] * features[name]]);
  return { ...Object.fromEntries(weighted), ...extra };
}

/** A sum as the score that callers see: monotone, strictly between 0 and 1. */
export function scoreOfSum(sum: number): number {
  return 1 / (1 + Math.exp(-SCORE_STEEPNESS * (sum - SCORE_MIDDLE)));
}

function isOfADate(stem: string): boolean {
  return DATE_WORDS.has(stem) || DATE_NUMBER.test(stem);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The cosines as distances from what is usual, so that the embedder's own scale does not matter. */
function standardised(candidates: readonly Candidate[], { mean: middle, deviation }: Spread): number[] {
  return candidates.map(({ cosine }) =>
    cosine === null || deviation === 0 ? 0 : (cosine - middle) / deviation / DEVIATION_SHARE,
  );
}

function sessionMeans(candidates: readonly Candidate[], meanings: readonly number[]): ReadonlyMap<string, number> {
  const bySession = new Map<string, number[]>();
  for (const [index, { sessionId }] of candidates.entries()) {
    const known = bySession.get(sessionId) ?? [];
    known.push(meanings[index] ?? 0);
    bySession.set(sessionId, known);
  }
  // A session with fewer candidates was found less often: what is missing counts as the farthest candidate.
  const farthest = Math.min(0, ...meanings);
  const best = (values: number[]): number => {
    const nearest = values.sort((left, right) => right - left).slice(0, SESSION_BEST);
    return mean([...nearest, ...Array.from({ length: SESSION_BEST - nearest.length }, () => farthest)]);
  };
  return new Map([...bySession].map(([session, values]) => [session, best(values)]));
}

const FEATURE_NAMES = Object.freeze([
  "words",
  "alike",
  "phrase",
  "reply",
  "meaning",
  "session",
  "speaker",
  "firstSpeaker",
  "about",
  "time",
  "tellsWhen",
  "tellsNumber",
  "place",
  "length",
  "isQuestion",
]) satisfies readonly (keyof Features)[];

function sumOf(features: Features): number {
  let sum = 0;
  // By index: an iterator would make fourteen objects for each of some hundred candidates.
  for (let index = 0; index < FEATURE_NAMES.length; index += 1) {
    const name = FEATURE_NAMES[index];
    if (name !== undefined) sum += WEIGHTS[name] * features[name];
  }
  return sum;
}

/** What is known of words: how rare they are, which are alike, and their numbers. */
export interface Knowledge {
  readonly statistics: WordStatistics;
  readonly likeness: WordLikeness;
  readonly profiles: Profiles;
}

function queryWords(words: readonly string[], { timeRange }: Plan, { statistics, profiles }: Knowledge): QueryWords {
  const numbers = words.map((word) => profiles.numberOf(word));
  const shareOf = (word: string): number => (timeRange !== null && isOfADate(word) ? DATE_SHARE : 1);
  const weights = Float64Array.from(words, (word) => shareOf(word) * statistics.idf(word));
  return {
    weights,
    totalWeight: weights.reduce((sum, weight) => sum + weight, 0),
    numbers,
    places: placesOf(numbers, profiles.size),
  };
}

function matchesOf(words: QueryWords, stems: readonly string[], query: string, knowledge: Knowledge): TextMatches {
  const forms = new Map(segmentWords(query).map((word) => [stemOf(word), word] as const));
  const likenessOf = knowledge.likeness.to(stems.map((stem) => ({ stem, form: forms.get(stem) ?? stem })));
  return new TextMatches(words, likenessOf, knowledge.profiles);
}

/** How a query looks at candidates. Names of those who speak are judged by the speaker, not as words. */
export function queryView(
  plan: Plan,
  query: string,
  candidates: readonly Candidate[],
  knowledge: Knowledge,
): QueryView {
  const speaking = [...new Set(candidates.flatMap(({ speaker }) => speaker ?? []))];
  const { speakers, thirdParties, nameStems } = namedPersons(plan.question, plan.persons, speaking);
  const stems = [...new Set(contentStems(query))];
  const telling = stems.filter((stem) => !nameStems.has(stem));
  const kept = telling.length > 0 ? telling : stems;
  const words = queryWords(kept, plan, knowledge);
  const matches = matchesOf(words, kept, query, knowledge);
  return {
    plan,
    words,
    matches,
    inCommon: bm25f(words, Math.max(1, knowledge.statistics.averageLength), matches),
    best: new Float64Array(kept.length),
    speakers: speakers.map((name) => new Set(speaking.filter((speaker) => samePerson(speaker, name)))),
    asksOfSelf: FIRST_PERSON.test(plan.question) && candidates.some(({ role }) => role === "assistant"),
    thirdParties,
    nearness: nearnessTo(plan),
    isReply: repliesAmong(candidates),
  };
}

/** All candidates of one query, best first. */
export function rank(candidates: readonly Candidate[], query: QueryView, spread: Spread): Ranked[] {
  const meanings = standardised(candidates, spread);
  const sessions = sessionMeans(candidates, meanings);
  return candidates
    .map((candidate, index): Ranked => {
      const meaning = meanings[index] ?? 0;
      const session = sessions.get(candidate.sessionId) ?? 0;
      const features = featuresOf(candidate, query, { meaning, session });
      const isRetired = candidate.entry !== undefined && RETIRED.has(candidate.entry.status);
      const extra = isRetired ? { retired: -RETIRED_PENALTY } : NOTHING;
      return { candidate, features, extra, sum: sumOf(features) + (extra.retired ?? 0) };
    })
    .sort((left, right) => right.sum - left.sum || (left.candidate.id < right.candidate.id ? -1 : 1));
}
