import { findNames } from "../../language/index.js";
import type { DialogueTurn } from "../../records/index.js";
import { isSmallTalk } from "./density.js";
import { placeOf } from "./describe.js";
import { nameOf } from "./parties.js";

/** How many earlier sentences a pronoun may reach back. */
const REACH = 8;

interface Said {
  readonly text: string;
  readonly persons: readonly string[];
  readonly place: string | null;
}

/** What was spoken of lately: who "she" and where "there" may be. */
export class Referents {
  readonly #said: Said[] = [];
  readonly #known: Set<string>;

  constructor(parties: readonly string[]) {
    this.#known = new Set(parties);
  }

  /** Names that were met so far. */
  get known(): string[] {
    return [...this.#known];
  }

  /** Takes in a sentence as it was said. */
  hear(text: string): void {
    const persons = findNames(text, this.known).persons.filter((name) => !isSmallTalk(name));
    for (const person of persons) this.#known.add(person);
    this.#said.push({ text, persons, place: placeOf(text, this.known) });
  }

  hearTurn(turn: DialogueTurn): void {
    if (turn.role !== "system" && turn.role !== "tool") this.hear(turn.content);
  }

  /** The one person, other than the two who talk, whom the nearest sentence with a person names; null when several. */
  antecedent(turn: DialogueTurn, addressee: string | null): string | null {
    const talking = new Set([nameOf(turn), addressee, turn.speaker]);
    for (const { persons } of this.#recent()) {
      const others = persons.filter((person) => !talking.has(person) && !isPartOf(person, talking));
      if (others.length > 0) return others.length === 1 ? (others[0] ?? null) : null;
    }
    return null;
  }

  /** The last place that was named. */
  place(): string | null {
    return this.#recent().find((said) => said.place !== null)?.place ?? null;
  }

  #recent(): Said[] {
    return this.#said.slice(-REACH).reverse();
  }
}

/** "Ilse" is part of "Ilse Corrin". */
function isPartOf(person: string, names: ReadonlySet<string | null>): boolean {
  return [...names].some((name) => name?.split(/\s+/u).includes(person) === true);
}
