import { findNames, findTimes, segmentWords } from "../../language/index.js";
import type { DialogueTurn, Plan } from "../../records/index.js";
import type { PlanInput, Planner } from "./planner.js";
import { complexityOf, questionTypeOf, refersBack, tellingStems, withoutLead } from "./question.js";

const MIN_DEPTH = 3;
const MAX_DEPTH = 20;
/** Depth of the simplest and of the hardest question; both within the limits above. */
const SIMPLE_DEPTH = 8;
const MAX_QUERIES = 4;
const PLACE = /\b(?:in|at|near|from|to)\s+(\p{Lu}[\p{L}'-]+(?:\s+\p{Lu}[\p{L}'-]+)*)/u;
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

/** What "that" means: the words of the last turns that name something. */
function backgroundOf(recent: readonly DialogueTurn[]): string {
  const last = recent.slice(-3).map((turn) => turn.content);
  const names = last.flatMap((text) => {
    const { persons, entities } = findNames(text, []);
    return [...persons, ...entities];
  });
  const words = last.flatMap((text) => segmentWords(text).filter((word) => word.length > 3));
  return [...new Set([...names, ...words])].slice(0, 12).join(" ");
}

function queriesOf(input: PlanInput): string[] {
  const { question, recent } = input;
  const background = recent.length > 0 && refersBack(question) ? backgroundOf(recent) : "";
  const queries = [question, withoutLead(question), ...(background === "" ? [] : [`${question} ${background}`])];
  return [...new Set(queries)].slice(0, MAX_QUERIES);
}

/** Plans by form and by the names that memory knows. */
export function createRulePlanner(): Planner {
  return {
    async plan(input) {
      const { question, knownPersons } = input;
      const named = findNames(question, knownPersons);
      const location = placeOf(input);
      const persons = named.persons.filter((name) => name !== location);
      const questionType = questionTypeOf(question);
      const complexity = complexityOf(question, questionType, persons.length);
      return {
        question,
        queries: queriesOf(input),
        keywords: tellingStems(withoutTimes(input)),
        persons,
        entities: named.entities,
        location,
        timeRange: timeRangeOf(input),
        questionType,
        complexity,
        depth: depthFor(complexity),
        source: "rules",
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
