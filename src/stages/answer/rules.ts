import { contentStems, detectLanguage } from "../../language/index.js";
import type { Hit, Plan } from "../../records/index.js";
import type { Answerer, AnswerInput, AnswerOutput } from "./answerer.js";
import { bestSentence, countOf, whenOf, whereOf, whoOf, yesOrNo } from "./spans.js";

/** Share of the question's telling words that the best hit must hold. Below it there is no evidence, only likeness. */
const COVERAGE_FLOOR = 0.34;
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

function spanOf(hit: Hit, plan: Plan, timeZone: string, coverage: (text: string) => number): string | null {
  switch (plan.questionType) {
    case "when":
      return whenOf(hit, plan, timeZone);
    case "where":
      return whereOf(hit);
    case "who":
      return whoOf(hit, plan);
    case "count":
      return countOf(hit, timeZone);
    case "yes_no":
      return yesOrNo(hit, plan);
    default:
      return bestSentence(hit, coverage);
  }
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
    const span = spanOf(hit, plan, timeZone, coverage);
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
        const unheard = stems.filter((stem) => about.every((hit) => coverageOf([stem], hit.text) === 0));
        return abstain(plan, (unheard.length > 0 ? unheard : stems).join(", "));
      }
      return answerFrom(input, strong, stems);
    },
  };
}
