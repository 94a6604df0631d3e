import { contentStems } from "../language/index.js";
import type { MemoryEntry, Plan } from "../records/index.js";
import type { EventPage, MemoryStore, ReadFilter } from "../store/index.js";
import { type Candidate, entryCandidate } from "./candidate.js";
import type { RetrieveRequest } from "./legs.js";
import type { Ranked } from "./rank.js";
import { type Sight, withHappened } from "./sight.js";
import { samePerson } from "./speakers.js";

/** Hits among which the event is looked for that the question starts from. */
const LOOKED_THROUGH = 30;
/** Share of a query's telling words that the event must hold. */
const TOLD_SHARE = 0.5;
/** What parts two links of the chain in the ranking: enough to keep their order. */
const STEP = 0.01;
/** Words with which one asks for what followed, and for whom: they tell of no event. */
const ASKING = new Set(
  contentStems(
    "what happened happen happens go goes went gone come came end ended turn turned work worked out become became finish finally after " +
      "afterwards since then next later thing things story tell follow continue case customer client person man woman company " +
      "后来 然后 之后 接下来 随后 结果 最后 最终 结局 怎么 怎么样 怎样 如何 发生 发生了 事 事情 什么 那个 那位 那家 客户 顾客 客人 公司 他 她",
  ),
);

function sharesName(names: readonly string[], { persons, entities }: MemoryEntry): boolean {
  return names.some((name) => [...persons, ...entities].some((known) => samePerson(known, name)));
}

function entriesAmong(ranked: readonly Ranked[]): MemoryEntry[] {
  return ranked.slice(0, LOOKED_THROUGH).flatMap(({ candidate }) => candidate.entry ?? []);
}

/** How much of what one of the queries tells of an event the entry says, 0 to 1. */
function toldShare({ losslessRestatement }: MemoryEntry, { queries }: Plan, names: readonly string[]): number {
  const held = new Set(contentStems(losslessRestatement));
  const named = new Set(names.flatMap((name) => contentStems(name)));
  const shares = queries.map((query) => {
    const telling = [...new Set(contentStems(query))].filter((stem) => !ASKING.has(stem) && !named.has(stem));
    return telling.length === 0 ? 0 : telling.filter((stem) => held.has(stem)).length / telling.length;
  });
  return Math.max(0, ...shares);
}

/** The event after which the question asks, of those that were found: the one that says most of what the queries tell. */
function eventAmong(entries: readonly MemoryEntry[], plan: Plan, names: readonly string[]): MemoryEntry | null {
  const told = entries
    .filter((entry) => names.length === 0 || sharesName(names, entry))
    .map((entry) => ({ entry, share: toldShare(entry, plan, names) }))
    .filter(({ share }) => share >= TOLD_SHARE)
    .sort((left, right) => right.share - left.share);
  return told[0]?.entry ?? null;
}

/** Whom and what the chain is about, in every spelling that was found. */
interface Subject {
  readonly persons: readonly string[];
  readonly entities: readonly string[];
}

function spelt(names: readonly string[], found: readonly string[]): readonly string[] {
  return [...new Set([...names, ...found.filter((known) => names.some((name) => samePerson(known, name)))])];
}

function subjectOf(plan: Plan, entries: readonly MemoryEntry[], event: MemoryEntry | null): Subject {
  const names = [...plan.persons, ...plan.entities];
  if (names.length > 0) {
    return {
      persons: spelt(
        names,
        entries.flatMap((entry) => entry.persons),
      ),
      entities: spelt(
        names,
        entries.flatMap((entry) => entry.entities),
      ),
    };
  }
  if (event === null) return { persons: [], entities: [] };
  // Who tells of it takes part in everything that he tells.
  return { persons: event.persons.filter((name) => !samePerson(name, event.speaker)), entities: event.entities };
}

function timeOf({ timestamp, mentionedAt }: MemoryEntry): string {
  return timestamp ?? mentionedAt;
}

/** What may link the chain, the most telling first: its people and things, else the topic, else the conversation in which it was told. */
function linksOf({ persons, entities }: Subject, event: MemoryEntry | null): readonly (readonly ReadFilter[])[] {
  const since = event === null ? {} : { after: timeOf(event) };
  const named: ReadFilter[] = [];
  if (persons.length > 0) named.push({ persons, ...since });
  if (entities.length > 0) named.push({ entities, ...since });
  if (named.length > 0) return [named];
  if (event === null) return [];
  const { topic, sessionId } = event;
  return [...(topic === null ? [] : [[{ topic, ...since }]]), [{ sessionId, ...since }]];
}

/** Entries that hold one of the links, by event time; more are read where the read does not see some of them. */
async function linkedEntries(
  store: MemoryStore,
  { scope, plan, k }: RetrieveRequest,
  sight: Sight,
  links: readonly ReadFilter[],
): Promise<readonly MemoryEntry[]> {
  const filter = { ...sight.entryFilter, anyOf: links };
  const seen: MemoryEntry[] = [];
  const descending = plan.sequence === "outcome";
  let next: { readonly cursor?: string } = {};
  do {
    const { items, cursor }: EventPage = await store.entries.byEvent(scope, {
      filter,
      descending,
      limit: k + 1,
      ...next,
    });
    seen.push(...(await sight.states(items)).filter((entry) => sight.sees(entry)));
    next = cursor === undefined ? {} : { cursor };
  } while (next.cursor !== undefined && seen.length <= k);
  return seen;
}

/** The entries of the chain in the order of time; of a long one the first after the event or, for an outcome, the last. */
async function chainOf(
  store: MemoryStore,
  request: RetrieveRequest,
  sight: Sight,
  links: readonly ReadFilter[],
  event: MemoryEntry | null,
): Promise<readonly MemoryEntry[]> {
  const linked = await linkedEntries(store, request, sight, links);
  const others = linked.filter((entry) => entry.entryId !== event?.entryId);
  const room = event === null ? request.k : request.k - 1;
  return others.slice(0, room).toSorted((left, right) => (timeOf(left) < timeOf(right) ? -1 : 1));
}

function isTold({ id, kind, sessionId, sourceIds }: Candidate, chain: readonly MemoryEntry[]): boolean {
  if (kind === "entry") return chain.some((entry) => entry.entryId === id);
  return chain.some(
    (entry) => entry.sessionId === sessionId && sourceIds.some((source) => entry.sourceIds[0] === source),
  );
}

/** The chain ahead of what else was found, each link above the next. */
function ahead(event: MemoryEntry | null, later: readonly MemoryEntry[], ranked: readonly Ranked[]): Ranked[] {
  const chain = event === null ? later : [event, ...later];
  const known = new Map(ranked.map((one) => [one.candidate.entry?.entryId, one]));
  const top = ranked[0]?.sum ?? 0;
  const links = chain.map((entry, index): Ranked => {
    const found = known.get(entry.entryId) ?? { candidate: entryCandidate(entry), sum: 0, extra: {} };
    found.candidate.views.add("symbolic");
    const sum = top + STEP * (chain.length - index);
    return { ...found, sum, extra: { ...found.extra, [entry === event ? "event" : "linked"]: sum - found.sum } };
  });
  return [...links, ...ranked.filter(({ candidate }) => !isTold(candidate, chain))];
}

/**
 * For a question about what followed: the event that it starts from, if one was found, and the later events that share a person or
 * a thing with it, in the order of time, ahead of what else was found.
 * @param ranked best first
 */
export async function withWhatFollowed(
  ranked: readonly Ranked[],
  request: RetrieveRequest,
  store: MemoryStore,
  now: number,
): Promise<Ranked[]> {
  const { plan } = request;
  const entries = entriesAmong(ranked);
  const names = [...plan.persons, ...plan.entities];
  const event = eventAmong(entries, plan, names);
  const sight = withHappened(store, request, now);
  for (const links of linksOf(subjectOf(plan, entries, event), event)) {
    const chain = await chainOf(store, request, sight, links, event);
    if (chain.length > 0) return ahead(event, chain, ranked);
  }
  return [...ranked];
}
