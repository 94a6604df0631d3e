import { findNames } from "../../language/index.js";
import type { DialogueTurn } from "../../records/index.js";

/** Turns in which a name is looked for, from the last one back. */
const LOOKED_THROUGH = 6;
const SOMEONE =
  /\b(?:he|she|him|her|his|hers|they|them|their)\b|\b(?:that|this|the same|the other) (?:\w+ )?(?:customer|client|buyer|supplier|patient|colleague|candidate|guest|tenant|student|person|man|woman|guy|girl|boy|friend|company|firm|team)\b|[他她]|[那这](?:个|位|家)?(?:客户|顾客|客人|买家|供应商|病人|同事|候选人|租客|学生|人|朋友|公司|团队)/iu;

/** The names that a question points back to. */
export interface Referents {
  readonly persons: readonly string[];
  readonly entities: readonly string[];
}

const NOBODY: Referents = Object.freeze({ persons: [], entities: [] });

/** True for words that stand for somebody whom the conversation has named: "that customer", "she", 那位客户. */
export function meansSomeone(question: string): boolean {
  return SOMEONE.test(question);
}

/** The question without the words that stand for somebody. */
export function withoutSomeone(question: string): string {
  return question.replace(new RegExp(SOMEONE, "giu"), " ");
}

/** Whom or what the last turn that names anyone names, besides those who speak. */
export function referentsIn(recent: readonly DialogueTurn[], knownPersons: readonly string[]): Referents {
  const speaking = new Set(recent.map(({ speaker }) => speaker.toLowerCase()));
  const isSpokenOf = (name: string): boolean =>
    !speaking.has(name.toLowerCase()) && ![...speaking].some((speaker) => speaker.startsWith(`${name.toLowerCase()} `));
  for (const { content } of recent.slice(-LOOKED_THROUGH).reverse()) {
    const named = findNames(content, knownPersons);
    const persons = named.persons.filter(isSpokenOf);
    if (persons.length > 0 || named.entities.length > 0) return { persons, entities: named.entities };
  }
  return NOBODY;
}
