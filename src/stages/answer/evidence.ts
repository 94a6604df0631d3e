import { contentStems, splitSentences } from "../../language/index.js";
import type { Hit } from "../../records/index.js";
import { type Asked, sensesOf } from "./asked.js";

/** One sentence of one hit, and how far it speaks of what is asked. */
export interface Evidence {
  readonly hit: Hit;
  /** The sentence, without who said it and what was quoted before it. */
  readonly text: string;
  /** The question that the sentence is the answer to, when it was one. */
  readonly reply: string | null;
  /** Share (0 to 1) of the question's telling words that the sentence holds; half a share for those in the rest of its hit. */
  readonly coverage: number;
  /** Whose words or doings it tells: of a person that the question names, of another one, or of nobody in particular. */
  readonly owner: "asked" | "other" | "nobody";
  /** 0 to 1: coverage, rank and owner together. */
  readonly score: number;
}

/** What an extractor quotes to make a sentence stand alone; it belongs to another memory. */
const QUOTED_BEFORE = /\s*\[after: ".*?"\]|（前文：“.*?”）/gsu;
const SAID = /^[^,;:.!?，。："“]{1,60}? (?:said|answered): |^[^，。：“]{1,20}?(?:说|回答)：/u;
const EXCHANGES = Object.freeze([
  /^(?<asker>[^"]{1,60}?) asked: "(?<question>.+?)" (?<answerer>[^"]{1,60}?) answered: "(?<reply>.+)"\.?$/su,
  /^(?<answerer>[^"]{1,60}?) was asked by (?<asker>[^"]{1,60}?): "(?<question>.+?)" and answered: "(?<reply>.+)"\.?$/su,
  /^(?<asker>[^“]{1,20}?)问：“(?<question>.+?)”(?<answerer>[^“]{1,20}?)回答：“(?<reply>.+)”$/su,
]);
const FIRST_PERSON = /\b(?:I|I['’]m|I['’]ve|my|we|our)\b|[我咱]/u;
/** Where one statement ends within a sentence. */
const STATEMENT_END = /;\s+/u;
/** How many words of a sentence its subject stands within. */
const SUBJECT_REACH = 48;
const WEIGHTS = Object.freeze({ coverage: 0.6, rank: 0.3, owner: 0.15, time: 0.2 });
/** What a word is worth that only the rest of the hit holds. */
const NEARBY_WORTH = 0.5;
/** What a word is worth that every sentence holds. */
const COMMON_WORTH = 0.3;
const OWNERSHIP = Object.freeze({ asked: 1, nobody: 0.5, other: 0 });

interface Said {
  readonly text: string;
  readonly reply: string | null;
  readonly about: string;
  readonly voice: string | null;
}

function sayings(hit: Hit): Said[] {
  const text = hit.text.replace(QUOTED_BEFORE, "").trim();
  for (const pattern of EXCHANGES) {
    const groups = pattern.exec(text)?.groups;
    const { question, reply, answerer } = groups ?? {};
    if (question === undefined || reply === undefined) continue;
    return [{ text: reply, reply: question, about: `${question} ${reply}`, voice: answerer?.trim() ?? null }];
  }
  const bare = text.replace(SAID, "");
  return splitSentences(bare)
    .flatMap((sentence) => sentence.split(STATEMENT_END))
    .filter((sentence) => contentStems(sentence).length > 0)
    .map((sentence) => ({ text: sentence, reply: null, about: sentence, voice: hit.speaker }));
}

function firstNames(name: string): string[] {
  return [name, ...name.split(/\s+/u)].map((part) => part.toLowerCase());
}

/** True when the text names the person, in full or by one of the names. */
export function names(text: string, person: string): boolean {
  const words = new Set(text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []);
  return (
    firstNames(person).some((part) => words.has(part)) || (/\p{Script=Han}/u.test(person) && text.includes(person))
  );
}

/** The earliest of the names in the head of the text, where its subject stands. */
function subjectOf(text: string, persons: readonly string[]): string | null {
  const head = text.slice(0, SUBJECT_REACH).toLowerCase();
  const places = persons
    .map((person) => {
      const at = firstNames(person).map((part) =>
        head.search(new RegExp(`(?<!\\p{L})${escaped(part)}(?!\\p{L})`, "u")),
      );
      const found = at.filter((index) => index >= 0);
      return { person, at: found.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...found) };
    })
    .filter(({ at }) => Number.isFinite(at))
    .sort((left, right) => left.at - right.at);
  return places[0]?.person ?? null;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");
}

function ownerOf(hit: Hit, said: Said, asked: Asked): Evidence["owner"] {
  if (asked.persons.length === 0) return "nobody";
  const isAsked = (person: string): boolean => asked.persons.some((name) => names(name, person) || names(person, name));
  const known = [...new Set([...asked.persons, ...hit.persons, ...(hit.speaker === null ? [] : [hit.speaker])])];
  const subject = said.reply === null ? subjectOf(said.text, known) : said.voice;
  if (subject !== null && isAsked(subject)) return "asked";
  if (FIRST_PERSON.test(said.text) && said.voice !== null) return isAsked(said.voice) ? "asked" : "other";
  if (asked.persons.some((person) => names(said.text, person))) return "asked";
  if (subject !== null) return "other";
  if (said.voice === null) return "nobody";
  return isAsked(said.voice) ? "asked" : "other";
}

/** Share of the weight of the question's telling words that a sentence, and less so its surroundings, hold. */
function shareOf(stems: ReadonlyMap<string, number>, own: ReadonlySet<string>, near: ReadonlySet<string>): number {
  if (stems.size === 0) return 1;
  let held = 0;
  let total = 0;
  for (const [stem, weight] of stems) {
    total += weight;
    const senses = sensesOf(stem);
    const isIn = (words: ReadonlySet<string>): boolean => senses.some((one) => words.has(one));
    held += isIn(own) ? weight : isIn(near) ? weight * NEARBY_WORTH : 0;
  }
  return held / total;
}

function isInRange(hit: Hit, range: Asked["plan"]["timeRange"]): boolean {
  if (range === null) return false;
  const holds = (instant: string | null | undefined): boolean =>
    instant != null &&
    (range.after === null || instant >= range.after) &&
    (range.before === null || instant < range.before);
  return holds(hit.timestamp) || holds(hit.entry?.mentionedAt);
}

/**
 * The question's telling words with what they are worth among these sentences: a word that nearly all of them hold does
 * not tell one from another.
 */
function discerning(stems: ReadonlyMap<string, number>, held: readonly ReadonlySet<string>[]): Map<string, number> {
  return new Map(
    Array.from(stems, ([stem, weight]) => {
      const senses = sensesOf(stem);
      const count = held.filter((one) => senses.some((sense) => one.has(sense))).length;
      return [stem, weight * (COMMON_WORTH + Math.log((held.length + 1) / (count + 1)))];
    }),
  );
}

/** What is known to be history tells nothing of the present, unless there is nothing else. */
function ofTheTimeAsked(hits: readonly Hit[], { wantsNewest }: Asked): readonly Hit[] {
  if (!wantsNewest) return hits;
  const current = hits.filter(({ features }) => (features?.retired ?? 0) >= 0);
  return current.length > 0 ? current : hits;
}

/** The sentences of all hits, the most telling first. */
export function gatherEvidence(found: readonly Hit[], asked: Asked): Evidence[] {
  const hits = ofTheTimeAsked(found, asked);
  const best = Math.max(Number.EPSILON, ...hits.map(({ score }) => score));
  const all = hits.flatMap((hit) => {
    const near = new Set(contentStems(`${hit.text} ${hit.entry?.keywords.join(" ") ?? ""}`));
    return sayings(hit).map((said) => ({ hit, said, near, own: new Set(contentStems(said.about)) }));
  });
  const worth = discerning(
    asked.stems,
    all.map(({ own }) => own),
  );
  const gathered = all.map(({ hit, said, own, near }): Evidence => {
    const owner = ownerOf(hit, said, asked);
    const score =
      WEIGHTS.coverage * shareOf(worth, own, near) +
      WEIGHTS.rank * (hit.score / best) +
      WEIGHTS.owner * OWNERSHIP[owner] +
      (isInRange(hit, asked.plan.timeRange) ? WEIGHTS.time : 0);
    return { hit, text: said.text, reply: said.reply, coverage: shareOf(asked.stems, own, near), owner, score };
  });
  return gathered.sort((left, right) => right.score - left.score);
}
