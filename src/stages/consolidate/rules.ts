import { contentStems, Pace } from "../../language/index.js";
import type { ExtractedItem, MemoryEntry } from "../../records/index.js";
import type { Candidate, ConsolidationItem, Consolidator, Decision } from "./consolidator.js";
import { Outcomes } from "./outcomes.js";
import { planOutcome, thingStems } from "./plans.js";
import { restsOn } from "./premises.js";
import { holdsNames, isSubsequence, isSubset, jaccard, type Profile, profileOf } from "./profile.js";
import { compatibleValues, competing } from "./slots.js";
import { isDateSlot } from "./slots-plans.js";

/** Below this share of common stems, a text that contains another's words is about more than that. */
const MERGE_MIN_OVERLAP = 0.5;
/** Says that something was otherwise before, and what that was. */
const CHANGED = /\b(?:now|instead|changed|any ?more|no longer)\b/iu;
const TAKEN_BACK = /(?:, not|\binstead of|\brather than) (?:an? |the )?([\p{L}\d ’'-]{2,40}?)(?:[.,;!]| any ?more|$)/iu;
/** Items of several windows that are compared in one call: a few hundred milliseconds of work. */
const ITEMS_AT_ONCE = 250;
/** Statements of which is kept what was read in them: some two kilobytes each. */
const KEPT_READINGS = 5_000;
/** A thing that happened and one told a day or more later without a date may be two. */
const SAME_EVENT_MS = 24 * 60 * 60 * 1000;

interface Known {
  readonly entry: MemoryEntry;
  readonly profile: Profile;
}

/** Position of an entry among the items of this call; absent for what was stored before. */
type Ordinals = ReadonlyMap<string, number>;

/**
 * Compares by rules: the same words are skipped, a text that says all of another and more is merged with it, another
 * value of the same single-valued attribute of the same subject, or the opposite statement in the same words,
 * replaces the older one. Everything else is added: how near the vectors lie decides nothing.
 *
 * Numbers, dates, names, polarity, conditions and the order of the words must agree before a text is taken for known.
 */
export function createRuleConsolidator(): Consolidator {
  const readings = new Readings();
  return {
    itemsAtOnce: ITEMS_AT_ONCE,
    async consolidate({ items }, run) {
      const ordinals = new Map(items.map(({ entryId }, index) => [entryId, index]));
      const outcomes = new Outcomes();
      const pace = new Pace();
      const decisions: Decision[] = [];
      for (const [index, item] of items.entries()) {
        run.signal?.throwIfAborted();
        const candidates = outcomes.current(item);
        const decision = decide(item.item, candidates, index, ordinals, readings);
        outcomes.note(item, decision, candidates);
        decisions.push(decision);
        await pace.after(item.item.losslessRestatement);
      }
      return { decisions, decidedBy: decisions.map(() => "rule"), rejections: [] };
    },
    inDoubt: ({ premise, neighbours }) => neighbours.filter((entry) => restsOn(entry, premise)),
  };
}

/** What is read in a statement. A statement is an item first and then a candidate, again and again: each is read once. */
class Readings {
  readonly #profiles = new Map<string, Profile>();
  readonly #things = new Map<string, ReadonlySet<string>>();

  readonly profileOf = (statement: ExtractedItem): Profile => kept(this.#profiles, statement, profileOf);
  readonly thingStemsOf = (statement: ExtractedItem): ReadonlySet<string> => kept(this.#things, statement, thingStems);
}

function kept<T>(known: Map<string, T>, statement: ExtractedItem, read: (statement: ExtractedItem) => T): T {
  const { losslessRestatement, persons, entities, speaker } = statement;
  const key = JSON.stringify([losslessRestatement, persons, entities, speaker]);
  const before = known.get(key);
  if (before !== undefined) return before;
  if (known.size >= KEPT_READINGS) known.clear();
  const reading = read(statement);
  known.set(key, reading);
  return reading;
}

function decide(
  item: ConsolidationItem["item"],
  candidates: readonly Candidate[],
  ordinal: number,
  ordinals: Ordinals,
  readings: Readings,
): Decision {
  const profile = readings.profileOf(item);
  const known = candidates
    .filter(({ entry }) => entry.status === "active" || entry.status === "conflicted")
    .map(({ entry }) => ({ entry, profile: readings.profileOf(entry) }));
  return (
    sameWords(profile, known) ??
    replacement(item, profile, known, ordinal, ordinals) ??
    ending(item, known, readings) ??
    containment(item, profile, known) ?? { op: "add" }
  );
}

function sameWords(profile: Profile, known: readonly Known[]): Decision | null {
  const same = known.find((one) => one.profile.text === profile.text);
  return same === undefined ? null : { op: "skip", target: same.entry.entryId };
}

function replacement(
  item: ExtractedItem,
  profile: Profile,
  known: readonly Known[],
  ordinal: number,
  ordinals: Ordinals,
): Decision | null {
  const rivals = known
    .filter(
      (one) =>
        sameVoice(item, one.entry) &&
        ((otherValue(profile, one.profile) && mayReplace(item, profile, one.entry)) ||
          retracts(item, profile, one) ||
          opposite(item, profile, one)),
    )
    .map(({ entry }): Decision => ({ op: orderOf(item, entry, ordinal, ordinals), target: entry.entryId }));
  return rivals.find(({ op }) => op === "superseded_by") ?? rivals[0] ?? null;
}

/** What becomes of a plan of which the item tells the end. */
function ending(item: ExtractedItem, known: readonly Known[], { thingStemsOf }: Readings): Decision | null {
  for (const { entry } of known) {
    const outcome = sameVoice(item, entry) ? planOutcome(item, entry, thingStemsOf) : null;
    if (outcome !== null) return { op: outcome === "done" ? "done" : "supersede", target: entry.entryId };
  }
  return null;
}

/** What an assistant or a tool says never ends what the user said. */
function sameVoice(item: ExtractedItem, entry: MemoryEntry): boolean {
  return item.sourceRole === "user" || entry.sourceRole === item.sourceRole;
}

function otherValue(left: Profile, right: Profile): boolean {
  if (left.slot === null || right.slot === null || !competing(left.slot, right.slot)) return false;
  if (left.negated !== right.negated && !left.slot.attribute.startsWith("feeling about ")) return false;
  return !compatibleValues(left.slot.value, right.slot.value);
}

/** A date that has passed was kept to, and the next one is another occasion. */
function mayReplace(item: ExtractedItem, profile: Profile, entry: MemoryEntry): boolean {
  if (profile.slot === null || !isDateSlot(profile.slot)) return true;
  const [older, newer] = item.mentionedAt < entry.mentionedAt ? [item, entry] : [entry, item];
  const until = older.timestampEnd ?? older.timestamp;
  return until === null || Date.parse(newer.mentionedAt) <= Date.parse(until);
}

/** "Liv wants green tiles now, not blue" after "Liv wants blue tiles": the value that it takes back, of the same subject. */
function retracts(item: ExtractedItem, profile: Profile, { entry, profile: other }: Known): boolean {
  const [, taken = ""] = CHANGED.test(item.losslessRestatement)
    ? (TAKEN_BACK.exec(item.losslessRestatement) ?? [])
    : [];
  const value = contentStems(taken);
  const [subject] = profile.stems;
  if (taken === "" || subject !== other.stems[0] || item.mentionedAt <= entry.mentionedAt) return false;
  if (profile.stems.length <= value.length + 1 || !value.every((stem) => other.stems.includes(stem))) return false;
  return (
    !other.negated &&
    profile.stems.some((stem) => stem !== subject && !value.includes(stem) && other.stems.includes(stem))
  );
}

/** The same words with the other polarity, about the same time. */
function opposite(item: ExtractedItem, profile: Profile, { entry, profile: other }: Known): boolean {
  if (profile.negated === other.negated || profile.bounds !== other.bounds) return false;
  if (item.timestamp !== entry.timestamp || profile.stems.length === 0) return false;
  return sameSet(profile.numbers, other.numbers) && sameSet(profile.names, other.names) && sameStems(profile, other);
}

function sameStems(left: Profile, right: Profile): boolean {
  return jaccard(left.stems, right.stems) === 1 && isSubsequence(left.stems, right.stems);
}

function sameSet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && isSubset(left, right);
}

/** Since when a statement holds: when it was said, or when it happened if that was before. */
function holdsSince(item: ExtractedItem): number {
  const said = Date.parse(item.mentionedAt);
  return item.timestamp === null ? said : Math.min(said, Date.parse(item.timestamp));
}

function orderOf(
  item: ExtractedItem,
  entry: MemoryEntry,
  ordinal: number,
  ordinals: Ordinals,
): "supersede" | "superseded_by" | "conflict" {
  const mine = holdsSince(item);
  const theirs = holdsSince(entry);
  if (mine > theirs) return "supersede";
  if (mine < theirs) return "superseded_by";
  const earlier = ordinals.get(entry.entryId);
  return earlier !== undefined && earlier < ordinal ? "supersede" : "conflict";
}

function containment(item: ExtractedItem, profile: Profile, known: readonly Known[]): Decision | null {
  for (const { entry, profile: other } of known) {
    if (!mayBeOne(item, profile, entry, other)) continue;
    const target = entry.entryId;
    if (within(item, profile, entry, other)) return { op: "skip", target };
    const grows = within(entry, other, item, profile) && jaccard(profile.stems, other.stems) >= MERGE_MIN_OVERLAP;
    if (grows && sameVoice(item, entry)) return { op: "merge", target, text: item.losslessRestatement };
  }
  return null;
}

function mayBeOne(item: ExtractedItem, profile: Profile, entry: MemoryEntry, other: Profile): boolean {
  if (profile.stems.length === 0 || other.stems.length === 0) return false;
  if (profile.negated !== other.negated || profile.bounds !== other.bounds) return false;
  if (item.sourceRole !== entry.sourceRole) return false;
  return item.timestamp !== null || entry.timestamp !== null || isLasting(item) || saidTogether(item, entry);
}

/** Facts and preferences hold on; an event or plan told again another day may be another one. */
function isLasting(item: ExtractedItem): boolean {
  return item.kind === "fact" || item.kind === "preference" || item.kind === "pattern";
}

function saidTogether(left: ExtractedItem, right: ExtractedItem): boolean {
  return Math.abs(Date.parse(left.mentionedAt) - Date.parse(right.mentionedAt)) < SAME_EVENT_MS;
}

/** Whether the first says nothing that the second does not say. */
function within(part: ExtractedItem, profile: Profile, whole: ExtractedItem, other: Profile): boolean {
  const timeAgrees =
    part.timestamp === whole.timestamp || (part.timestamp === null && (isLasting(part) || saidTogether(part, whole)));
  return (
    timeAgrees &&
    isSubset(profile.numbers, other.numbers) &&
    holdsNames(profile, other) &&
    isSubsequence(profile.stems, other.stems)
  );
}
