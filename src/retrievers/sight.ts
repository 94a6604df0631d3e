import { indexWords } from "../language/index.js";
import {
  believedAt,
  CURRENT_STATUSES,
  ENTRY_STATUSES,
  type EntryStatus,
  inUtc,
  type MemoryEntry,
  type MemoryFilter,
} from "../records/index.js";
import type { ExactScope, MemoryStore, ReadFilter } from "../store/index.js";
import { type Candidate, entryCandidate } from "./candidate.js";
import type { Profiles } from "./profile.js";

const ONCE_TRUE = [...CURRENT_STATUSES, "superseded", "done"] as const satisfies EntryStatus[];
const WITH_HISTORY = [...ONCE_TRUE, "archived"] as const satisfies EntryStatus[];

/** What has happened belongs to what is told in order, also where nothing is left to do about it. */
const HAPPENED = [...CURRENT_STATUSES, "done"] as const satisfies EntryStatus[];

/** What narrows a read in time and in status. */
export interface SightOptions {
  readonly scope: ExactScope;
  readonly filter?: MemoryFilter;
  readonly includeArchived?: boolean;
  readonly asOf?: string;
}

function defaultStatuses({ filter, includeArchived }: SightOptions): readonly EntryStatus[] {
  if (includeArchived === true) return WITH_HISTORY;
  return filter?.validAt === undefined ? CURRENT_STATUSES : ONCE_TRUE;
}

function statusesOf(options: SightOptions): readonly EntryStatus[] {
  const { status } = options.filter ?? {};
  if (status === undefined) return defaultStatuses(options);
  return typeof status === "string" ? [status] : status;
}

function heldAt({ validFrom, validTo }: MemoryEntry, moment: string): boolean {
  return (validFrom === null || validFrom <= moment) && (validTo === null || validTo > moment);
}

/**
 * What one read sees: entries in the statuses that it asks for, as they are, or as they were believed at `asOf`, and none that
 * had expired by then. What has expired reads as archived: a read that asks for archived entries sees it.
 *
 * Status, expiry and validity of a former state stand in no column: with `asOf` they are judged here, after the search.
 */
export class Sight {
  readonly #options: SightOptions;
  readonly #store: MemoryStore;
  readonly #statuses: ReadonlySet<EntryStatus>;
  readonly #moment: string;

  /** @param now ms since the epoch */
  constructor(store: MemoryStore, options: SightOptions, now: number) {
    this.#store = store;
    this.#options = options;
    this.#statuses = new Set(statusesOf(options));
    this.#moment = options.asOf === undefined ? new Date(now).toISOString() : inUtc(options.asOf);
  }

  /** What a search for entries may ask the store. */
  get entryFilter(): ReadFilter {
    const { filter, asOf } = this.#options;
    if (asOf !== undefined) {
      const { validAt: _judgedHere, ...rest } = filter ?? {};
      return { ...rest, status: ENTRY_STATUSES };
    }
    const expiry = this.#statuses.has("archived") ? {} : { unexpiredAt: this.#moment };
    return { ...filter, status: [...this.#statuses], ...expiry };
  }

  /** What a search for turns may ask the store: nothing that was said after `asOf`. */
  get turnFilter(): ReadFilter {
    const { filter, asOf } = this.#options;
    if (asOf === undefined) return { ...filter };
    return { ...filter, anyOf: [{ before: new Date(Date.parse(this.#moment) + 1).toISOString() }] };
  }

  /** The time for which facts are asked, ISO 8601 in UTC. */
  get moment(): string {
    return this.#moment;
  }

  /** Of entries by their ids, those that were known, as they were; without `asOf` as they are. */
  async states(entries: readonly MemoryEntry[]): Promise<readonly MemoryEntry[]> {
    if (this.#options.asOf === undefined || entries.length === 0) return entries;
    const ids = [...new Set(entries.map(({ entryId }) => entryId))];
    const found = await this.#store.entries.histories(this.#options.scope, ids);
    return found.flatMap((one) => believedAt(one, this.#moment) ?? []);
  }

  /** True for an entry, in the state of that time, that the read may give. */
  sees(entry: MemoryEntry): boolean {
    const { asOf, filter } = this.#options;
    const isTrue = asOf === undefined || filter?.validAt === undefined || heldAt(entry, inUtc(filter.validAt));
    return this.#statuses.has(entry.status) && !this.isExpired(entry) && isTrue;
  }

  isExpired({ expiresAt }: MemoryEntry): boolean {
    return expiresAt !== null && expiresAt <= this.#moment && !this.#statuses.has("archived");
  }

  /** What was found, as it was then; a statement that has another wording now is weighed by the one that it had. */
  async candidates(found: readonly Candidate[], profiles: Profiles): Promise<Candidate[]> {
    if (this.#options.asOf === undefined) return [...found];
    const entries = found.flatMap(({ entry }) => entry ?? []);
    const then = new Map((await this.states(entries)).map((entry) => [entry.entryId, entry]));
    return found.flatMap((candidate) => {
      if (candidate.entry === undefined) return [candidate];
      const entry = then.get(candidate.entry.entryId);
      return entry === undefined || !this.sees(entry) ? [] : [inState(candidate, entry, profiles)];
    });
  }
}

function inState(candidate: Candidate, entry: MemoryEntry, profiles: Profiles): Candidate {
  const { views, cosine, vector, profile } = candidate;
  if (entry.losslessRestatement === candidate.text) {
    return { ...entryCandidate(entry, { profile, vector }), views, cosine };
  }
  const { own } = profiles.of({ words: indexWords(entry.losslessRestatement), contextWords: "", vector: null });
  return { ...entryCandidate(entry, { profile: { own, around: profile.around }, vector: null }), views };
}

/** As a read sees entries, and what was carried out besides. */
export function withHappened(store: MemoryStore, options: SightOptions, now: number): Sight {
  const { filter, includeArchived } = options;
  const statuses = includeArchived === true || filter?.validAt !== undefined ? {} : { status: HAPPENED };
  return new Sight(store, { ...options, filter: { ...statuses, ...filter } }, now);
}
