import { contentStems, findNames, hasNegation } from "../../language/index.js";
import type { Asked } from "./asked.js";
import type { Evidence } from "./evidence.js";
import { kindOfThing, type News, newsOf } from "./phrases.js";
import { placesIn } from "./places.js";
import { withoutDates } from "./times.js";

/** Things that bear a title. */
const TITLED =
  /^(?:books?|novels?|movies?|films?|songs?|albums?|games?|series|shows?|plays?|poems?|bands?|artists?|musicians?|authors?|compan(?:y|ies)|brands?|teams?|tournaments?|podcasts?)$/iu;
const PLACES = /^(?:cit(?:y|ies)|countr(?:y|ies)|states?|places?|towns?|locations?|islands?|regions?|destinations?)$/iu;
const COLOURS =
  /\b(?:(?:light|dark|bright|pale|deep)\s+)?(?:red|orange|yellow|green|blue|purple|violet|pink|brown|black|white|grey|gray|turquoise|teal|beige|gold|silver)\b|[红橙黄绿蓝紫粉棕黑白灰]色/iu;
const COLOUR = /^colou?rs?$/iu;
const QUOTED = /"([^"]{2,60})"|“([^”]{2,60})”|《([^》]{1,40})》|'(\p{Lu}[^']{2,60})'/gu;
const CODE = /\b(?=[A-Z\d-]*\d)[A-Z][A-Z\d]*(?:-[A-Z\d]+)*\b/u;
const ASKS_CODE = /^(?:error|code|number|id|ticket|order|version|flight|password|pin)s?$/iu;
const ASKS_FEELING = /\bhow (?:did|does|do|was|is)\b.*\bfeel|\bhow\b.*\bfeel(?:ing)?\b/iu;
const FEELING =
  /\b(?:feel(?:s|ing)?|felt|is|was|am|'m|were)\s+((?:(?:so|really|very|pretty|super|quite|a bit|more)\s+)*\p{Ll}+(?:(?:,\s|,?\s?and\s|\s)(?:\p{Ll}+(?:ed|ful|ing|ous|ive|y|ic|al))\b)*)/u;
const REASON =
  /\b(?:because|since|so that|in order to|as)\s+([^.;!]+)|\b(?:so|to)\s+((?!the\b|an?\b|\p{Lu})\p{Ll}+\s[^.;,!]+)|因为([^。；，]+)|为了([^。；，]+)/u;
const NAMED = /\b(?:called|named|name is|name was)\s+["“]?(\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*)*)/u;
const ASKS_NAME = /\bnames?\b|\bcalled\b|名字|叫什么/iu;
const CHINESE_THING = /什么([\p{Script=Han}]{1,3})/u;

function firstGroup(match: RegExpExecArray | RegExpMatchArray | null): string | null {
  return (
    match
      ?.slice(1)
      .find((group) => group !== undefined)
      ?.trim() ?? null
  );
}

/** Names and titles of a sentence that the question does not hold. */
function titlesIn(text: string, { hit }: Evidence, asked: Asked): string[] {
  const stems = new Set(contentStems(asked.question));
  const isNews = (name: string): boolean => !contentStems(name).every((stem) => stems.has(stem));
  const quoted = Array.from(text.matchAll(QUOTED), (match) => firstGroup(match) ?? "");
  const names = quoted.length > 0 ? quoted : findNames(text, hit.persons).entities;
  return names.filter((name) => name !== "" && isNews(name));
}

/** What the sentence tells of the asked class of thing, when the class says what to look for. */
export function ofItsKind(evidence: Evidence, asked: Asked): string[] {
  const { thing } = asked;
  const text = withoutDates(evidence.text, evidence.hit, asked.timeZone);
  if (ASKS_NAME.test(asked.question)) {
    const name = firstGroup(NAMED.exec(text));
    if (name !== null) return [name];
  }
  if (thing === null) return [];
  if (COLOUR.test(thing)) return [COLOURS.exec(text)?.[0] ?? []].flat();
  if (ASKS_CODE.test(thing)) return [CODE.exec(text)?.[0] ?? []].flat();
  if (PLACES.test(thing)) return placesIn(text).filter((place) => !asked.question.includes(place));
  if (TITLED.test(thing)) return titlesIn(text, evidence, asked);
  const kind = kindOfThing(
    text,
    thing,
    new Set([...asked.stems.keys(), ...nameStems(asked)].filter((stem) => contentStems(thing)[0] !== stem)),
  );
  return kind === null ? [] : [kind];
}

function nameStems(asked: Asked): string[] {
  return asked.persons.flatMap((name) => contentStems(name));
}

/** The reason that a sentence gives. */
export function reasonOf({ text }: Evidence): string | null {
  return firstGroup(REASON.exec(text));
}

/** Telling words that a span is taken to hold when its kind says that it is what was asked for. */
const OF_ITS_KIND = 6;

/** What the sentence says beyond the question, and how much of it. */
export function thingOf(evidence: Evidence, asked: Asked): News | null {
  const [ofKind] = ofItsKind(evidence, asked);
  if (ofKind !== undefined) return { text: ofKind, words: OF_ITS_KIND };
  if (asked.language === "zh") return { text: chineseThing(evidence.text, asked), words: 1 };
  const text = withoutDates(evidence.text, evidence.hit, asked.timeZone);
  const feeling = ASKS_FEELING.test(asked.question) ? firstGroup(FEELING.exec(text)) : null;
  if (feeling !== null) return { text: feeling, words: OF_ITS_KIND };
  const named = new Set(nameStems(asked));
  return newsOf(text, new Set([...contentStems(asked.question), ...named]), named);
}

/** The word that ends in what is asked for: 绿茶 for 什么茶; else the sentence, which is short in Chinese. */
function chineseThing(text: string, asked: Asked): string {
  const kind = CHINESE_THING.exec(asked.question)?.[1];
  const found = kind === undefined ? null : new RegExp(`(\\p{Script=Han}{1,2}${kind})`, "u").exec(text)?.[1];
  return found ?? text;
}

/** Yes or no. */
export function yesOrNo({ text }: Evidence, asked: Asked): string {
  const isNo = hasNegation(text) !== hasNegation(asked.question);
  if (asked.language === "zh") return isNo ? "不是" : "是的";
  return isNo ? "No" : "Yes";
}
