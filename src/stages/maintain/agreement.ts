import type { MemoryEntry } from "../../records/index.js";
import { type Details, detailsOf, holdsName, isSameSet, namesIn } from "./details.js";

function fold(name: string | null): string | null {
  return name === null ? null : name.normalize("NFC").toLowerCase();
}

/** What happened once must be told of one time; what is to be done has a state of its own, and is no part of a pattern. */
function mayRepeat({ kind, timestamp }: MemoryEntry): boolean {
  const isLasting = kind === "fact" || kind === "preference" || kind === "pattern";
  return isLasting || (kind === "event" && timestamp !== null);
}

function sameVoice(left: MemoryEntry, right: MemoryEntry): boolean {
  return (
    left.sourceRole === right.sourceRole && left.trust === right.trust && fold(left.speaker) === fold(right.speaker)
  );
}

function sameTime(left: MemoryEntry, right: MemoryEntry): boolean {
  return (
    left.timestamp === right.timestamp && left.timestampEnd === right.timestampEnd && left.validTo === right.validTo
  );
}

/** Where both say it; what one leaves open the other may say. */
function compatible(left: MemoryEntry, right: MemoryEntry): boolean {
  const samePlace = left.location === null || right.location === null || fold(left.location) === fold(right.location);
  const shared = Object.entries(left.attributes).filter(([name]) => name in right.attributes);
  return samePlace && shared.every(([name, value]) => right.attributes[name] === value);
}

/** Of whom or what they speak: the first telling word. A name that nobody listed is found by it. */
function sameSubject(left: Details, right: Details): boolean {
  return left.stems[0] !== undefined && left.stems[0] === right.stems[0];
}

function sameNames(left: Details, right: Details): boolean {
  return (
    [...left.names].every((name) => holdsName(name, right)) && [...right.names].every((name) => holdsName(name, left))
  );
}

/** Whether an entry may become part of a pattern at all: not what is pinned, what ends by itself, or what was restored by hand. */
export function isEligible(entry: MemoryEntry): boolean {
  return entry.status === "active" && !entry.pinned && entry.expiresAt === null && mayRepeat(entry);
}

/**
 * Whether two entries may be parts of one pattern: the same voice, time and place, the same numbers, names, polarity and
 * conditions. How near their vectors lie does not count here.
 */
export function agree(left: MemoryEntry, right: MemoryEntry): boolean {
  if (!sameVoice(left, right) || !sameTime(left, right) || !compatible(left, right)) return false;
  const known = namesIn([left, right]);
  const [one, other] = [left, right].map((entry) => detailsOf(entry.losslessRestatement, known));
  if (one === undefined || other === undefined) return false;
  return (
    sameSubject(one, other) &&
    one.negated === other.negated &&
    isSameSet(one.numbers, other.numbers) &&
    isSameSet(one.bounds, other.bounds) &&
    sameNames(one, other)
  );
}
