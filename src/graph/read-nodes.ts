import { isGraphBubbleUp } from "@langchain/langgraph";
import { emptyUsage, type Hit, type Plan, type Usage } from "../records/index.js";
import { arrange } from "../retrievers/index.js";
import { readScopes } from "../store/index.js";
import { errorLine, withDeadline } from "./deadline.js";
import { indexForQuestion } from "./episodic-index.js";
import { KnownPersons } from "./known-persons.js";
import { type NodeRuntime, report } from "./progress.js";
import type { ReadStateType } from "./read-state.js";
import type { ReadServices } from "./services.js";

/** What a node changes; its `usage` is added. */
type ReadStep = Partial<ReadStateType>;

function stageContext(services: ReadServices, usage: Usage) {
  return { usage, logger: services.logger, now: services.clock };
}

/** Makes the plan: by rule, and by the model only where a rule says that the question needs it. */
export function createPlanNode(services: ReadServices) {
  const persons = new KnownPersons(services.store);
  return async (state: ReadStateType, runtime?: NodeRuntime): Promise<ReadStep> => {
    const usage = emptyUsage();
    const input = {
      question: state.question,
      recent: state.recent,
      knownPersons: await persons.of(state.scope),
      now: new Date(services.clock()).toISOString(),
      timeZone: services.timeZone,
    };
    const planning = state.options.planning ?? "auto";
    const call = (planner: ReadServices["planner"]): Promise<Plan> =>
      withDeadline("plan", services.limits.stageTimeoutMs, runtime?.signal, stageContext(services, usage), (run) =>
        planner.plan(input, run),
      );
    const byRule = await call(services.rulePlanner);
    const asksModel = planning === "always" || (planning === "auto" && services.needsModel(byRule, state.recent));
    const plan =
      asksModel && services.planner !== services.rulePlanner
        ? await planByModel(services, call, byRule, runtime?.signal)
        : byRule;
    report(runtime, { type: "planned", depth: plan.depth, source: plan.source });
    // Without planning there is one query, and so one vector.
    return { currentPlan: planning === "never" ? { ...plan, queries: [state.question] } : plan, usage };
  };
}

// A plan is a help, not a condition: when the model cannot make one, the rule's plan serves.
async function planByModel(
  services: ReadServices,
  call: (planner: ReadServices["planner"]) => Promise<Plan>,
  fallback: Plan,
  signal?: AbortSignal,
): Promise<Plan> {
  try {
    return await call(services.planner);
  } catch (error) {
    if (signal?.aborted === true || isGraphBubbleUp(error)) throw error;
    services.logger.warn("the question was planned by rules, since the model failed", { error: errorLine(error) });
    return fallback;
  }
}

/** Ids of raw turns are unique within a session only. */
function identity(hit: Hit): string {
  return `${hit.kind}\n${hit.sessionId}\n${hit.id}`;
}

/** What two rounds found, each thing once with its better score, best first. */
function unite(known: readonly Hit[], found: readonly Hit[]): Hit[] {
  const byIdentity = new Map(known.map((hit) => [identity(hit), hit]));
  for (const hit of found) {
    const old = byIdentity.get(identity(hit));
    if (old === undefined || hit.score > old.score) byIdentity.set(identity(hit), hit);
  }
  return [...byIdentity.values()].sort((left, right) => right.score - left.score);
}

/** Searches for the plan, or in later rounds for what the reflection missed. */
export function createRetrieveNode(services: ReadServices) {
  return async (state: ReadStateType, runtime?: NodeRuntime): Promise<ReadStep> => {
    const { currentPlan: plan, options } = state;
    if (plan === null) return {};
    const usage = emptyUsage();
    const started = services.clock();
    for (const scope of readScopes(state.scope)) await indexForQuestion(services, scope, state.question);
    const k = options.k ?? plan.depth;
    const isFirst = state.rounds === 0;
    const found = await services.retriever.retrieve({
      scope: state.scope,
      plan: isFirst ? plan : { ...plan, queries: state.nextQueries },
      views: options.views ?? services.defaultViews,
      k,
      usage,
      ...(options.filter === undefined ? {} : { filter: options.filter }),
      ...(options.includeArchived === undefined ? {} : { includeArchived: options.includeArchived }),
      ...(options.asOf === undefined ? {} : { asOf: options.asOf }),
      ...(options.order === undefined ? {} : { order: options.order }),
      ...(options.maxTokens === undefined ? {} : { maxTokens: options.maxTokens }),
      ...(runtime?.signal === undefined ? {} : { signal: runtime.signal }),
    });
    const hits = isFirst
      ? [...found.hits]
      : arrange(unite(state.hits, found.hits), { ...options, k }, services.countTokens);
    const before = new Set(state.hits.map(identity));
    const isNew = hits.some((hit) => !before.has(identity(hit)));
    usage.ms.retrieve = services.clock() - started;
    report(runtime, { type: "retrieved", round: state.rounds + 1, hits: hits.length });
    return {
      hits,
      rounds: state.rounds + 1,
      exhausted: !isNew && !isFirst,
      nextQueries: [],
      degraded: found.degraded ?? state.degraded,
      usage,
    };
  };
}

/** Judges coverage and asks for exactly what is missing; a simple question is taken as it is. */
export function createReflectNode(services: ReadServices) {
  return async (state: ReadStateType, runtime?: NodeRuntime): Promise<ReadStep> => {
    const { currentPlan: plan, hits } = state;
    const isOver = state.exhausted || state.rounds > services.limits.maxReflectionRounds;
    if (plan === null || isOver) return { nextQueries: [] };
    const usage = emptyUsage();
    try {
      const reflection = await withDeadline(
        "reflect",
        services.limits.stageTimeoutMs,
        runtime?.signal,
        stageContext(services, usage),
        (run) => services.reflector.reflect({ plan, hits }, run),
      );
      return { nextQueries: reflection.sufficient ? [] : [...reflection.queries], usage };
    } catch (error) {
      if (runtime?.signal?.aborted === true || isGraphBubbleUp(error)) throw error;
      services.logger.warn("the hits were taken as they are, since the reflection failed", {
        error: errorLine(error),
      });
      return { nextQueries: [], usage };
    }
  };
}
