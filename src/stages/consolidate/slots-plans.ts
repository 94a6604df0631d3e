import { contentStems, findTimes, type TimeMention } from "../../language/index.js";
import type { Slot } from "./slot.js";

/** Only written dates count here, so that any moment serves. */
const ANY_MOMENT = Object.freeze({ instant: "2000-01-01T12:00:00.000Z", offsetMinutes: 0 });
const PLAN =
  /^(?<subject>[^,;:?!。，]{1,60}?) (?:now |still |also )?(?:will|wants to|plans to|is planning to|hopes to|intends to|is going to|has decided to|decided to|would like to|are going to|want to|plan to) (?:now |finally |then )?(?<verb>\p{Ll}+) (?<thing>.+)$/u;
const EVENT =
  /^(?:the |an? )?(?<thing>[^,;:?!。，]{2,60}?) (?<verb>is|are|will be|takes place|is now|starts?|begins?|ends?|opens?|closes?|(?:was|were|is|has been|have been|got) (?:moved|postponed|rescheduled|pushed|planned|scheduled|set|put off)(?: back| forward)?) (?:for |to |from |until |now )*(?:on |in |at )?(?=.*\d)/iu;
const HAN = /\p{Script=Han}/u;
const PLAN_ZH = /^(?<subject>[^，。；]{1,12}?)(?:现在)?(?:打算|计划|准备|要|将|会)(?<thing>.+?)[。！]?$/u;
/** Where the thing ends and how, when or with whom begins. */
const THING_END =
  /\s(?:on|at|by|instead|because|since|with|for|from|before|after|until|when|if|together|this|next)\b.*$|[,;.!?].*$/su;
const PLACE_OF_THING = / (?:in|of|at|near) (?:the )?/u;
const NO_QUALIFIER = /^(?:an?|the|his|her|their|my|our|new|own|first|second|third|next|another|big|small)$/iu;
const TURNING_POINT: readonly (readonly [RegExp, string])[] = [
  [/^(?:starts?|begins?)/iu, "start"],
  [/^ends?/iu, "end"],
  [/^opens?/iu, "opening"],
  [/^closes?/iu, "closing"],
];

/** A date slot: when something is to happen. A newer date replaces the older one while that is still ahead. */
export function isDateSlot(slot: Slot): boolean {
  return slot.attribute.startsWith("date of ");
}

/**
 * When somebody means to do something, or when something is to take place; null when no date is written.
 * @example planSlotOf("Ilse will open the Skerrow bakery on 21 June 2025.")
 * // { subject: "ilse", attribute: "date of open bakery", qualifiers: ["skerrow"], value: "21 June 2025" }
 */
export function planSlotOf(sentence: string): Slot | null {
  if (![PLAN, EVENT, HAN].some((shape) => shape.test(sentence))) return null;
  const dates = findTimes(sentence, ANY_MOMENT).filter(({ kind, relative }) => kind === "date" && !relative);
  const [first] = dates;
  if (first === undefined) return null;
  return chinesePlan(sentence, first) ?? plan(sentence, first) ?? event(sentence, dates);
}

function plan(sentence: string, date: TimeMention): Slot | null {
  const groups = PLAN.exec(sentence)?.groups;
  if (groups === undefined) return null;
  const { subject = "", verb = "", thing = "" } = groups;
  const named = thingOf(thing, date);
  if (named === null) return null;
  const attribute = `date of ${verb} ${named.head}`;
  return { subject: subject.toLowerCase(), attribute, value: date.written, qualifiers: named.qualifiers };
}

function event(sentence: string, dates: readonly TimeMention[]): Slot | null {
  const groups = EVENT.exec(sentence)?.groups;
  const { thing = "", verb = "" } = groups ?? {};
  const verbEnd = sentence.indexOf(verb, thing.length) + verb.length;
  const isMove = /moved|postponed|rescheduled|pushed|put off/iu.test(verb);
  const date = isMove ? dates.at(-1) : dates[0];
  // "The wedding is on 14 June", not "the cake is a gift that Liv ordered on 14 June".
  if (groups === undefined || date === undefined || (!isMove && date.start - verbEnd > MAX_GAP)) return null;
  const named = thingOf(thing, date);
  if (named === null) return null;
  const point = TURNING_POINT.find(([pattern]) => pattern.test(verb))?.[1] ?? "event";
  return { subject: named.head, attribute: `date of ${point}`, value: date.written, qualifiers: named.qualifiers };
}

/** Characters between the verb of an event and its date: "is on the ". */
const MAX_GAP = 8;

function chinesePlan(sentence: string, date: TimeMention): Slot | null {
  const undated = `${sentence.slice(0, date.start)}${sentence.slice(date.end)}`.replace(
    /[在于](?=$|\p{P})|(?<=[打划备要将会算])[在于]/gu,
    "",
  );
  const groups = PLAN_ZH.exec(undated)?.groups;
  if (groups?.subject === undefined || groups.thing === undefined || !HAN.test(sentence)) return null;
  const thing = groups.thing.replace(/，.*$/su, "");
  return { subject: groups.subject, attribute: `date of ${thing}`, value: date.written };
}

/** The head noun of what is planned, and the words that tell it from others of its kind. */
function thingOf(phrase: string, date: TimeMention): { head: string; qualifiers: string[] } | null {
  const at = phrase.indexOf(date.text);
  const undated = (at === -1 ? phrase : phrase.slice(0, at))
    .replace(/\s(?:in|on|at|by)\s*$/u, "")
    .replace(THING_END, "");
  const [main = "", ...places] = undated.trim().split(PLACE_OF_THING);
  const words = main.split(/[\s]+/u).filter((word) => word !== "" && !NO_QUALIFIER.test(word));
  const head = words.at(-1)?.toLowerCase();
  if (head === undefined || head === "it" || head === "that") return null;
  return { head, qualifiers: [...words.slice(0, -1), ...places].flatMap((word) => contentStems(word)) };
}

/** Whether two things of one kind may be the same: one is told from others by no word that the other lacks. */
export function sameThing(left: Slot, right: Slot): boolean {
  const first = new Set(left.qualifiers ?? []);
  const second = new Set(right.qualifiers ?? []);
  return [...first].every((word) => second.has(word)) || [...second].every((word) => first.has(word));
}
