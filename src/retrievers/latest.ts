import type { Plan } from "../records/index.js";
import type { Candidate } from "./candidate.js";
import type { Ranked } from "./rank.js";
import { samePerson } from "./speakers.js";

/** How far below the best a hit may lie that still is about what was asked. */
const RELEVANT_WITHIN = 0.6;
/** What the newest of the relevant ones gains; the oldest gains nothing, and those between what their place is worth. */
const NEWEST_WORTH = 0.6;
const DAY = "YYYY-MM-DD";

/** The day on which it happened: one conversation is of one time. What is still ahead counts from when it was said. */
function dayOf({ candidate: { timestamp, entry } }: Ranked, now: string): string | null {
  const time = timestamp !== null && timestamp > now && entry !== undefined ? entry.mentionedAt : timestamp;
  return time === null ? null : time.slice(0, DAY.length);
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
  const dated = relevant(ranked, plan).flatMap((one) => {
    const day = dayOf(one, now);
    return day === null ? [] : [[one, day] as const];
  });
  const days = [...new Set(dated.map(([, day]) => day))].sort();
  if (days.length < 2) return [...ranked];
  const worth = new Map(dated.map(([one, day]) => [one, (NEWEST_WORTH * days.indexOf(day)) / (days.length - 1)]));
  return ranked
    .map((one) => {
      const latest = worth.get(one);
      return latest === undefined ? one : { ...one, sum: one.sum + latest, extra: { ...one.extra, latest } };
    })
    .sort((left, right) => right.sum - left.sum);
}
