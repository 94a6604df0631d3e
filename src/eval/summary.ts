import { answerF1 } from "./answer-f1.js";
import { type Asked, isProvable } from "./ask.js";
import { type Measured, meanOf, measure } from "./bootstrap.js";
import { type Found, retrievalScores, type Scores } from "./measures.js";

/** Questions that belong together, and how they were measured. */
export interface Row {
  readonly label: string;
  readonly questions: number;
  readonly measures: { readonly [measure: string]: Measured };
}

/** How well memory knows what it does not know; an abstention is right when the conversation does not hold the answer. */
export interface Abstention {
  readonly abstained: number;
  readonly unanswerable: number;
  /** Share of the abstentions that were right. */
  readonly precision: number;
  /** Share of the unanswerable questions that were abstained from. */
  readonly recall: number;
}

interface Scored {
  readonly conversation: string;
  readonly category: string;
  readonly scores: Scores;
}

function toRow(label: string, scored: readonly Scored[], seed: number): Row {
  const names = [...new Set(scored.flatMap(({ scores }) => Object.keys(scores)))];
  const measures = names.map((name) => {
    const values = scored.flatMap(({ scores }) => scores[name] ?? []);
    return [name, measure(values, seed)] as const;
  });
  return { label, questions: scored.length, measures: Object.fromEntries(measures) };
}

/** All questions, then each category, then each conversation. */
function rows(scored: readonly Scored[], seed: number): Row[] {
  const grouped = (key: "category" | "conversation"): Row[] => {
    const labels = [...new Set(scored.map((one) => one[key]))].sort();
    return labels.map((label) =>
      toRow(
        label,
        scored.filter((one) => one[key] === label),
        seed,
      ),
    );
  };
  return [toRow("all", scored, seed), ...grouped("category"), ...grouped("conversation")];
}

/** Retrieval over the questions whose evidence is known. @param foundOf what counts as found; default: the hits */
export function retrievalRows(
  asked: readonly Asked[],
  seed: number,
  foundOf: (one: Asked) => readonly Found[] = ({ hits }) => hits,
): Row[] {
  const scored = asked.filter(isProvable).map((one) => ({
    conversation: one.conversation,
    category: one.question.category,
    scores: retrievalScores(foundOf(one), one.question.evidence),
  }));
  return rows(scored, seed);
}

/** The mean of one measure over the questions whose evidence is known. */
export function meanScore(
  asked: readonly Asked[],
  score: (found: readonly Found[], evidence: readonly string[]) => number,
  foundOf: (one: Asked) => readonly Found[] = ({ hits }) => hits,
): number {
  return meanOf(asked.filter(isProvable).map((one) => score(foundOf(one), one.question.evidence)));
}

/** Answers against the right ones, over all questions that can be answered; an abstention scores 0. */
export function answerRows(asked: readonly Asked[], seed: number, judged: ReadonlyMap<Asked, boolean>): Row[] {
  const scored = asked.flatMap((one): Scored[] => {
    const gold = one.question.answer;
    if (gold === null || one.answer === undefined) return [];
    const given = one.answer.answer;
    const verdict = judged.get(one);
    const scores = {
      f1: answerF1(given, gold, { stems: false }),
      f1Stemmed: answerF1(given, gold, { stems: true }),
      answered: one.answer.abstained ? 0 : 1,
      ...(verdict === undefined ? {} : { judgedRight: verdict ? 1 : 0 }),
    };
    return [{ conversation: one.conversation, category: one.question.category, scores }];
  });
  return rows(scored, seed);
}

export function abstentionOf(asked: readonly Asked[]): Abstention {
  const answered = asked.flatMap(({ question, answer }) =>
    answer === undefined ? [] : [{ abstained: answer.abstained, unanswerable: question.answer === null }],
  );
  const abstained = answered.filter((one) => one.abstained);
  const unanswerable = answered.filter((one) => one.unanswerable);
  const right = abstained.filter((one) => one.unanswerable).length;
  return {
    abstained: abstained.length,
    unanswerable: unanswerable.length,
    precision: abstained.length === 0 ? 0 : right / abstained.length,
    recall: unanswerable.length === 0 ? 0 : right / unanswerable.length,
  };
}
