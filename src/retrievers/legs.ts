import { contentStems, indexWords } from "../language/index.js";
import {
  DimensionMismatchError,
  type Fact,
  factAt,
  type Logger,
  type MemoryEntry,
  type MemoryFilter,
  type Plan,
  type Usage,
  type View,
} from "../records/index.js";
import {
  cosineTo,
  type ExactScope,
  type Found,
  type IndexedText,
  type MemoryStore,
  type ReadFilter,
  type WordBoosts,
} from "../store/index.js";
import type { Breaker } from "./breaker.js";
import { type Candidate, type Content, entryCandidate, Pool, turnCandidate } from "./candidate.js";
import type { Profiles } from "./profile.js";
import type { Sight } from "./sight.js";

/**
 * Candidates of each leg: many times what is kept, since who said it, when, and what was said around it only count in the
 * ranking. With a third of them, one evidence in a hundred is not found among the first five. Of entries half as many: others
 * come in by their turns.
 */
const CANDIDATES_PER_HIT = 5;
const MIN_CANDIDATES = 300;
/** The newest rows that a predicate holds for; the other views rank them, too. */
const MAX_SYMBOLIC = 40;
/** Who is named is no word to look for: it holds for half of all rows, and counts in the ranking. */
const ENTRY_BOOSTS: WordBoosts = Object.freeze({ words: 1, keywordWords: 0.6, contextWords: 0.4 });
const TURN_BOOSTS: WordBoosts = Object.freeze({ words: 1, contextWords: 0.4 });

export interface LegServices {
  readonly store: MemoryStore;
  readonly embedQuery: (text: string) => Promise<number[]>;
  /**
   * @throws DimensionMismatchError when another embedder made the store's vectors, and SimpleMemError while they are made anew
   */
  readonly ensureComparable: () => Promise<void>;
  readonly logger: Logger;
  readonly clock: () => number;
  readonly breaker: Breaker;
  readonly profiles: Profiles;
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

/** What one query found. */
export interface Harvest {
  readonly query: string;
  /** Absent where no embedder told it. */
  readonly vector: readonly number[] | undefined;
  readonly candidates: Candidate[];
}

/** What the legs found together. */
export interface Harvested {
  readonly harvests: readonly Harvest[];
  readonly facts: readonly { readonly fact: Fact; readonly share: number }[];
  readonly degraded?: string;
}

// A filter on what only entries have leaves facts out; so does one on another session.
function admitsFacts(request: RetrieveRequest): boolean {
  const parts = Object.entries(request.filter ?? {}).filter(([, value]) => value !== undefined);
  return request.views.includes("lexical") && parts.every(([name]) => name === "sessionId");
}

/** What the plan names, most telling first. Persons alone hold for too much: they are asked for when nothing else is named. */
function predicatesOf({ entities, location, persons, timeRange }: Plan): MemoryFilter[] {
  const named: MemoryFilter[] = [];
  if (entities.length > 0) named.push({ entities });
  if (location !== null) named.push({ location });
  if (timeRange !== null) {
    const { after, before } = timeRange;
    named.push({ ...(after === null ? {} : { after }), ...(before === null ? {} : { before }) });
  }
  return named.length === 0 && persons.length > 0 ? [{ persons }] : named;
}

/** Of queries that ask for the same words, the shortest: what it leaves out only asks. */
export function distinctQueries(queries: readonly string[]): string[] {
  const byWords = new Map<string, string>();
  for (const query of queries.filter((one) => one.trim() !== "")) {
    const words = indexWords(query);
    const known = byWords.get(words);
    if (known === undefined || query.length < known.length) byWords.set(words, query);
  }
  return [...byWords.values()];
}

function isUsable(vector: unknown): vector is number[] {
  return (
    Array.isArray(vector) && vector.length > 0 && vector.every(Number.isFinite) && vector.some((value) => value !== 0)
  );
}

/** Gathers candidates by all views that are asked for, at once. A dead embedder costs its leg, never the search. */
class Gathering {
  degraded: string | undefined;
  readonly #limit: number;
  readonly #entryLimit: number;

  constructor(
    private readonly services: LegServices,
    private readonly request: RetrieveRequest,
    private readonly sight: Sight,
  ) {
    this.#limit = Math.max(MIN_CANDIDATES, request.k * CANDIDATES_PER_HIT);
    this.#entryLimit = Math.ceil(this.#limit / 2);
  }

  async run(): Promise<Harvested> {
    const queries = distinctQueries(this.request.plan.queries);
    if (queries.length === 0) return { harvests: [], facts: [] };
    const [harvests, symbolic, facts] = await Promise.all([
      Promise.all(queries.map((query) => this.#ofQuery(query))),
      this.#byPredicate(),
      this.#byKey(),
    ]);
    const united = harvests.map(({ query, vector, pool }) => {
      this.#noteAll(pool, symbolic, entryCandidate, "symbolic", false);
      return { query, vector, candidates: withCosines(pool.all(), vector) };
    });
    return { harvests: united, facts, ...(this.degraded === undefined ? {} : { degraded: this.degraded }) };
  }

  async #ofQuery(query: string): Promise<{ query: string; vector: number[] | undefined; pool: Pool }> {
    const pool = new Pool();
    const [vector] = await Promise.all([this.#byMeaning(query, pool), this.#byWords(indexWords(query), pool)]);
    return { query, vector, pool };
  }

  async #byMeaning(query: string, pool: Pool): Promise<number[] | undefined> {
    const { views, usage, scope } = this.request;
    const wanted = views.includes("semantic") || views.includes("episodic");
    if (!wanted || this.services.store.dimension === null) return undefined;
    const vector = await this.#embed(query);
    if (vector === undefined) return undefined;
    usage.embeddedTexts += 1;
    const { entries, chunks } = this.services.store;
    const known = views.includes("semantic")
      ? entries.nearest(scope, vector, { limit: this.#entryLimit, filter: this.sight.entryFilter })
      : [];
    const said = views.includes("episodic") ? chunks.nearest(scope, vector, this.#chunkOptions()) : [];
    this.#noteAll(pool, await known, entryCandidate, "semantic", true);
    this.#noteAll(pool, await said, turnCandidate, "episodic", true);
    return vector;
  }

  async #embed(query: string): Promise<number[] | undefined> {
    const { store, logger, breaker } = this.services;
    try {
      await this.services.ensureComparable();
      const vector = await breaker.run(async () => {
        const answer = await this.services.embedQuery(query);
        if (!isUsable(answer)) throw new Error("the embedder answered no usable vector");
        return answer;
      });
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

  async #byWords(words: string, pool: Pool): Promise<void> {
    const { views, scope } = this.request;
    if (words === "") return;
    const { entries, chunks } = this.services.store;
    const [known, said] = await Promise.all([
      views.includes("lexical")
        ? entries.matching(scope, words, {
            limit: this.#entryLimit,
            boosts: ENTRY_BOOSTS,
            filter: this.sight.entryFilter,
          })
        : [],
      views.includes("episodic") ? chunks.matching(scope, words, { boosts: TURN_BOOSTS, ...this.#chunkOptions() }) : [],
    ]);
    this.#noteAll(pool, known, entryCandidate, "lexical", false);
    this.#noteAll(pool, said, turnCandidate, "episodic", false);
  }

  async #byPredicate(): Promise<readonly Found<MemoryEntry>[]> {
    const { scope, views } = this.request;
    if (!views.includes("symbolic")) return [];
    const base = this.sight.entryFilter;
    const limit = Math.min(this.#limit, MAX_SYMBOLIC);
    const found = await Promise.all(
      predicatesOf(this.request.plan).map((part) =>
        this.services.store.entries.where(scope, { filter: { ...part, ...base }, limit }),
      ),
    );
    return found.flat();
  }

  async #byKey(): Promise<{ fact: Fact; share: number }[]> {
    const { scope, plan, filter, asOf } = this.request;
    if (!admitsFacts(this.request)) return [];
    const facts = await this.services.store.facts.list(scope, {
      now: this.sight.moment,
      ...(filter?.sessionId === undefined ? {} : { sessionId: filter.sessionId }),
    });
    const asked = new Set(contentStems(plan.question));
    const standing = asOf === undefined ? facts : facts.flatMap((fact) => factAt(fact, this.sight.moment) ?? []);
    return standing.flatMap((fact) => {
      const words = contentStems(`${fact.key.replace(/[._-]/g, " ")} ${fact.value}`);
      const shared = words.filter((word) => asked.has(word)).length;
      return shared === 0 ? [] : [{ fact, share: Math.min(1, shared / asked.size) }];
    });
  }

  #noteAll<T extends object>(
    pool: Pool,
    found: readonly Found<T>[],
    toCandidate: (row: T, content: Content) => Candidate,
    view: View,
    isCosine: boolean,
  ): void {
    for (const { row, score, index } of found) {
      pool.note(row, () => toCandidate(row, this.#contentOf(index)), view, isCosine ? score : null);
    }
  }

  #contentOf(index: IndexedText): Content {
    return { profile: this.services.profiles.of(index), vector: index.vector };
  }

  #chunkOptions(): { limit: number; filter: ReadFilter } {
    return { limit: this.#limit, filter: this.sight.turnFilter };
  }
}

/** What other views found is compared as well. */
function withCosines(candidates: Candidate[], vector: number[] | undefined): Candidate[] {
  if (vector === undefined) return candidates;
  const likeness = cosineTo(vector);
  for (const candidate of candidates) {
    if (candidate.vector !== null) candidate.cosine ??= likeness(candidate.vector);
  }
  return candidates;
}

export function gather(services: LegServices, request: RetrieveRequest, sight: Sight): Promise<Harvested> {
  return new Gathering(services, request, sight).run();
}
