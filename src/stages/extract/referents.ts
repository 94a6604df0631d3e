import { findNames } from "../../language/index.js";
import { isSmallTalk } from "./density.js";
import { placeOf } from "./describe.js";
import { type Gender, genderOfName, genderOfPronoun, mentionsUnnamed } from "./referents-gender.js";

/** Nothing is explained by a sentence that needs explaining. */
const LEANS_ITSELF = /\b(?:it|that|this|them)\b(?!\s+\p{Ll}+(?<!ed|ing|ly)\s+\p{Ll})|[它这那]/iu;
/** How many earlier sentences a pronoun may reach back. */
const REACH = 8;
/** How far back in its own statement a pronoun may reach. */
const NEAR_CHARS = 300;
const PLURAL_NOUN =
  /\b(?:kids|children|people|parents|friends|folks|men|women|everyone|(?:the|my|our|your|his|her|these|those|some|many|several|few|two|three|four|five|six|seven|eight|nine|ten|twelve|\w+teen|\w+ty|\d+|all|both)\s+(?:\p{Ll}+\s+)?(?!does\b|has\b|was\b|is\b)\p{Ll}{2,}(?<!s)s|\p{L}+ and \p{Lu}\p{L}+)\b|[们些]/iu;
/** Words whose antecedent is a person, several, or a thing. */
const PLURAL_PRONOUN = /^(?:they|them|their|theirs|these|those|他们|她们|它们)$/iu;
const TALK_PRONOUN =
  /^(?:you|yours?|yourself|we|us|ours?|ourselves|i|me|my|mine|myself|[你您我俺]们?|您|咱们|a relative time)$/iu;

/** A sentence that was said, and how it reads alone. */
export interface Said {
  readonly text: string;
  readonly restated: string;
  readonly turnId: string;
}

interface Heard extends Said {
  readonly persons: readonly string[];
  readonly place: string | null;
}

/** What was spoken of lately: who "she" and where "there" may be. Lives as long as one window is read. */
export class Referents {
  readonly #heard: Heard[] = [];
  readonly #known: readonly string[];
  readonly #genders = new Map<string, Gender>();

  /** @param known everybody whom the window names */
  constructor(known: readonly string[]) {
    this.#known = known;
  }

  /** Takes in a sentence. */
  hear(said: Said): void {
    const persons = this.#personsIn(said.text);
    for (const person of persons) this.#learnFrom(said.text, person);
    this.#heard.push({ ...said, persons, place: placeOf(said.text, this.#known) });
  }

  /**
   * The one person whom "she" or "he" can mean: named before it in the statement, else in the nearest sentence that
   * speaks of such a person. Null when that may be several, or someone without a name.
   *
   * @param talking the speaker and the one spoken to, who are "I" and "you"
   */
  thirdPerson(pronoun: string, before: string, talking: readonly (string | null)[]): string | null {
    const gender = genderOfPronoun(pronoun);
    if (gender === null) return null;
    const near = before.length > NEAR_CHARS ? before.slice(-NEAR_CHARS).replace(/^[\p{Script=Latin}\d]+/u, "") : before;
    const persons = this.#personsIn(near);
    for (const person of persons) this.#learnFrom(near, person);
    const found = this.#only(near, persons, gender, talking) ?? this.#onlyRecent(gender, talking);
    if (found === null || found === "unclear") return null;
    this.#genders.set(found.name, gender);
    return found.name;
  }

  /** The sentence in which to look for what these words mean; null when the words only name who talks. */
  sentenceFor(unresolved: readonly string[]): Said | null {
    const words = unresolved.filter((word) => !TALK_PRONOUN.test(word));
    const [first] = words;
    if (first === undefined) return null;
    const recent = this.#recent();
    const gender = genderOfPronoun(first.toLowerCase());
    if (gender !== null) {
      return recent.find(({ text, persons }) => persons.length > 0 || mentionsUnnamed(text, gender)) ?? null;
    }
    if (PLURAL_PRONOUN.test(first)) return recent.find(({ text }) => PLURAL_NOUN.test(text)) ?? null;
    return recent.find(({ text }) => !LEANS_ITSELF.test(text)) ?? recent[0] ?? null;
  }

  /** The last place that was named. */
  place(): string | null {
    return this.#recent().find((said) => said.place !== null)?.place ?? null;
  }

  #onlyRecent(gender: Gender, talking: readonly (string | null)[]): { name: string } | "unclear" | null {
    for (const { text, persons } of this.#recent()) {
      const found = this.#only(text, persons, gender, talking);
      if (found !== null) return found;
    }
    return null;
  }

  #only(
    text: string,
    persons: readonly string[],
    gender: Gender,
    talking: readonly (string | null)[],
  ): { name: string } | "unclear" | null {
    const fitting = persons.filter((person) => !isOneOf(person, talking) && this.#mayBe(person, gender));
    if (mentionsUnnamed(text, gender) || fitting.length > 1) return "unclear";
    const [name] = fitting;
    return name === undefined ? null : { name };
  }

  #mayBe(person: string, gender: Gender): boolean {
    return (this.#genders.get(person) ?? gender) === gender;
  }

  #learnFrom(text: string, person: string): void {
    const gender = genderOfName(person, text.slice(0, Math.max(0, text.indexOf(person.split(" ")[0] ?? person))));
    if (gender !== null) this.#genders.set(person, gender);
  }

  #personsIn(text: string): string[] {
    return findNames(text, this.#known).persons.filter((name) => !isSmallTalk(name));
  }

  #recent(): Heard[] {
    return this.#heard.slice(-REACH).reverse();
  }
}

/** "Ilse" is part of "Ilse Corrin". */
function isOneOf(person: string, names: readonly (string | null)[]): boolean {
  return names.some((name) => name === person || name?.split(/\s+/u).includes(person) === true);
}
