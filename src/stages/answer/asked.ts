import { contentStems, detectLanguage } from "../../language/index.js";
import type { Plan } from "../../records/index.js";

/** What an answer must be about, read once from the question. */
export interface Asked {
  readonly plan: Plan;
  readonly question: string;
  readonly timeZone: string;
  readonly language: "en" | "zh" | "other";
  readonly persons: readonly string[];
  /** Telling words of the question without the people it names, each with what it is worth. */
  readonly stems: ReadonlyMap<string, number>;
  /** The class of thing that is asked for: "book" in "Which book did she read?". */
  readonly thing: string | null;
  /** The question is about what holds now or is still to come, so that newer words count more than older ones. */
  readonly wantsNewest: boolean;
}

/** Verbs that go with everything, and classes that answers belong to without naming them. */
const LIGHT = new Set(
  contentStems(
    "do make get have go take give think feel say tell mention describe share know want like start begin keep find use try plan help happen " +
      "thing event activity way kind type sort name part place time people person recent recently new current currently now year month day week good",
  ),
);
const LIGHT_WORTH = 0.4;
const THING =
  /\b(?:[Ww]hat|[Ww]hich)\s+(?:(?:kind|type|sort|genre|name)s?\s+of\s+)?((?:(?!(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|might|to)\b)\p{Ll}[\p{L}'’-]*\s+){1,3}?)(?:(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|might|helps?|made)\b|\p{Ll}+ed\b|\p{Lu})/u;
const COLOUR = /\b(?:what|which) colou?rs?\b|什么颜色/iu;
const NEWEST =
  /\b(?:now|nowadays|currently|current|these days|at the moment|still|latest|will|going to|planning)\b|^\s*(?:what|which|where|who|how (?:much|many))\b[^?]*\b(?:is|are|does|do)\b|现在|目前|如今|最近|将|会|是多少/iu;

/** Words that say as much as an asked one: who moved to a place lives there. */
const SAME_SENSE: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    live: "moved relocated resides settled home based",
    work: "works job employed hired employer started",
    住: "搬 居住 住在 搬到",
    工作: "上班 任职 入职",
  }).map(([word, others]) => [contentStems(word)[0] ?? word, contentStems(others)]),
);

/** The telling words with others that would do as well. */
export function sensesOf(stem: string): readonly string[] {
  return [stem, ...(SAME_SENSE.get(stem) ?? [])];
}

/** Reads the question for the answer. */
export function readAsked(plan: Plan, timeZone: string): Asked {
  const { question } = plan;
  const nameStems = new Set(plan.persons.flatMap((name) => contentStems(name)));
  const stems = plan.keywords.filter((stem) => !nameStems.has(stem));
  const thing = COLOUR.test(question) ? "colour" : (THING.exec(question)?.[1]?.trim() ?? "");
  return {
    plan,
    question,
    timeZone,
    language: detectLanguage(question),
    persons: plan.persons,
    stems: new Map(stems.map((stem) => [stem, LIGHT.has(stem) ? LIGHT_WORTH : 1])),
    thing: thing === "" ? null : (thing.split(/\s+/u).at(-1) ?? null),
    wantsNewest: plan.sequence === "latest" || NEWEST.test(question),
  };
}
