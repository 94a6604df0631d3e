import { contentStems } from "../../language/index.js";
import type { Asked } from "./asked.js";
import type { Evidence } from "./evidence.js";
import { withoutDates } from "./times.js";

const PLACE =
  /\b(?:in|at|to|from|near|around|visit(?:ed|ing)?|(?<=\bwork(?:s|ed|ing)?\s)for)\s+((?:the\s+)?\p{Lu}[\p{L}'-]+(?:,?\s+(?:&\s+)?\p{Lu}[\p{L}'-]+)*)/gu;
/** A place without a name: "behind the old mill". */
const SPOT =
  /\b(?:in|at|on|near|behind|under|inside|beside|above|to|by)\s+(?:the|an?|his|her|their|my|our)\s+[\p{L}'-]+(?:\s+(?:of\s+the\s+)?[\p{L}'-]+(?=[.,!]|$))?/u;
const PLACE_CHINESE =
  /(?:住在|搬到|搬去|来到|去了|去过|在|到|去)([\p{Script=Han}]{2,6}?)(?:工作|上班|上学|读书|旅行|旅游|开会|住|玩|见|了|的|，|。|$)/gu;

function isAskedAlready(name: string, question: string): boolean {
  const asked = new Set(contentStems(question));
  return contentStems(name).every((stem) => asked.has(stem));
}

/** The places that a text names after "in", "to" and the like. */
export function placesIn(text: string): string[] {
  return [...text.matchAll(PLACE), ...text.matchAll(PLACE_CHINESE)].flatMap((match) => match[1] ?? []);
}

/** Where: a place of the telling sentence that the question does not name; a person or a month is none. */
export function whereOf(evidence: Evidence, asked: Asked): string | null {
  const { hit } = evidence;
  const text = withoutDates(evidence.text, hit, asked.timeZone);
  const persons = new Set(hit.persons.flatMap((name) => [name, name.split(/\s+/)[0] ?? name]));
  const location = hit.entry?.location;
  const places = [...placesIn(text), ...(location != null && text.includes(location) ? [location] : [])];
  const place = places.find((one) => !persons.has(one) && !isAskedAlready(one, asked.question));
  return place ?? SPOT.exec(text)?.[0] ?? null;
}
