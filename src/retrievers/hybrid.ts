import { englishWordTable, WordLikeness } from "../models/index.js";
import { type Hit, type Logger, VIEWS } from "../records/index.js";
import type { MemoryStore } from "../store/index.js";
import { withWhatFollowed } from "./afterwards.js";
import { arrange } from "./arrange.js";
import { Breaker } from "./breaker.js";
import { type Candidate, factCandidate } from "./candidate.js";
import { newestAhead } from "./latest.js";
import { gather, type Harvested, type RetrieveRequest } from "./legs.js";
import { bestOfEach, joinMoments, turnsWithoutEntries, withEntries } from "./moments.js";
import { Profiles } from "./profile.js";
import { partsOf, queryView, type Ranked, rank, scoreOfSum } from "./rank.js";
import { Sight } from "./sight.js";
import { withSuccessors } from "./successors.js";
import { NO_SPREAD, StatisticsCache } from "./word-statistics.js";

export type { RetrieveRequest } from "./legs.js";

export interface HybridOptions {
  readonly store: MemoryStore;
  readonly embedQuery: (text: string) => Promise<number[]>;
  /** Throws when a query's vector cannot be compared with the store's. Default: they can be. */
  readonly ensureComparable?: () => Promise<void>;
  readonly countTokens: (text: string) => number;
  readonly logger: Logger;
  readonly clock: () => number;
  /** Milliseconds that one embedding may take; after it, the search goes on by words. */
  readonly embedTimeoutMs: number;
}

export interface Retrieved {
  readonly hits: readonly Hit[];
  /** Present when a leg was left out. */
  readonly degraded?: string;
}

export interface HybridRetriever {
  retrieve(request: RetrieveRequest): Promise<Retrieved>;
}

/** An exact key that has all words of the question is worth as much as the best entry. */
const FACT_SUM = 3;
/** Turns whose entries are looked up, beyond those that are kept. */
const SPARE_TURNS = 10;

/** True when entries may stand for turns: a filter that a turn passed need not hold for its entries. */
function joinsEntries({ views, filter }: RetrieveRequest): boolean {
  const parts = Object.entries(filter ?? {}).filter(([, value]) => value !== undefined);
  return (views.includes("semantic") || views.includes("lexical")) && parts.every(([name]) => name === "sessionId");
}

function rounded(parts: ReturnType<typeof partsOf>): { [feature: string]: number } {
  const kept = Object.entries(parts).map(([name, value]) => [name, Math.round(value * 1e4) / 1e4] as const);
  return Object.fromEntries(kept.filter(([, value]) => value !== 0));
}

function toHit(ranked: Ranked): Hit {
  const { candidate, sum } = ranked;
  const { id, kind, text, views, sourceIds, timestamp, persons, speaker, sessionId, entry } = candidate;
  return {
    id,
    kind,
    text,
    score: scoreOfSum(sum),
    views: VIEWS.filter((view) => views.has(view)),
    sourceIds,
    timestamp,
    persons,
    speaker,
    sessionId,
    features: rounded(partsOf(ranked)),
    ...(entry === undefined ? {} : { entry }),
  };
}

// Who asks for a time asks for what was true then, whatever became of it.
function asTrueThen(one: Ranked): Ranked {
  const { retired = 0, ...extra } = one.extra;
  return { ...one, extra, sum: one.sum - retired };
}

// Squared: a key that shares one word of two is mostly about something else.
function rankedFacts({ facts }: Harvested): Ranked[] {
  return facts.map(({ fact, share }) => {
    const key = FACT_SUM * share ** 2;
    return { candidate: factCandidate(fact), sum: key, extra: { key } };
  });
}

/**
 * Finds by all views at once, ranks by one weighted sum (rank.ts), joins what is one thing, and cuts at k and at the token
 * budget. A dead embedder costs its leg, never the search.
 */
export function createHybridRetriever(options: HybridOptions): HybridRetriever {
  const { store, clock, countTokens } = options;
  let kept = new Profiles();
  const ensureComparable = options.ensureComparable ?? (async () => {});
  const services = { ...options, ensureComparable, breaker: new Breaker({ timeoutMs: options.embedTimeoutMs, clock }) };
  const statisticsOf = new StatisticsCache(store);
  const likeness = new WordLikeness(englishWordTable());

  function currentProfiles(): Profiles {
    if (kept.isFull) kept = new Profiles();
    return kept;
  }

  async function rankAll(request: RetrieveRequest, harvested: Harvested, profiles: Profiles, sight: Sight) {
    const statistics = await statisticsOf.of(request.scope);
    const knowledge = { statistics, likeness, profiles };
    const rankings = await Promise.all(
      harvested.harvests.map(async ({ query, vector, candidates }) => {
        const seen = await sight.candidates(candidates, profiles);
        const spread = vector === undefined ? NO_SPREAD : statistics.spread(vector);
        const ranked = rank(seen, queryView(request.plan, query, seen, knowledge), spread);
        return request.filter?.validAt === undefined ? ranked : ranked.map(asTrueThen);
      }),
    );
    const ranked = bestOfEach(rankings);
    if (!joinsEntries(request)) return joinMoments(ranked);
    const joined = joinMoments(await joinedByEntries(ranked, request, sight));
    const { sessionId } = request.filter ?? {};
    return withSuccessors(joined, request.k, {
      find: async (ids) => sight.states(await store.entries.byIds(request.scope, ids)),
      sees: (entry) => sight.sees(entry) && (sessionId === undefined || entry.sessionId === sessionId),
    });
  }

  /** Turns with the entries that stand on them. Where expired ones go, others come to the front, and are looked up, too. */
  async function joinedByEntries(ranked: Ranked[], { scope, k }: RetrieveRequest, sight: Sight): Promise<Ranked[]> {
    const looked = new Set<Candidate>();
    for (let joined = ranked; ; ) {
      const bare = turnsWithoutEntries(joined, k + SPARE_TURNS).filter((turn) => !looked.has(turn));
      if (bare.length === 0) return joined;
      for (const turn of bare) looked.add(turn);
      const ids = bare.map(({ id }) => id);
      const entries = await sight.states(await store.entries.bySources(scope, ids));
      joined = withEntries(joined, entries, sight);
      if (!entries.some((entry) => sight.isExpired(entry))) return joined;
    }
  }

  /** Where the question looks at an order of events. Other questions cost nothing here. */
  async function inSequence(ranked: Ranked[], request: RetrieveRequest, sight: Sight): Promise<readonly Ranked[]> {
    const { sequence } = request.plan;
    if (sequence === undefined) return ranked;
    if (sequence === "latest") return newestAhead(ranked, request.plan, sight.moment);
    return request.views.includes("symbolic") ? withWhatFollowed(ranked, request, store, clock()) : ranked;
  }

  return {
    async retrieve(request) {
      request.signal?.throwIfAborted();
      const profiles = currentProfiles();
      const sight = new Sight(store, request, clock());
      const harvested = await gather({ ...services, profiles }, request, sight);
      request.signal?.throwIfAborted();
      const ranked = [...(await rankAll(request, harvested, profiles, sight)), ...rankedFacts(harvested)];
      const inOrder = ranked.sort((left, right) => right.sum - left.sum);
      const best = (await inSequence(inOrder, request, sight)).slice(0, request.k);
      const { degraded } = harvested;
      // Records are shared by all who find them: who gets a hit may do with it what he likes.
      const hits = structuredClone(arrange(best.map(toHit), request, countTokens));
      return { hits, ...(degraded === undefined ? {} : { degraded }) };
    },
  };
}
