import { contentStems, indexWords } from "../language/index.js";
import type { MemoryEntry } from "../records/index.js";
import {
  DimensionMismatchError,
  type Fact,
  type Hit,
  type Logger,
  type MemoryFilter,
  type Plan,
  type Usage,
  type View,
} from "../records/index.js";
import type { ExactScope, MemoryStore, Scored, WordBoosts } from "../store/index.js";
import { arrange } from "./arrange.js";
import { Breaker } from "./breaker.js";
import { type CandidateHit, entryCandidate, scoreOf, turnCandidate } from "./rank.js";

/** Candidates of each leg: several times what is kept, so that the ranking has something to choose from. */
const CANDIDATES_PER_HIT = 3;
const MIN_CANDIDATES = 60;
const BOOSTS: WordBoosts = Object.freeze({ words: 1, keywordWords: 0.6, contextWords: 0.3, personWords: 0.5 });
const CURRENT = ["active", "conflicted", "doubtful"] as const;
const WITH_HISTORY = [...CURRENT, "superseded", "done", "archived"] as const;

export interface HybridOptions {
  readonly store: MemoryStore;
  readonly embedQuery: (text: string) => Promise<number[]>;
  readonly countTokens: (text: string) => number;
  readonly logger: Logger;
  readonly clock: () => number;
  /** Milliseconds that one embedding may take; after it, the search goes on by words. */
  readonly embedTimeoutMs: number;
}

export interface RetrieveRequest {
  readonly scope: ExactScope;
  readonly plan: Plan;
  readonly views: readonly View[];
  readonly k: number;
  readonly usage: Usage;
  readonly filter?: MemoryFilter;
  readonly includeArchived?: boolean;
  readonly asOf?: string;
  readonly order?: "relevance" | "newest" | "oldest";
  readonly maxTokens?: number;
  readonly signal?: AbortSignal;
}

export interface Retrieved {
  readonly hits: readonly Hit[];
  /** Present when a leg was left out. */
  readonly degraded?: string;
}

export interface HybridRetriever {
  retrieve(request: RetrieveRequest): Promise<Retrieved>;
}

/** Candidates by identity: what several legs find is one candidate with several views. */
class Pool {
  readonly #byKey = new Map<string, CandidateHit>();

  note(candidate: CandidateHit, view: View, scores: { cosine?: number; lexical?: number }): void {
    const key = `${candidate.kind}\n${candidate.sessionId}\n${candidate.id}`;
    const known = this.#byKey.get(key) ?? candidate;
    known.views.add(view);
    known.cosine = Math.max(known.cosine, scores.cosine ?? 0);
    known.lexical = Math.max(known.lexical, scores.lexical ?? 0);
    this.#byKey.set(key, known);
  }

  all(): CandidateHit[] {
    return [...this.#byKey.values()];
  }
}

function notePairs<T>(
  pool: Pool,
  rows: readonly Scored<T>[],
  toCandidate: (row: T) => CandidateHit,
  view: View,
  measure: "cosine" | "lexical" | "none",
): void {
  const best = rows[0]?.score ?? 0;
  for (const { row, score } of rows) {
    const candidate = toCandidate(row);
    if (measure === "cosine") pool.note(candidate, view, { cosine: score });
    else if (measure === "lexical") pool.note(candidate, view, { lexical: best > 0 ? score / best : 0 });
    else pool.note(candidate, view, {});
  }
}

/** What a handle's filter and options mean for the rows of a leg. */
function entryFilter(request: RetrieveRequest): MemoryFilter {
  const history = request.includeArchived === true || request.asOf !== undefined;
  return { status: history ? WITH_HISTORY : CURRENT, ...request.filter };
}

function wasBelieved(entry: MemoryEntry, asOf: string): boolean {
  const moment = new Date(asOf).toISOString();
  return entry.mentionedAt <= moment && (entry.validTo === null || entry.validTo > moment);
}

function factCandidate(fact: Fact): CandidateHit {
  return {
    id: `fact:${fact.sessionId}:${fact.key}`,
    kind: "fact",
    text: `${fact.key}: ${fact.value}`,
    timestamp: fact.updatedAt,
    persons: [],
    speaker: null,
    sessionId: fact.sessionId,
    sourceIds: [],
    views: new Set(),
    cosine: 0,
    lexical: 0,
  };
}

// A filter on what only entries have leaves facts out; so does one on another session.
function admitsFacts(request: RetrieveRequest): boolean {
  const parts = Object.entries(request.filter ?? {}).filter(([, value]) => value !== undefined);
  return request.views.includes("lexical") && parts.every(([name]) => name === "sessionId");
}

class Retrieval {
  readonly pool = new Pool();
  degraded: string | undefined;
  readonly #limit: number;

  constructor(
    private readonly options: HybridOptions,
    private readonly breaker: Breaker,
    private readonly request: RetrieveRequest,
  ) {
    this.#limit = Math.max(MIN_CANDIDATES, request.k * CANDIDATES_PER_HIT);
  }

  async run(): Promise<void> {
    const { plan, views } = this.request;
    const queries = plan.queries.filter((query) => query.trim() !== "");
    if (queries.length === 0) return;
    await Promise.all([
      ...queries.map((query) => this.#byMeaning(query)),
      ...[...new Set(queries.map(indexWords))].map((words) => this.#byWords(words)),
      views.includes("symbolic") ? this.#byPredicate() : undefined,
      admitsFacts(this.request) ? this.#byKey() : undefined,
    ]);
  }

  async #byMeaning(query: string): Promise<void> {
    const { views, usage, scope } = this.request;
    const wanted = views.includes("semantic") || views.includes("episodic");
    if (!wanted || this.options.store.dimension === null) return;
    const vector = await this.#embed(query);
    if (vector === undefined) return;
    usage.embeddedTexts += 1;
    const { entries, chunks } = this.options.store;
    const [known, said] = await Promise.all([
      views.includes("semantic")
        ? entries.nearest(scope, vector, { limit: this.#limit, filter: entryFilter(this.request) })
        : [],
      views.includes("episodic") ? chunks.nearest(scope, vector, this.#chunkOptions()) : [],
    ]);
    notePairs(this.pool, known, entryCandidate, "semantic", "cosine");
    notePairs(this.pool, said, turnCandidate, "episodic", "cosine");
  }

  async #embed(query: string): Promise<number[] | undefined> {
    const { store, logger } = this.options;
    try {
      const vector = await this.breaker.run(() => this.options.embedQuery(query));
      const isUsable =
        Array.isArray(vector) &&
        vector.length > 0 &&
        vector.every(Number.isFinite) &&
        vector.some((value) => value !== 0);
      if (!isUsable) throw new Error("the embedder answered no usable vector");
      if (store.dimension !== null && vector.length !== store.dimension) {
        throw new DimensionMismatchError(
          `the query's vector has ${vector.length} numbers and the store's have ${store.dimension}; open the store with the embedder that made it.`,
          store.dimension,
          vector.length,
        );
      }
      return vector;
    } catch (error) {
      if (error instanceof DimensionMismatchError) throw error;
      this.degraded = `searched by words only: ${error instanceof Error ? error.message : String(error)}`;
      logger.warn("a search went on by words only", { error: String(error) });
      return undefined;
    }
  }

  async #byWords(words: string): Promise<void> {
    const { views, scope } = this.request;
    if (words === "") return;
    const { entries, chunks } = this.options.store;
    const [known, said] = await Promise.all([
      views.includes("lexical")
        ? entries.matching(scope, words, { limit: this.#limit, filter: entryFilter(this.request), boosts: BOOSTS })
        : [],
      views.includes("episodic") ? chunks.matching(scope, words, { ...this.#chunkOptions(), boosts: BOOSTS }) : [],
    ]);
    notePairs(this.pool, known, entryCandidate, "lexical", "lexical");
    notePairs(this.pool, said, turnCandidate, "episodic", "lexical");
  }

  async #byPredicate(): Promise<void> {
    const { plan, scope } = this.request;
    const base = entryFilter(this.request);
    const predicates: MemoryFilter[] = [
      ...(plan.entities.length > 0 ? [{ entities: plan.entities }] : []),
      ...(plan.location === null ? [] : [{ location: plan.location }]),
      ...(plan.persons.length > 0 ? [{ persons: plan.persons }] : []),
      ...(plan.timeRange === null
        ? []
        : [
            {
              ...(plan.timeRange.after === null ? {} : { after: plan.timeRange.after }),
              ...(plan.timeRange.before === null ? {} : { before: plan.timeRange.before }),
            },
          ]),
    ];
    const found = await Promise.all(
      predicates.map((part) =>
        this.options.store.entries.where(scope, { filter: { ...part, ...base }, limit: this.#limit }),
      ),
    );
    for (const entry of found.flat()) this.pool.note(entryCandidate(entry), "symbolic", {});
  }

  async #byKey(): Promise<void> {
    const { scope, plan, filter } = this.request;
    const facts = await this.options.store.facts.list(scope, {
      now: new Date(this.options.clock()).toISOString(),
      ...(filter?.sessionId === undefined ? {} : { sessionId: filter.sessionId }),
    });
    const asked = new Set(contentStems(plan.question));
    for (const fact of facts) {
      const words = contentStems(`${fact.key.replace(/[._-]/g, " ")} ${fact.value}`);
      const shared = words.filter((word) => asked.has(word)).length;
      if (shared > 0) this.pool.note(factCandidate(fact), "lexical", { lexical: shared / Math.max(1, asked.size) });
    }
  }

  #chunkOptions(): { limit: number; filter?: MemoryFilter } {
    const { filter, asOf } = this.request;
    const before = asOf === undefined ? {} : { before: new Date(Date.parse(asOf) + 1).toISOString() };
    return { limit: this.#limit, filter: { ...before, ...filter } };
  }
}

/** A turn that an entry stands on is not a second hit: it lends the entry its views and the better of the scores. */
function joinTurns(candidates: readonly CandidateHit[]): CandidateHit[] {
  const entriesOf = new Map<string, CandidateHit[]>();
  // Ids of turns are unique within a session only.
  const turnKey = (hit: CandidateHit, id: string): string => `${hit.sessionId}\n${id}`;
  for (const hit of candidates) {
    if (hit.kind !== "entry") continue;
    for (const id of hit.sourceIds) {
      const key = turnKey(hit, id);
      entriesOf.set(key, [...(entriesOf.get(key) ?? []), hit]);
    }
  }
  return candidates.filter((hit) => {
    if (hit.kind !== "turn") return true;
    const entries = entriesOf.get(turnKey(hit, hit.id));
    if (entries === undefined) return true;
    for (const entry of entries) {
      for (const view of hit.views) entry.views.add(view);
      entry.lexical = Math.max(entry.lexical, entries.length === 1 ? hit.lexical : 0);
      entry.cosine = Math.max(entry.cosine, entries.length === 1 ? hit.cosine : 0);
    }
    return false;
  });
}

function toHit(candidate: CandidateHit, score: number): Hit {
  const { id, kind, text, views, sourceIds, timestamp, persons, speaker, sessionId, entry } = candidate;
  return {
    id,
    kind,
    text,
    score,
    views: [...views],
    sourceIds,
    timestamp,
    persons,
    speaker,
    sessionId,
    ...(entry === undefined ? {} : { entry }),
  };
}

/**
 * Finds by all views at once, ranks by one weighted sum (rank.ts), joins what is one thing, and cuts at k and at the token
 * budget. A dead embedder costs its leg, never the search.
 */
export function createHybridRetriever(options: HybridOptions): HybridRetriever {
  const breaker = new Breaker({ timeoutMs: options.embedTimeoutMs, clock: options.clock });
  return {
    async retrieve(request) {
      request.signal?.throwIfAborted();
      const retrieval = new Retrieval(options, breaker, request);
      await retrieval.run();
      request.signal?.throwIfAborted();
      const { asOf } = request;
      const believed = retrieval.pool
        .all()
        .filter((hit) => asOf === undefined || hit.entry === undefined || wasBelieved(hit.entry, asOf));
      const scored = joinTurns(believed)
        .map((candidate) => toHit(candidate, scoreOf(candidate, request.plan)))
        .sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1));
      return {
        hits: arrange(scored, request, options.countTokens),
        ...(retrieval.degraded === undefined ? {} : { degraded: retrieval.degraded }),
      };
    },
  };
}
