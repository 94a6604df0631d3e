import { contentStems, isStopWord } from "../../language/index.js";
import type { Hit } from "../../records/index.js";
import type { Asked } from "./asked.js";
import { type Evidence, names } from "./evidence.js";

/** Share of the question's telling words that the best sentence must hold. Below it there is no evidence, only likeness. */
const COVERAGE_FLOOR = 0.2;
/** Share from which a missing thing may be a paraphrase. */
const SURE_COVERAGE = 0.6;
/** A premise is somebody else's when that one's sentence holds so much of the question, and so much more than any of the asked person's. */
const OTHERS_COVERAGE = 0.5;
const OTHERS_LEAD = 0.1;
/** A thing with its article or owner; one in an adjunct ("in the summer") may be told in other words. */
const THING =
  /(?<!\b(?:at|in|on|during|for|from|to|with|about|by|after|before|through)\s)(?:\b(?:an?|the|his|her|their|my)|['’]s)\s+((?:\p{Ll}[\p{Ll}-]+\s?){1,3})/gu;
const LATIN_NAME = /^\p{Script=Latin}/u;

/**
 * Things that the question names by article or possessive: "the parrot", "Bram's sister". A paraphrase of a verb is common;
 * of the thing that is asked about it is not.
 */
function thingsOf({ question, stems }: Asked): string[] {
  return Array.from(question.matchAll(THING), ([, phrase = ""]) => {
    const words = phrase.trim().split(/\s+/u);
    const end = words.findIndex(isStopWord);
    return (end < 0 ? words : words.slice(0, end)).filter((word) =>
      contentStems(word).every((stem) => stems.get(stem) === 1),
    );
  }).flatMap((words) => (words.length === 0 ? [] : words.join(" ")));
}

/** Words that none of the hits holds. */
function unheard(words: readonly string[], hits: readonly Hit[]): string[] {
  const held = new Set(
    hits.flatMap((hit) =>
      contentStems([hit.text, hit.speaker, ...hit.persons, ...(hit.entry?.keywords ?? [])].join(" ")),
    ),
  );
  return words.filter((word) => contentStems(word).every((stem) => !held.has(stem)));
}

function bestOf(evidence: readonly Evidence[], owner: Evidence["owner"]): number {
  return Math.max(0, ...evidence.filter((one) => one.owner === owner).map(({ coverage }) => coverage));
}

/** True when what is asked of one person is known of another one only. */
function isOthers(evidence: readonly Evidence[], asked: Asked): boolean {
  if (asked.persons.length !== 1) return false;
  const others = bestOf(evidence, "other");
  return (
    others >= OTHERS_COVERAGE && others - Math.max(bestOf(evidence, "asked"), bestOf(evidence, "nobody")) >= OTHERS_LEAD
  );
}

function silence({ language }: Asked, missing: string): string {
  return language === "zh" ? `记忆中没有关于“${missing}”的内容。` : `Nothing that is remembered speaks of ${missing}.`;
}

/** Why the question cannot be answered, in its language; null when there is evidence. */
export function findAbsence(evidence: readonly Evidence[], hits: readonly Hit[], asked: Asked): string | null {
  const { persons, stems, plan, question } = asked;
  const isAbout = ({ text, speaker, persons: named }: Hit): boolean =>
    persons.length === 0 || persons.some((person) => names(`${text} ${named.join(" ")} ${speaker ?? ""}`, person));
  const about = hits.filter(isAbout);
  if (about.length === 0) return silence(asked, persons.join(", ") || question);
  const best = Math.max(0, ...evidence.map(({ coverage }) => coverage));
  const words = [...stems.keys()];
  if (best < COVERAGE_FLOOR) {
    const absent = unheard(words, about);
    return silence(asked, (absent.length > 0 ? absent : words).join(", "));
  }
  if (isOthers(evidence, asked)) {
    return asked.language === "zh"
      ? `记忆中说的是别人，不是${persons.join("、")}。`
      : `What is remembered of it is about somebody else than ${persons.join(", ")}.`;
  }
  const absentNames = unheard(
    plan.entities.filter((name) => LATIN_NAME.test(name)),
    about,
  );
  const absent = best >= SURE_COVERAGE ? absentNames : [...absentNames, ...unheard(thingsOf(asked), about)];
  return absent.length > 0 ? silence(asked, absent.join(", ")) : null;
}
