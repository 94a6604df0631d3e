import type { TurnInput } from "../../src/index.js";

const TURN_MS = 90_000;
const FIRST_TURN = Date.parse("2026-03-04T09:00:00Z");

const SPEAKERS = ["Ilse Corrin", "Marek Dahl"];
const THINGS = ["an old clock", "the wooden boat", "a garden wall", "her violin", "the blue bicycle", "a kite"];
const PLACES = ["the harbour", "Mill Lane", "Porthaven", "the market", "Station Road"];
const FRAMES = [
  (thing: string, place: string, number: number) => `I repaired ${thing} near ${place} for ${number} euros yesterday.`,
  (thing: string, place: string) => `That sounds great! Did you take ${thing} to ${place} again?`,
  (_thing: string, place: string, number: number) =>
    `We meet at ${place} next Friday, ${number % 12} people are coming.`,
  (thing: string) => `I don't like ${thing} any more, honestly.`,
  () => "Haha, me too.",
  (thing: string, place: string, number: number) =>
    `My sister Oona moved to ${place} in ${1990 + (number % 30)} and she keeps ${thing} in the hall.`,
];

function pick<T>(list: readonly T[], index: number, fallback: T): T {
  return list[index % list.length] ?? fallback;
}

/** A turn of a made-up conversation, with small talk, questions, relative times and repeats, by its place in it. */
export function madeUpTurn(index: number): TurnInput {
  const frame = FRAMES[(index * 7) % FRAMES.length];
  const content = frame?.(pick(THINGS, index * 5, ""), pick(PLACES, index * 3, ""), index) ?? "";
  const timestamp = new Date(FIRST_TURN + index * TURN_MS).toISOString();
  return { id: `t${index}`, speaker: pick(SPEAKERS, index, ""), content, timestamp };
}

export function madeUpTurns(count: number, from = 0): TurnInput[] {
  return Array.from({ length: count }, (_, offset) => madeUpTurn(from + offset));
}
