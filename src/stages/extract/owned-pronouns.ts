import { findNames } from "../../language/index.js";
import type { ExtractedItem } from "../../records/index.js";

const QUOTED = /"[^"]*"|“[^”]*”|「[^」]*」/gu;
/** Stand for whoever speaks: no sentence of its own can tell who. */
const OF_THE_TALK = /\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Ww]e|[Oo]ur|[Oo]urs|[Yy]ou|[Yy]ours?|us)\b|我|你|您|咱/u;
const OF_OTHERS = /\b(?:s?he|him|hers?|his|they|them|theirs?|its?|there)\b|[他她它]/iu;
const POSSESSIVE = /^(?:his|her|their|its)$/i;

/** Names of persons in the text, a first name and the full one counted once. */
function personsIn(text: string, item: ExtractedItem): string[] {
  const names = [...item.persons, item.speaker, ...findNames(text, [...item.persons]).persons];
  const held = names.filter((name) => text.includes(name) || text.includes(name.split(/\s/u)[0] ?? name));
  const firsts = held.map((name) => name.split(/\s/u)[0] ?? name);
  return [...new Set(firsts)];
}

/**
 * Whether the text itself tells whom its first pronoun means: "Bram sold his kayak". A possessive needs a name before it,
 * another pronoun exactly one: "Ilse told Maren that she won" tells nothing.
 */
export function ownsItsPronouns(item: ExtractedItem): boolean {
  const text = item.losslessRestatement.replace(QUOTED, "");
  const pronoun = OF_OTHERS.exec(text);
  if (pronoun === null || OF_THE_TALK.test(text)) return false;
  const persons = personsIn(text.slice(0, pronoun.index), item).length;
  return POSSESSIVE.test(pronoun[0]) ? persons > 0 : persons === 1;
}
