import { shortened } from "../language/shortened.js";
import { type Fact, factHitId, type Hit } from "../records/index.js";
import { renderContextBlock } from "../retrievers/index.js";
import { FACT_TOKENS, type InjectionBudget } from "./injection-budget.js";

const FACT_CHARACTERS = 200;

export interface InjectionInput {
  /** What was found, best first. */
  readonly hits: readonly Hit[];
  /** The session's facts. */
  readonly facts: readonly Fact[];
  readonly budget: InjectionBudget;
  /** Tokens that the window still has. */
  readonly left: number;
  readonly countTokens: (text: string) => number;
}

function factHit(fact: Fact): Hit {
  return {
    id: factHitId(fact),
    kind: "fact",
    text: shortened(`${fact.key}: ${fact.value}`, FACT_CHARACTERS),
    score: 1,
    views: [],
    sourceIds: [],
    timestamp: null,
    persons: [],
    speaker: null,
    sessionId: fact.sessionId,
  };
}

/** The latest first: when not all fit, the newest are kept. */
function newestFirst(facts: readonly Fact[]): Fact[] {
  return [...facts].sort((left, right) => (left.updatedAt < right.updatedAt ? 1 : -1));
}

/** The block that is injected into one request: the session's facts, then the memories; "" when nothing fits. */
export function renderInjection(input: InjectionInput): string {
  const { budget, left, countTokens } = input;
  if (left <= 0) return "";
  const facts = newestFirst(input.facts).map(factHit);
  const kept = renderContextBlock(facts, { maxTokens: Math.min(FACT_TOKENS, left), countTokens });
  const known = new Set(facts.map((fact) => fact.id));
  const items = input.hits
    .filter((hit) => !known.has(hit.id))
    .slice(0, budget.items)
    .map((hit) => ({ ...hit, text: shortened(hit.text, budget.charactersPerItem) }));
  const room = Math.min(budget.tokens, left - (kept.text === "" ? 0 : countTokens(kept.text)));
  const { used } = renderContextBlock(items, { maxTokens: room, countTokens });
  return renderContextBlock([...kept.used, ...used], { maxTokens: left, countTokens }).text;
}
