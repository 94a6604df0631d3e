import { contentStems, detectLanguage, isStopWord } from "../../language/index.js";
import type { Hit, Plan } from "../../records/index.js";
import type { Answerer, AnswerInput, AnswerOutput } from "./answerer.js";
import { bestSentence, countOf, whenOf, whereOf, whoOf, yesOrNo } from "./spans.js";

/** Share of the question's telling words that the best hit must hold. Below it there is no evidence, only likeness. */
const COVERAGE_FLOOR = 0.34;
/** Share from which a missing thing may be a paraphrase. */
const SURE_COVERAGE = 0.6;
const THING = /(?:\b(?:an?|the|his|her|their|my)|['’]s)\s+(\p{Ll}[\p{Ll}-]+)/gu;
const LATIN_NAME = /^\p{Script=Latin}/u;
const LIST_ITEMS = 5;
/** Hits that are looked through for the kind of thing that is asked for. */
const LOOKED_THROUGH = 3;

/** Share (0 to 1) of the stems of the question, without the people it names, that a text holds. */
function coverageOf(stems: readonly string[], text: string): number {
  if (stems.length === 0) return 1;
  const held = new Set(contentStems(text));
  return stems.filter((stem) => held.has(stem)).length / stems.length;
}

function abstain(plan: Plan, missing: string): AnswerOutput {
  const reason =
    detectLanguage(plan.question) === "zh"
      ? `记忆中没有关于“${missing}”的内容。`
      : `Nothing that is remembered speaks of ${missing}.`;
  return { answer: "", abstained: true, reason, confidence: 0, citedIds: [] };
}

interface Judged {
  readonly hit: Hit;
  readonly coverage: number;
}

interface Asked {
  readonly plan: Plan;
  readonly timeZone: string;
  /** Telling words of the question without the people it names. */
  readonly stems: readonly string[];
}

function spanOf(hit: Hit, { plan, timeZone, stems }: Asked): string | null {
  const sentence = bestSentence(hit, (text) => coverageOf(stems, text));
  switch (plan.questionType) {
    case "when":
      return whenOf(hit, sentence, plan, timeZone);
    case "where":
      return whereOf(hit, sentence, plan, timeZone);
    case "who":
      return stems.length === 0 ? sentence : whoOf(hit, sentence, plan);
    case "count":
      return countOf(hit, sentence, stems, timeZone);
    case "yes_no":
      return yesOrNo(sentence, plan);
    default:
      return sentence;
  }
}

/**
 * Things that the question names by article or possessive: "the parrot", "Bram's sister". A paraphrase of a verb is common;
 * of the thing that is asked about it is not.
 */
function thingsOf(question: string): string[] {
  return [...question.matchAll(THING)].flatMap((match) => match[1] ?? []).filter((word) => !isStopWord(word));
}

/** Words that none of the hits holds. */
function unheard(words: readonly string[], hits: readonly Hit[]): string[] {
  const held = new Set(
    hits.flatMap((hit) =>
      contentStems([hit.text, hit.speaker, ...hit.persons, ...(hit.entry?.keywords ?? [])].join(" ")),
    ),
  );
  return words.filter((word) => contentStems(word).every((stem) => !held.has(stem)));
}

/** What the question asks about and nothing remembered holds; empty when there is evidence. */
function missingOf(plan: Plan, hits: readonly Hit[], isSure: boolean): string[] {
  const names = unheard(
    plan.entities.filter((name) => LATIN_NAME.test(name)),
    hits,
  );
  if (names.length > 0 || isSure) return names;
  return unheard(thingsOf(plan.question), hits);
}

function answerFrom(input: AnswerInput, judged: readonly Judged[], stems: readonly string[]): AnswerOutput {
  const { plan, timeZone } = input;
  const coverage = (text: string): number => coverageOf(stems, text);
  const best = judged[0];
  if (best === undefined) return abstain(plan, plan.keywords.join(" "));
  const confidence = Math.min(1, 0.5 * best.coverage + 0.5 * best.hit.score);
  if (plan.questionType === "list") {
    const items = judged.filter((one) => one.coverage >= best.coverage * 0.7).slice(0, LIST_ITEMS);
    const sentences = [...new Set(items.map(({ hit }) => bestSentence(hit, coverage)))];
    return {
      answer: sentences.join("\n"),
      abstained: false,
      confidence,
      citedIds: items.map(({ hit }) => hit.id),
    };
  }
  for (const { hit } of judged.slice(0, LOOKED_THROUGH)) {
    const span = spanOf(hit, { plan, timeZone, stems });
    if (span !== null) return { answer: span, abstained: false, confidence, citedIds: [hit.id] };
  }
  return {
    answer: bestSentence(best.hit, coverage),
    abstained: false,
    confidence: confidence / 2,
    citedIds: [best.hit.id],
  };
}

/**
 * Answers with a span of the best hit, by the type of the question. Abstains when no hit holds enough of the question's
 * telling words, or none is about the person asked about.
 */
export function createRuleAnswerer(): Answerer {
  return {
    async answer(input) {
      const { plan, hits } = input;
      const nameStems = new Set(plan.persons.flatMap((name) => contentStems(name)));
      const stems = plan.keywords.filter((stem) => !nameStems.has(stem));
      const isAbout = (hit: Hit): boolean => {
        const held = new Set(contentStems(`${hit.text} ${hit.persons.join(" ")} ${hit.speaker ?? ""}`));
        return nameStems.size === 0 || [...nameStems].some((stem) => held.has(stem));
      };
      const about = hits.filter(isAbout);
      if (about.length === 0) return abstain(plan, plan.persons.join(", ") || plan.question);
      const judged = about
        .map((hit) => ({ hit, coverage: coverageOf(stems, `${hit.text} ${hit.entry?.keywords.join(" ") ?? ""}`) }))
        .sort((a, b) => b.coverage + b.hit.score - (a.coverage + a.hit.score));
      const strong = judged.filter((one) => one.coverage >= COVERAGE_FLOOR);
      if (strong.length === 0) {
        const absent = stems.filter((stem) => about.every((hit) => coverageOf([stem], hit.text) === 0));
        return abstain(plan, (absent.length > 0 ? absent : stems).join(", "));
      }
      const isSure = strong.some((one) => one.coverage >= SURE_COVERAGE);
      const missing = missingOf(plan, about, isSure);
      if (missing.length > 0) return abstain(plan, missing.join(", "));
      return answerFrom(input, strong, stems);
    },
  };
}
