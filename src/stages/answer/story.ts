import type { Hit, Plan } from "../../records/index.js";
import type { AnswerOutput } from "./answerer.js";
import type { Asked } from "./asked.js";
import { names } from "./evidence.js";

/** Events of a chain that are told. */
const TOLD_EVENTS = 4;
const CONFIDENCE = 0.4;

function happenedAt({ timestamp }: Hit): string {
  return timestamp ?? "";
}

/** The later events of a chain in the order of time; see src/retrievers/afterwards.ts. */
function linked(hits: readonly Hit[]): readonly Hit[] {
  const chain = hits.filter(({ features }) => features?.linked !== undefined);
  return chain.toSorted((left, right) => (happenedAt(left) < happenedAt(right) ? -1 : 1));
}

/** The newest of what is known of someone, when nothing else is asked. */
function newsOf({ persons, entities }: Plan, hits: readonly Hit[]): readonly Hit[] {
  const isAbout = ({ text, persons: named }: Hit): boolean =>
    [...persons, ...entities].some((name) => names(`${text} ${named.join(" ")}`, name));
  const about = hits.filter(isAbout).toSorted((left, right) => (happenedAt(left) < happenedAt(right) ? 1 : -1));
  return about.slice(0, 1);
}

function toldBy({ plan, stems }: Asked, hits: readonly Hit[]): readonly Hit[] {
  if (plan.sequence === "outcome") return linked(hits).slice(-1);
  if (plan.sequence === "afterwards") return linked(hits).slice(0, TOLD_EVENTS);
  return plan.sequence === "latest" && stems.size === 0 ? newsOf(plan, hits) : [];
}

/** What followed, how it came out, or the latest of someone, in the words in which it was told; null where that is not asked or known. */
export function storyOf(asked: Asked, hits: readonly Hit[]): AnswerOutput | null {
  const told = toldBy(asked, hits);
  if (told.length === 0) return null;
  const answer = told.map(({ text }) => text).join(asked.language === "zh" ? "" : " ");
  return { answer, abstained: false, confidence: CONFIDENCE, citedIds: told.map(({ id }) => id) };
}
