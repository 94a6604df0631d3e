import { contentStems } from "../../language/index.js";
import type { Reflector } from "./reflector.js";

/** Entities of the first hits that a second round may follow. */
const FOLLOWED = 3;

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
      if (plan.questionType !== "list" && plan.questionType !== "reason") {
        return { sufficient: true, missing: [], queries: [] };
      }
      const known = new Set(names.map((name) => name.toLowerCase()));
      const followed = [...new Set(hits.slice(0, FOLLOWED).flatMap((hit) => hit.entry?.entities ?? []))].filter(
        (name) => !known.has(name.toLowerCase()),
      );
      const queries = followed.slice(0, FOLLOWED).map((name) => `${name} ${plan.keywords.join(" ")}`);
      return { sufficient: queries.length === 0, missing: [], queries };
    },
  };
}
