import { englishWordTable } from "../../src/models/index.js";
import { oneOf, type Random, seeded } from "../torture/random.js";

/** What was said, and how it is remembered. No two are made of the same words by design, only by chance. */
export interface Said {
  readonly index: number;
  readonly speaker: string;
  readonly other: string;
  /** The words that tell it from others. */
  readonly things: readonly string[];
  readonly content: string;
  readonly restatement: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
}

const SPEAKERS = ["Ilse", "Marek"];
const OTHERS = ["Oona", "Tadeo", "Bram", "Tove", "Ane", "Jon", "Rosa", "Kemal", "Yuki", "Pavel", "Lena", "Amir"];
const VERBS = ["repaired", "painted", "lost", "found", "bought", "sold", "carried", "cleaned", "moved", "counted"];
/** The commonest words of the table are no names of things, the rarest are hardly used. */
const [FIRST_RANK, WORDS] = [300, 6_000];
const MIN_LETTERS = 4;
const FIRST_MS = Date.parse("2023-03-04T09:00:00Z");
const APART_MS = 90_000;

/** Makes sentences by their number: the same number gives the same sentence, in every process. */
export class Sentences {
  readonly #words: readonly string[];

  constructor() {
    const known = [...englishWordTable().ranks.keys()];
    this.#words = known
      .slice(FIRST_RANK)
      .filter((word) => word.length >= MIN_LETTERS && /^[a-z]+$/.test(word))
      .slice(0, WORDS);
  }

  /** @param index from 0 */
  at(index: number): Said {
    const random = spread(index);
    const speaker = SPEAKERS[index % SPEAKERS.length] ?? "";
    const other = oneOf(random, OTHERS) ?? "";
    const verb = oneOf(random, VERBS) ?? "";
    const things = [this.#word(random), this.#word(random), this.#word(random)];
    const [first, second, place] = things;
    const at = new Date(FIRST_MS + index * APART_MS).toISOString();
    const rest = `${verb} the ${first} ${second} with ${other} near the ${place}`;
    return {
      index,
      speaker,
      other,
      things,
      content: `I ${rest} today.`,
      restatement: `${speaker} ${rest} on ${at.slice(0, 10)}.`,
      at,
    };
  }

  /** A question that this sentence answers, and hardly another. */
  questionFor({ speaker, things: [first, second] }: Said): string {
    return `What did ${speaker} do with the ${first} ${second}?`;
  }

  #word(random: Random): string {
    return oneOf(random, this.#words) ?? "";
  }
}

/** Neighbouring seeds give neighbouring first numbers: these are thrown away. */
function spread(index: number): Random {
  const random = seeded(Math.imul(index + 1, 2_654_435_761) >>> 1);
  for (let thrown = 0; thrown < 3; thrown += 1) random();
  return random;
}
