import { type MemoryEntry, turnPlace } from "../records/index.js";
import { type Candidate, entryCandidate } from "./candidate.js";
import { type Ranked, RETIRED_PENALTY } from "./rank.js";
import { endsAsQuestion } from "./replies.js";

/** What an entry loses that stands on a turn of which a better one was given already. */
const SIBLING_PENALTY = 0.8;

/** What an entry loses that repeats the question to which it is the answer: it is alike by another's words, and stands on two turns. */
const EXCHANGE_PENALTY = 0.2;

/**
 * How much of its lead over the turn an entry keeps. A restatement names what the turn only points at, which is what makes it
 * findable; but it repeats words of other turns, too, and taken whole that lead lifts what only quotes the answer.
 */
const RESTATEMENT_SHARE = 0.4;

/** The best of what several queries found, each thing once. */
export function bestOfEach(rankings: readonly (readonly Ranked[])[]): Ranked[] {
  const best = new Map<string, Ranked>();
  for (const ranked of rankings.flat()) {
    const { kind, sessionId, id } = ranked.candidate;
    const key = `${kind}\n${sessionId}\n${id}`;
    const known = best.get(key);
    for (const view of known?.candidate.views ?? []) ranked.candidate.views.add(view);
    if (known === undefined || ranked.sum > known.sum) best.set(key, ranked);
    else for (const view of ranked.candidate.views) known.candidate.views.add(view);
  }
  return [...best.values()].sort((left, right) => right.sum - left.sum);
}

function placesOf(candidate: Candidate): string[] {
  return candidate.sourceIds.map((dialogueId) => turnPlace({ sessionId: candidate.sessionId, dialogueId }));
}

/** The turn that states what a candidate says: the first source. Further ones are what it answers or refers to. */
function mainPlaceOf(candidate: Pick<Candidate, "sourceIds" | "sessionId">): string | undefined {
  const [main] = candidate.sourceIds;
  return main === undefined ? undefined : turnPlace({ sessionId: candidate.sessionId, dialogueId: main });
}

/** Turns among the best that no found entry states: their entries are worth a look. */
export function turnsWithoutEntries(ranked: readonly Ranked[], limit: number): Candidate[] {
  const entries = ranked.filter(({ candidate }) => candidate.kind === "entry");
  const covered = new Set(entries.map(({ candidate }) => mainPlaceOf(candidate)));
  return ranked
    .slice(0, limit)
    .map(({ candidate }) => candidate)
    .filter((candidate) => candidate.kind === "turn" && !covered.has(mainPlaceOf(candidate)));
}

/** What a read may give. */
interface Seeing {
  sees(entry: MemoryEntry): boolean;
  isExpired(entry: MemoryEntry): boolean;
}

/**
 * Gives turns the entries that stand on them; these rank by their turn. A turn of which every entry is history is history,
 * too, and ranks below what replaced it; one of which every entry has expired is not given.
 */
export function withEntries(ranked: readonly Ranked[], entries: readonly MemoryEntry[], sight: Seeing): Ranked[] {
  const standing = new Map<string, MemoryEntry[]>();
  const proved = new Map<string, MemoryEntry[]>();
  for (const entry of entries) {
    const place = mainPlaceOf(entry);
    if (place !== undefined) standing.set(place, [...(standing.get(place) ?? []), entry]);
    // What was said again in another session is a source, too, and an entry knows the session of its first one only.
    for (const id of entry.sourceIds) proved.set(id, [...(proved.get(id) ?? []), entry]);
  }
  // Turns of two sessions may share an id, so that an entry may be there already.
  const given = new Set(ranked.map(({ candidate }) => candidate.entry?.entryId));
  return ranked.flatMap((one): Ranked[] => {
    const isOpen = one.candidate.kind === "turn" && one.extra.retired === undefined;
    const known = isOpen ? one.candidate.sourceIds.flatMap((id) => proved.get(id) ?? []) : [];
    if (known.length === 0) return [one];
    if (known.every((entry) => sight.isExpired(entry))) return [];
    // What was put away only for its age is as true as it was.
    if (!known.some((entry) => sight.sees(entry) || entry.status === "archived")) {
      const replacedBy = known.flatMap(({ supersededBy }) => supersededBy ?? []);
      const extra = { ...one.extra, retired: -RETIRED_PENALTY };
      return [{ ...one, sum: one.sum - RETIRED_PENALTY, extra, replacedBy }];
    }
    const stating = placesOf(one.candidate).flatMap((place) => standing.get(place) ?? []);
    const fresh = stating.filter((entry) => sight.sees(entry) && !given.has(entry.entryId));
    for (const entry of fresh) given.add(entry.entryId);
    return [one, ...fresh.map((entry) => ({ ...one, candidate: entryCandidate(entry) }))];
  });
}

/**
 * A turn and the entries that state it are one thing: the best entry stands for it with the better of both sums and the
 * views of both. Further entries of the turn follow with a penalty, and a turn without entries stands for itself.
 */
export function joinMoments(ranked: readonly Ranked[]): Ranked[] {
  const turns = new Map(
    ranked.filter(({ candidate }) => candidate.kind === "turn").map((one) => [mainPlaceOf(one.candidate), one]),
  );
  const stated = new Set<string>();
  const told = new Set<string>();
  const joined: Ranked[] = [];
  for (const one of ranked) {
    if (one.candidate.kind !== "entry") continue;
    const place = mainPlaceOf(one.candidate);
    const isSibling = place !== undefined && stated.has(place);
    const moment = isSibling ? asSibling(one) : asMoment(one, turns.get(place));
    joined.push(repeatsQuestion(one.candidate, turns) ? asExchange(moment) : moment);
    if (place !== undefined) stated.add(place);
    for (const source of placesOf(one.candidate)) told.add(source);
  }
  const rest = ranked.filter(
    ({ candidate }) => candidate.kind !== "entry" && !placesOf(candidate).some((place) => told.has(place)),
  );
  return [...joined, ...rest].sort(
    (left, right) => right.sum - left.sum || (left.candidate.id < right.candidate.id ? -1 : 1),
  );
}

function asSibling(entry: Ranked): Ranked {
  return {
    ...entry,
    sum: entry.sum - SIBLING_PENALTY,
    extra: { ...entry.extra, sibling: -SIBLING_PENALTY },
  };
}

/** True for an entry that holds a question and its answer: it stands on the turn that asked, too. */
function repeatsQuestion(candidate: Candidate, turns: ReadonlyMap<string | undefined, Ranked>): boolean {
  const [, ...further] = placesOf(candidate);
  return further.some((place) => endsAsQuestion(turns.get(place)?.candidate.text ?? ""));
}

function asExchange(moment: Ranked): Ranked {
  return {
    ...moment,
    sum: moment.sum - EXCHANGE_PENALTY,
    extra: { ...moment.extra, exchange: -EXCHANGE_PENALTY },
  };
}

function asMoment(entry: Ranked, turn: Ranked | undefined): Ranked {
  for (const view of turn?.candidate.views ?? []) entry.candidate.views.add(view);
  if (turn === undefined) return entry;
  const gain = Math.max(0, entry.sum - turn.sum) * RESTATEMENT_SHARE;
  return { ...turn, candidate: entry.candidate, sum: turn.sum + gain, extra: { ...turn.extra, restatement: gain } };
}
