import type { Fact, Facts, RecallOptions, RememberOptions } from "../records/index.js";
import { type ExactScope, factId, type MemoryStore } from "../store/index.js";
import { check, factKeySchema, factValueSchema, recallSchema, rememberSchema } from "./options.js";

const DEFAULT_CATEGORY = "general";

interface FactsContext {
  readonly store: MemoryStore;
  readonly scope: ExactScope;
  /** What may be read, beyond `scope`. */
  readonly reads: ExactScope;
  readonly sessionId: string;
  readonly clock: () => number;
  readonly redact: (text: string) => string;
  /** Runs a change alone, and not at all after `close`. */
  readonly exclusive: <T>(work: () => Promise<T>) => Promise<T>;
  readonly ensureOpen: () => void;
}

/** `*` stands for any run of characters; everything else for itself. */
function matcherOf(pattern: string | undefined): (key: string) => boolean {
  if (pattern === undefined) return () => true;
  if (!pattern.includes("*")) return (key) => key === pattern;
  const source = pattern
    .split("*")
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  const expression = new RegExp(`^${source}$`, "su");
  return (key) => expression.test(key);
}

/** The exact key-values of one handle. */
export class ScopedFacts implements Facts {
  constructor(private readonly context: FactsContext) {}

  async remember(key: string, value: string, options: RememberOptions = {}): Promise<Fact> {
    const { store, scope, sessionId, clock, redact, exclusive, ensureOpen } = this.context;
    ensureOpen();
    check(factKeySchema, key, "the key of a fact");
    check(factValueSchema, value, "the value of a fact");
    check(rememberSchema, options, "the options of facts.remember");
    return exclusive(async () => {
      const now = new Date(clock()).toISOString();
      const known = await store.facts.get(scope, sessionId, key);
      const stored = redact(value.toWellFormed());
      const isChange = known !== null && known.value !== stored;
      const fact: Fact = {
        key,
        value: stored,
        category: options.category ?? known?.category ?? DEFAULT_CATEGORY,
        sessionId,
        expiresAt: options.expiresAt === undefined ? null : new Date(options.expiresAt).toISOString(),
        history: [...(known?.history ?? []), ...(isChange ? [{ value: known.value, until: now }] : [])],
        createdAt: known?.createdAt ?? now,
        updatedAt: now,
      };
      await store.facts.put(scope, fact);
      return fact;
    });
  }

  async recall(pattern?: string, options: RecallOptions = {}): Promise<readonly Fact[]> {
    const { store, reads, sessionId, clock, ensureOpen } = this.context;
    ensureOpen();
    check(recallSchema, options, "the options of facts.recall");
    const facts = await store.facts.list(reads, {
      now: new Date(clock()).toISOString(),
      ...(options.sessions === "all" ? {} : { sessionId }),
      ...(options.category === undefined ? {} : { category: options.category }),
    });
    const matches = matcherOf(pattern);
    return facts.filter((fact) => matches(fact.key));
  }

  list(options: RecallOptions = {}): Promise<readonly Fact[]> {
    return this.recall(undefined, options);
  }

  async forget(key: string): Promise<boolean> {
    const { store, scope, sessionId, exclusive, ensureOpen } = this.context;
    ensureOpen();
    check(factKeySchema, key, "the key of a fact");
    return exclusive(async () => {
      const known = await store.facts.get(scope, sessionId, key);
      if (known !== null) await store.tombstones.buryMade(scope, "fact", [factId(known)]);
      return store.facts.remove(scope, sessionId, key);
    });
  }
}
