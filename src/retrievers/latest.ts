import type { Plan } from "../records/index.js";
import type { Candidate } from "./candidate.js";
import type { Ranked } from "./rank.js";
import { samePerson } from "./speakers.js";

/** How far below the best a hit may lie that still is about what was asked. */
const RELEVANT_WITHIN = 0.6;
/** What the newest of the relevant ones gains; the oldest gains nothing, and those between what their place is worth. */
const NEWEST_WORTH = 0.6;

/** When it happened; what is still ahead counts from when it was said. */
function timeOf({ candidate: { timestamp, entry } }: Ranked, now: string): string | null {
  return timestamp !== null && timestamp > now && entry !== undefined ? entry.mentionedAt : timestamp;
}

function isAbout({ text, persons, entry }: Candidate, names: readonly string[]): boolean {
  const known = [...persons, ...(entry?.entities ?? [])];
  return names.some((name) => text.includes(name) || known.some((one) => samePerson(one, name)));
}

/** Those that are about what is asked: near the best and, when the question names someone, about him. */
function relevant(ranked: readonly Ranked[], { persons, entities }: Plan): readonly Ranked[] {
  const floor = (ranked[0]?.sum ?? 0) - RELEVANT_WITHIN;
  const near = ranked.filter(({ sum }) => sum >= floor);
  const named = near.filter(({ candidate }) => isAbout(candidate, [...persons, ...entities]));
  return named.length > 0 ? named : near;
}

/**
 * For a question about the latest of something: among what is about it, the newer counts more. What is not relevant stays where
 * it is, however new.
 * @param ranked best first
 */
export function newestAhead(ranked: readonly Ranked[], plan: Plan, now: string): Ranked[] {
  const timed = relevant(ranked, plan).flatMap((one) => {
    const time = timeOf(one, now);
    return time === null ? [] : [[one, time] as const];
  });
  const times = [...new Set(timed.map(([, time]) => time))].sort();
  if (times.length < 2) return [...ranked];
  const worth = new Map(timed.map(([one, time]) => [one, (NEWEST_WORTH * times.indexOf(time)) / (times.length - 1)]));
  return ranked
    .map((one) => {
      const latest = worth.get(one);
      return latest === undefined ? one : { ...one, sum: one.sum + latest, extra: { ...one.extra, latest } };
    })
    .sort((left, right) => right.sum - left.sum);
}
