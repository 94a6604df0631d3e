import type { ScopedHandle } from "../memory/index.js";
import { type Hit, type SearchOptions, VIEWS, type View } from "../records/index.js";
import { type Asked, askAll } from "./ask.js";
import type { EvalQuestion } from "./conversation.js";
import { recallAt } from "./measures.js";
import type { Space } from "./space.js";
import { meanScore } from "./summary.js";

/** One thing switched off or kept alone, and what is found then. */
export interface AblationRow {
  readonly label: string;
  readonly recallAt10: number;
  /** Against everything switched on. */
  readonly change: number;
}

/** What is found when hits under a score are left out. */
export interface FloorRow {
  readonly floor: number;
  readonly recallAt10: number;
  readonly hitsPerQuestion: number;
  /** Share of the answerable questions that nothing is left for. */
  readonly emptyAnswerable: number;
  /** Share of the unanswerable questions that nothing is left for. */
  readonly emptyUnanswerable: number;
}

/** One kind of memory alone. */
export interface DualRow {
  readonly label: string;
  /** Context recovery: recall@10 of the evidence. Facts name no turns, so they have none. */
  readonly contextRecovery: number;
  /** Share of the right answers' words that stand in the first ten hits. */
  readonly answerWords: number;
  /**
   * Fact consistency: share of the questions about something that changed for which a hit with the new value stands above
   * every hit that has the old one alone; null when no question is of that kind.
   */
  readonly factConsistency: number | null;
}

const TEN = 10;
const FLOOR_STEPS = 20;

/** A search with other views. */
export interface ViewRun {
  readonly label: string;
  readonly views: readonly View[];
}

/** Every view left out once, and kept alone once. */
export const VIEW_RUNS: readonly ViewRun[] = Object.freeze([
  ...VIEWS.map((view) => ({ label: `without ${view}`, views: VIEWS.filter((other) => other !== view) })),
  ...VIEWS.map((view) => ({ label: `${view} alone`, views: [view] })),
  { label: "without vectors (lexical, symbolic)", views: ["lexical", "symbolic"] },
]);

const recall10 = (asked: readonly Asked[], foundOf?: (one: Asked) => readonly Hit[]): number =>
  meanScore(asked, (found, evidence) => recallAt(found, evidence, TEN), foundOf);

/** Searches the space again with each choice of views. */
export async function askByViews(
  memory: ScopedHandle,
  space: Space,
  search: SearchOptions,
): Promise<ReadonlyMap<string, readonly Asked[]>> {
  const byLabel = new Map<string, readonly Asked[]>();
  for (const { label, views } of VIEW_RUNS)
    byLabel.set(label, await askAll(memory, space, { ...search, views }, false));
  return byLabel;
}

export function viewRows(asked: readonly Asked[], byViews: ReadonlyMap<string, readonly Asked[]>): AblationRow[] {
  const whole = recall10(asked);
  return [...byViews].map(([label, run]) => ({ label, recallAt10: recall10(run), change: recall10(run) - whole }));
}

function sumWithout(hit: Hit, feature: string | null): number {
  return Object.entries(hit.features ?? {}).reduce((sum, [name, part]) => (name === feature ? sum : sum + part), 0);
}

function rankedWithout(hits: readonly Hit[], feature: string | null): Hit[] {
  return hits
    .map((hit) => ({ hit, sum: sumWithout(hit, feature) }))
    .sort((left, right) => right.sum - left.sum)
    .map(({ hit }) => hit);
}

/** The hits ranked again with each feature's part left out of the sum; what was never a candidate stays unfound. */
export function featureRows(asked: readonly Asked[]): AblationRow[] {
  const names = new Set(asked.flatMap(({ hits }) => hits.flatMap(({ features }) => Object.keys(features ?? {}))));
  const whole = recall10(asked, ({ hits }) => rankedWithout(hits, null));
  return [...names].sort().map((name) => {
    const recall = recall10(asked, ({ hits }) => rankedWithout(hits, name));
    return { label: `without ${name}`, recallAt10: recall, change: recall - whole };
  });
}

export function floorRows(asked: readonly Asked[]): FloorRow[] {
  const answerable = asked.filter(({ question }) => question.answer !== null);
  const unanswerable = asked.filter(({ question }) => question.answer === null);
  return Array.from({ length: FLOOR_STEPS }, (_, step) => {
    const floor = step / FLOOR_STEPS;
    const above = ({ hits }: Asked): Hit[] => hits.filter(({ score }) => score >= floor);
    const empty = (some: readonly Asked[]): number =>
      some.length === 0 ? 0 : some.filter((one) => above(one).length === 0).length / some.length;
    return {
      floor,
      recallAt10: recall10(asked, above),
      hitsPerQuestion: asked.reduce((sum, one) => sum + above(one).length, 0) / Math.max(1, asked.length),
      emptyAnswerable: empty(answerable),
      emptyUnanswerable: empty(unanswerable),
    };
  });
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function holds(text: string, value: string): boolean {
  const words = wordsOf(text);
  return [...wordsOf(value)].every((word) => words.has(word));
}

function isConsistent(hits: readonly Hit[], { answer, outdated }: EvalQuestion): boolean {
  if (answer === null || outdated === undefined) return false;
  const newAt = hits.findIndex(({ text }) => holds(text, answer));
  const oldAt = hits.findIndex(({ text }) => holds(text, outdated) && !holds(text, answer));
  return newAt >= 0 && (oldAt < 0 || newAt < oldAt);
}

function shareOfAnswer(hits: readonly Hit[], answer: string): number {
  const found = wordsOf(hits.map(({ text }) => text).join(" "));
  const words = [...wordsOf(answer)];
  return words.length === 0 ? 0 : words.filter((word) => found.has(word)).length / words.length;
}

function dualRow(label: string, asked: readonly Asked[], admits: (hit: Hit) => boolean): DualRow {
  const kept = asked.map((one) => ({ ...one, hits: one.hits.filter(admits) }));
  const answers = kept.flatMap(({ hits, question }) =>
    question.answer === null ? [] : shareOfAnswer(hits.slice(0, TEN), question.answer),
  );
  const changed = kept.filter(({ question }) => question.outdated !== undefined);
  const consistent = changed.filter(({ hits, question }) => isConsistent(hits.slice(0, TEN), question));
  return {
    label,
    contextRecovery: recall10(kept),
    answerWords: answers.reduce((sum, share) => sum + share, 0) / Math.max(1, answers.length),
    factConsistency: changed.length === 0 ? null : consistent.length / changed.length,
  };
}

/** Entries, raw turns and facts, each alone and all together (CALMem's dual-memory ablation). */
export function dualRows(asked: readonly Asked[], byViews: ReadonlyMap<string, readonly Asked[]>): DualRow[] {
  const turns = byViews.get("episodic alone") ?? [];
  const entries = byViews.get("without episodic") ?? [];
  return [
    dualRow("entries only", entries, ({ kind }) => kind === "entry"),
    dualRow("episodic only", turns, ({ kind }) => kind === "turn"),
    dualRow("facts only", asked, ({ kind }) => kind === "fact"),
    dualRow("all", asked, () => true),
  ];
}
