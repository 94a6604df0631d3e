import { contentStems } from "../../language/index.js";
import type { Hit } from "../../records/index.js";
import type { Reflector } from "./reflector.js";

/** Entities of the first hits that a second round may follow. */
const FOLLOWED = 3;

/** Complexity from which a question joins several facts. */
const JOINS_FROM = 0.5;

/** Who and what a hit names, besides the one who says it. */
function namedBy({ entry, persons, speaker }: Hit): string[] {
  return [...(entry?.entities ?? []), ...persons.filter((name) => name !== speaker)];
}

/** True when the name is one of the known names, or the first or last name of one. */
function isPartOf(name: string, known: readonly string[]): boolean {
  const parts = new Set(known.flatMap((one) => one.toLowerCase().split(/\s+/u)));
  return name
    .toLowerCase()
    .split(/\s+/u)
    .some((part) => parts.has(part));
}

/**
 * Asks whether the hits hold every person and telling word of the plan. What is missing becomes a query; when nothing is,
 * and the question joins several facts, the people and things of the first hits are followed one step.
 */
export function createRuleReflector(): Reflector {
  return {
    async reflect({ plan, hits }) {
      const found = new Set(hits.flatMap((hit) => contentStems(`${hit.text} ${hit.persons.join(" ")}`)));
      const names = [...plan.persons, ...plan.entities];
      const missing = [
        ...names.filter((name) => !contentStems(name).every((stem) => found.has(stem))),
        ...plan.keywords.filter((stem) => !found.has(stem)),
      ];
      if (missing.length > 0) return { sufficient: false, missing, queries: [missing.join(" ")] };
      const joins = plan.questionType === "list" || plan.questionType === "reason" || plan.complexity >= JOINS_FROM;
      if (!joins) {
        return { sufficient: true, missing: [], queries: [] };
      }
      const known = new Set(names.map((name) => name.toLowerCase()));
      const followed = [...new Set(hits.slice(0, FOLLOWED).flatMap(namedBy))].filter(
        (name) => !known.has(name.toLowerCase()) && !isPartOf(name, names),
      );
      const queries = followed.slice(0, FOLLOWED).map((name) => `${name} ${plan.keywords.join(" ")}`);
      return { sufficient: queries.length === 0, missing: [], queries };
    },
  };
}
