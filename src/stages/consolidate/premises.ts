import { contentStems } from "../../language/index.js";
import type { MemoryEntry } from "../../records/index.js";
import { type Profile, profileOf } from "./profile.js";

/** What follows gives the reason of a statement, or what it holds for. */
const REASON =
  /\b(?:because(?: of)?|since|as long as|while|given that|now that|so long as|due to)\b(.+)$|(?:因为|由于|既然|只要)(.+)$/iu;

/**
 * Whether a statement rests on another one, which it names as its reason: when that is no longer so, it is in doubt.
 * @param premise with the value of the attribute that it states, if it states one
 * @example restsOn("Ilse takes the 7:40 train because she works at Quill & Fern.", premise) // true
 */
export function restsOn({ losslessRestatement: text, persons, speaker }: MemoryEntry, premise: MemoryEntry): boolean {
  const [, english, chinese] = REASON.exec(text) ?? [];
  const reason = english ?? chinese;
  if (reason === undefined || !isOfOne([...persons, speaker], [...premise.persons, premise.speaker])) return false;
  const given = new Set(contentStems(reason));
  const telling = tellingStems(premise, profileOf(premise));
  return telling.length > 0 && telling.every((stem) => given.has(stem));
}

/** What the premise says of its subject: the value that is no longer so, or all of its words. */
function tellingStems({ persons, speaker }: MemoryEntry, { slot, stems }: Profile): string[] {
  if (slot !== null) return contentStems(slot.value);
  const names = new Set([...persons, speaker].flatMap((name) => contentStems(name)));
  return stems.filter((stem) => !names.has(stem));
}

function isOfOne(left: readonly string[], right: readonly string[]): boolean {
  const names = new Set(left.map((name) => name.toLowerCase()));
  return right.some((name) => names.has(name.toLowerCase()));
}
