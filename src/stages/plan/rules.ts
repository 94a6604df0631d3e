import { findNames, findTimes, segmentWords } from "../../language/index.js";
import type { DialogueTurn, Plan } from "../../records/index.js";
import type { PlanInput, Planner } from "./planner.js";
import { complexityOf, questionTypeOf, refersBack, tellingStems, withoutLead } from "./question.js";
import { meansSomeone, type Referents, referentsIn, withoutSomeone } from "./referents.js";
import { asksWhatFollowed, sequenceOf, withoutSequence } from "./sequence.js";

const MIN_DEPTH = 3;
const MAX_DEPTH = 20;
/** Depth of the simplest and of the hardest question; both within the limits above. */
const SIMPLE_DEPTH = 8;
const MAX_QUERIES = 4;
const PLACE = /\b(?:in|at|near|from|to)\s+(\p{Lu}[\p{L}'-]+(?:\s+\p{Lu}[\p{L}'-]+)*)/u;
const HAPPENS =
  /\b(?:news|what(?: ever| has)? (?:happened|happens|is)|what['’]s|how|did|with|about|of|to|from|the)\b|怎么样|怎样|如何|什么|发生|情况|消息|事情|[了的是有]/giu;
/** Complexity from which a question is worth a call of the model. */
const MODEL_FROM = 0.5;

/** Depth for a complexity of 0 to 1. */
export function depthFor(complexity: number): number {
  const depth = Math.round(SIMPLE_DEPTH + complexity * (MAX_DEPTH - SIMPLE_DEPTH));
  return Math.min(MAX_DEPTH, Math.max(MIN_DEPTH, depth));
}

function timeRangeOf(input: PlanInput): Plan["timeRange"] {
  const mentions = findTimes(input.question, { instant: input.now, offsetMinutes: 0, timeZone: input.timeZone });
  const dates = mentions.filter((mention) => mention.kind === "date");
  const [first] = dates;
  if (first === undefined) return null;
  const ends = dates.flatMap((mention) => mention.to ?? []);
  return { after: first.from, before: ends.sort().at(-1) ?? null };
}

/** The place that a question names: what stands after "in", "to" and the like, and is neither a known person nor a time. */
function placeOf(input: PlanInput): string | null {
  const place = PLACE.exec(input.question)?.[1] ?? null;
  if (place === null) return null;
  const [first = place] = place.split(/\s+/);
  const isPerson = input.knownPersons.some((name) => name === place || name.split(/\s+/).includes(first));
  const times = findTimes(input.question, { instant: input.now, offsetMinutes: 0, timeZone: input.timeZone });
  return isPerson || times.some((mention) => mention.text.includes(first)) ? null : place;
}

/** The question without its times: a fact tells them in other words, and the plan holds them as a range. */
function withoutTimes(input: PlanInput): string {
  const times = findTimes(input.question, { instant: input.now, offsetMinutes: 0, timeZone: input.timeZone });
  return times.reduce(
    (text, { kind, text: time }) => (kind === "date" ? text.replace(time, " ") : text),
    input.question,
  );
}

/** Short words mostly tell nothing; Chinese ones are short. */
function isTelling(word: string): boolean {
  return word.length > 3 || (word.length > 1 && /\p{Script=Han}/u.test(word));
}

/** What "that" means: the words of the last turns that name something. */
function backgroundOf(recent: readonly DialogueTurn[]): string {
  const last = recent.slice(-3).map((turn) => turn.content);
  const names = last.flatMap((text) => {
    const { persons, entities } = findNames(text, []);
    return [...persons, ...entities];
  });
  const words = last.flatMap((text) => segmentWords(text).filter(isTelling));
  return [...new Set([...names, ...words])].slice(0, 12).join(" ");
}

function queriesOf({ question, recent }: PlanInput, asksOn: boolean): string[] {
  const pointsBack = recent.length > 0 && (asksOn || refersBack(question));
  const background = pointsBack ? backgroundOf(recent) : "";
  const queries = [question, withoutLead(question), ...(background === "" ? [] : [`${question} ${background}`])];
  return [...new Set(queries)].slice(0, MAX_QUERIES);
}

/** Of a question about an order of events what tells of these: not that it asks what happened, nor of "that customer". */
function storyStems(input: PlanInput): readonly string[] {
  const rest = withoutSomeone(withoutSequence(withoutTimes(input))).replace(HAPPENS, " ");
  return rest.replace(/[\p{P}\s]/gu, "") === "" ? [] : tellingStems(rest);
}

/** The names of the question or, where it has none and points at somebody, those that the conversation gave last. */
function namesOf(input: PlanInput, location: string | null, asksOn: boolean): Referents {
  const { persons, entities } = findNames(input.question, input.knownPersons);
  const named = { persons: persons.filter((name) => name !== location), entities };
  const isNameless = named.persons.length === 0 && entities.length === 0;
  if (!isNameless || input.recent.length === 0 || !(asksOn || meansSomeone(input.question))) return named;
  return referentsIn(input.recent, input.knownPersons);
}

/** Plans by form and by the names that memory knows. */
export function createRulePlanner(): Planner {
  return {
    async plan(input) {
      const { question } = input;
      const location = placeOf(input);
      const timeRange = timeRangeOf(input);
      const sequence = sequenceOf(question, timeRange);
      const asksOn = asksWhatFollowed({ sequence });
      const { persons, entities } = namesOf(input, location, asksOn);
      const questionType = questionTypeOf(question);
      const complexity = complexityOf(question, questionType, persons.length);
      return {
        question,
        queries: queriesOf(input, asksOn),
        keywords: sequence === undefined ? tellingStems(withoutTimes(input)) : storyStems(input),
        persons,
        entities,
        location,
        timeRange,
        questionType,
        complexity,
        depth: depthFor(complexity),
        source: "rules",
        ...(sequence === undefined ? {} : { sequence }),
      };
    },
  };
}

/**
 * True when a plan by rule is not enough: several facts to join, or words that point back into the conversation, when
 * there is one to look into.
 */
export function needsModel(plan: Plan, recent: readonly DialogueTurn[] = []): boolean {
  return plan.complexity >= MODEL_FROM || (recent.length > 0 && refersBack(plan.question, plan.persons.length));
}
