import { contentStems, findNames } from "../../language/index.js";
import type { Asked } from "./asked.js";
import type { Evidence } from "./evidence.js";
import { placesIn } from "./places.js";

const FIRST_PERSON = /\b(?:I|my|we|our)\b|[我咱]/u;
const RELATION =
  "mother|father|mom|mum|dad|sister|brother|wife|husband|partner|daughter|son|aunt|uncle|cousin|grandmother|grandfather|grandma|grandpa|friend|friends|colleague|colleagues|neighbour|neighbor|boss|teacher|coach|family|mentor|mentors|kids|children|parents|teammates";
/** "my sister Ane": who bears the name is told with it. */
const RELATED_NAME = new RegExp(
  `\\b(?:${RELATION})\\s+(?:called\\s+|named\\s+|is\\s+)?(\\p{Lu}[\\p{L}'’-]+(?:\\s+\\p{Lu}[\\p{L}'’-]+)?)`,
  "u",
);
const RELATIVE = new RegExp(
  `\\b(?:my|his|her|their|our|\\p{Lu}\\p{L}+['’]s)\\s+(?:\\p{Ll}+\\s+)?(${RELATION})\\b`,
  "u",
);
/** Subject and verb: "Ane repairs", so that a name in an aside is not taken. */
const SUBJECT_OF = (stem: string): RegExp =>
  new RegExp(`(\\p{Lu}[\\p{L}'’-]+(?:\\s+\\p{Lu}[\\p{L}'’-]+)?)\\s+(?:\\p{Ll}+\\s+)?${stem}`, "iu");

/** The name that stands before the verb of the question. */
function subjectBeside(text: string, persons: readonly string[], asked: Asked): string | null {
  for (const stem of asked.stems.keys()) {
    if (!/^[a-z]{3,}$/u.test(stem)) continue;
    const subject = SUBJECT_OF(stem.replace(/[iy]$/u, "")).exec(text)?.[1];
    if (subject === undefined) continue;
    const person = persons.find(
      (name) => name === subject || name.split(/\s+/u).some((part) => subject.split(/\s+/u).includes(part)),
    );
    if (person !== undefined) return person;
  }
  return null;
}

/** Who: the person whose doing it is, else one whom the sentence names, else a relation ("her mother"); never one whom the question names. */
export function whoOf(evidence: Evidence, asked: Asked): string | null {
  const { hit, text } = evidence;
  const askedStems = new Set(contentStems(asked.question));
  const isNews = (name: string): boolean => !contentStems(name).some((stem) => askedStems.has(stem));
  const related = RELATED_NAME.exec(text)?.[1];
  const found = findNames(text, hit.persons).persons;
  const places = new Set(placesIn(text));
  const isIn = (name: string): boolean => name.split(/\s+/).some((part) => text.includes(part));
  const persons = [...new Set([...(related === undefined ? [] : [related]), ...found, ...hit.persons])].filter(
    (name) => isNews(name) && isIn(name) && !places.has(name),
  );
  const beside = subjectBeside(text, persons, asked);
  if (beside !== null) return beside;
  if (related !== undefined && persons.includes(related)) return related;
  if (hit.kind === "turn" && FIRST_PERSON.test(text) && hit.speaker !== null && isNews(hit.speaker)) return hit.speaker;
  const [person] = persons;
  return person ?? RELATIVE.exec(text)?.[0] ?? null;
}
