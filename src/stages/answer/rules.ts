import { contentStems } from "../../language/index.js";
import type { QuestionType } from "../../records/index.js";
import { findAbsence } from "./absence.js";
import type { Answerer, AnswerOutput } from "./answerer.js";
import { type Asked, readAsked } from "./asked.js";
import { countOf } from "./counts.js";
import { type Evidence, gatherEvidence } from "./evidence.js";
import { whoOf } from "./persons.js";
import { whereOf } from "./places.js";
import { storyOf } from "./story.js";
import { ofItsKind, reasonOf, thingOf, yesOrNo } from "./things.js";
import { holdsDate, whenOf } from "./times.js";

/** Sentences that are looked through for the kind of thing that is asked for. */
const LOOKED_THROUGH = 6;
/** Items of a list, and how near to the best sentence's score theirs must be. */
const LIST_ITEMS = 4;
const LIST_NEARNESS = 0.8;
/** Sentences of a score this near tell of the same, so that the newer one is right. */
const SAME_NEARNESS = 0.85;
/** What a date in the sentence is worth when one is asked for. */
const DATE_WORTH = 0.08;

/** What news are worth beside the score of their sentence, and how many words of them are enough. */
const NEWS_WORTH = 0.12;
const FULL_NEWS = 4;

interface Span {
  readonly text: string;
  readonly evidence: Evidence;
}

function spanOf(evidence: Evidence, asked: Asked): string | null {
  switch (asked.plan.questionType) {
    case "when":
      return whenOf(evidence, asked);
    case "where":
      return whereOf(evidence, asked);
    case "who":
      return asked.stems.size === 0 ? evidence.text : whoOf(evidence, asked);
    case "count":
      return countOf(evidence, asked);
    case "yes_no":
      return yesOrNo(evidence, asked);
    case "reason":
      return reasonOf(evidence) ?? thingOf(evidence, asked)?.text ?? null;
    default:
      return thingOf(evidence, asked)?.text ?? null;
  }
}

/** The evidence in the order in which it is believed: by score, and among equals about what holds now, the newest first. */
function believed(evidence: readonly Evidence[], asked: Asked): Evidence[] {
  const isWhen = asked.plan.questionType === "when";
  const worth = (one: Evidence): number => one.score + (isWhen && holdsDate(one, asked) ? DATE_WORTH : 0);
  const ranked = evidence.toSorted((left, right) => worth(right) - worth(left));
  const top = ranked[0];
  if (top === undefined || !asked.wantsNewest) return ranked;
  const said = ({ hit }: Evidence): string => hit.entry?.mentionedAt ?? hit.timestamp ?? "";
  const isSame = (one: Evidence): boolean =>
    one.coverage >= top.coverage * SAME_NEARNESS && one.score >= top.score * SAME_NEARNESS;
  const same = ranked
    .filter(isSame)
    .sort((left, right) => (said(left) < said(right) ? 1 : said(left) > said(right) ? -1 : 0));
  return [...same, ...ranked.filter((one) => !isSame(one))];
}

function listOf(evidence: readonly Evidence[], asked: Asked): Span[] {
  const least = (evidence[0]?.score ?? 0) * LIST_NEARNESS;
  const near = evidence.filter(({ score }) => score >= least);
  const ofKind = near.flatMap((one) => ofItsKind(one, asked).map((text): Span => ({ text, evidence: one })));
  const spans =
    ofKind.length > 0
      ? ofKind
      : near.flatMap((one): Span[] => {
          const news = thingOf(one, asked);
          return news === null ? [] : [{ text: news.text, evidence: one }];
        });
  const kept: Span[] = [];
  for (const span of spans) {
    const stems = contentStems(span.text);
    const isKnown = kept.some(({ text }) => {
      const held = new Set(contentStems(text));
      return stems.every((stem) => held.has(stem));
    });
    if (!isKnown) kept.push(span);
  }
  return kept.slice(0, LIST_ITEMS);
}

/** The span that the best of evidence and of news gives together: a sentence that only repeats the question tells nothing. */
function tellingSpan(evidence: readonly Evidence[], asked: Asked): Span[] {
  let best: { readonly span: Span; readonly worth: number } | null = null;
  for (const [rank, one] of believed(evidence, asked).slice(0, LOOKED_THROUGH).entries()) {
    const news = thingOf(one, asked);
    if (news === null) continue;
    const worth = one.score + NEWS_WORTH * Math.min(1, news.words / FULL_NEWS) - rank * 0.001;
    if (best === null || worth > best.worth) best = { span: { text: news.text, evidence: one }, worth };
  }
  return best === null ? [] : [best.span];
}

function spansFor(evidence: readonly Evidence[], asked: Asked): Span[] {
  const { questionType } = asked.plan;
  if (questionType === "list") return listOf(evidence, asked);
  if (questionType === "what" || questionType === "open") return tellingSpan(evidence, asked);
  for (const one of believed(evidence, asked).slice(0, LOOKED_THROUGH)) {
    const text = spanOf(one, asked);
    if (text !== null) return [{ text, evidence: one }];
  }
  return [];
}

/** How far a span of its kind is to be trusted when its evidence is as good as can be: a date is read, a phrase is guessed. */
const TRUST: Readonly<Record<QuestionType, number>> = Object.freeze({
  when: 1,
  who: 0.8,
  where: 0.7,
  count: 0.6,
  yes_no: 0.6,
  what: 0.6,
  reason: 0.5,
  list: 0.5,
  open: 0.4,
});

function confidenceOf({ coverage, owner, hit }: Evidence, asked: Asked): number {
  const ownership = owner === "other" ? 0.7 : 1;
  return Math.min(1, ownership * TRUST[asked.plan.questionType] * (0.1 + 0.5 * coverage + 0.4 * hit.score));
}

function abstention(reason: string): AnswerOutput {
  return { answer: "", abstained: true, reason, confidence: 0, citedIds: [] };
}

/**
 * Answers with the shortest span that tells what is asked: a date for "when", a number for "how many", the object of the
 * verb for "what". Abstains when nothing that was found speaks of it, or only of somebody else.
 */
export function createRuleAnswerer(): Answerer {
  return {
    async answer({ plan, hits, timeZone }) {
      const asked = readAsked(plan, timeZone);
      const story = storyOf(asked, hits);
      if (story !== null) return story;
      const evidence = gatherEvidence(hits, asked);
      const absence = findAbsence(evidence, hits, asked);
      if (absence !== null) return abstention(absence);
      const spans = spansFor(evidence, asked);
      const best = spans[0]?.evidence ?? evidence[0];
      if (best === undefined) return abstention(`Nothing that is remembered speaks of ${plan.question}`);
      const found = spans.length > 0 ? spans : [{ text: best.text, evidence: best }];
      const confidence = confidenceOf(best, asked) * (spans.length > 0 ? 1 : 0.5);
      return {
        answer: found.map(({ text }) => text).join(", "),
        abstained: false,
        confidence,
        citedIds: [...new Set(found.map((span) => span.evidence.hit.id))],
      };
    },
  };
}
