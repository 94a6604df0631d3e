import { indexWords } from "../language/index.js";
import type { MemoryEntry, Plan, View } from "../records/index.js";
import type { ChunkRow } from "../store/index.js";

/** One thing that may be a hit, with what each leg said of it. */
export interface CandidateHit {
  readonly id: string;
  readonly kind: "entry" | "turn" | "fact";
  readonly text: string;
  readonly timestamp: string | null;
  readonly persons: readonly string[];
  readonly speaker: string | null;
  readonly sessionId: string;
  readonly sourceIds: readonly string[];
  readonly entry?: MemoryEntry;
  readonly views: Set<View>;
  /** Best cosine over the queries, 0 when no vector leg found it. */
  cosine: number;
  /** Best share of the leg's best BM25, 0 to 1. */
  lexical: number;
}

/**
 * What counts how much. The features are those that find evidence without a model (docs/retrieval.md); the sum is divided
 * by its largest possible value, so that a score is in [0, 1].
 */
export const WEIGHTS = Object.freeze({
  /** Words in common, BM25 over own words, neighbours, people and keywords, as a share of the best. */
  lexical: 0.45,
  /** Likeness of meaning. */
  cosine: 0.3,
  /** The question names one person, and that person speaks. */
  speaker: 0.18,
  /** A person of the question is named or speaks. */
  person: 0.08,
  /** The question's place is the entry's. */
  place: 0.08,
  /** The time is in the question's range. */
  time: 0.2,
  /** The question asks when, and the text holds a time. */
  holdsTime: 0.06,
  /** Long enough to say something. */
  length: 0.05,
  /** An entry has its pronouns and times resolved. */
  isEntry: 0.04,
});

/** What counts against. */
export const PENALTIES = Object.freeze({
  /** A question is seldom the answer. */
  question: 0.06,
  /** History, found on request, stands below what replaced it. */
  superseded: 0.25,
});

const TOTAL = Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0);
/** Words from which more length adds nothing. */
const FULL_LENGTH = 25;
const TIME_WORDS =
  /\d{4}|\b(?:january|february|march|april|june|july|august|september|october|november|december|yesterday|today|last|next|ago)\b|[年月日]|昨天|今天|上周/i;
const RETIRED: ReadonlySet<string> = new Set(["superseded", "archived", "done"]);

function same(left: string, right: string): boolean {
  const [a, b] = [left.toLowerCase(), right.toLowerCase()];
  return a === b || a.startsWith(`${b} `) || b.startsWith(`${a} `);
}

function speaks(hit: CandidateHit, person: string): boolean {
  return hit.speaker !== null && same(hit.speaker, person);
}

function isInRange(hit: CandidateHit, range: Plan["timeRange"]): boolean {
  if (range === null || hit.timestamp === null) return false;
  const after = range.after === null || hit.timestamp >= range.after;
  return after && (range.before === null || hit.timestamp < range.before);
}

/** The score of one candidate, 0 to 1. */
export function scoreOf(hit: CandidateHit, plan: Plan): number {
  const [person, ...others] = plan.persons;
  const isNamed = plan.persons.some((name) => speaks(hit, name) || hit.persons.some((known) => same(known, name)));
  const words = indexWords(hit.text).split(" ").length;
  const features: { readonly [name in keyof typeof WEIGHTS]: number } = {
    lexical: hit.lexical,
    cosine: Math.max(0, hit.cosine),
    speaker: person !== undefined && others.length === 0 && speaks(hit, person) ? 1 : 0,
    person: isNamed ? 1 : 0,
    place: plan.location !== null && hit.entry?.location === plan.location ? 1 : 0,
    time: isInRange(hit, plan.timeRange) ? 1 : 0,
    holdsTime: plan.questionType === "when" && TIME_WORDS.test(hit.text) ? 1 : 0,
    length: Math.min(1, Math.log1p(words) / Math.log1p(FULL_LENGTH)),
    isEntry: hit.kind === "entry" ? 1 : 0,
  };
  let score = 0;
  for (const name of Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[]) score += WEIGHTS[name] * features[name];
  if (/[?？]\s*$/.test(hit.text)) score -= PENALTIES.question;
  if (hit.entry !== undefined && RETIRED.has(hit.entry.status)) score -= PENALTIES.superseded;
  return Math.min(1, Math.max(0, score / TOTAL));
}

/** An entry as a candidate. */
export function entryCandidate(entry: MemoryEntry): CandidateHit {
  return {
    id: entry.entryId,
    kind: "entry",
    text: entry.losslessRestatement,
    timestamp: entry.timestamp ?? entry.mentionedAt,
    persons: entry.persons,
    speaker: entry.speaker,
    sessionId: entry.sessionId,
    sourceIds: entry.sourceIds,
    entry,
    views: new Set(),
    cosine: 0,
    lexical: 0,
  };
}

/** A piece of a raw turn as a candidate; its id is that of the turn. */
export function turnCandidate(chunk: ChunkRow): CandidateHit {
  return {
    id: chunk.dialogueId,
    kind: "turn",
    text: chunk.text,
    timestamp: chunk.timestamp,
    persons: [chunk.speaker],
    speaker: chunk.speaker,
    sessionId: chunk.sessionId,
    sourceIds: [chunk.dialogueId],
    views: new Set(),
    cosine: 0,
    lexical: 0,
  };
}
