import type { Edit, Who } from "./pronoun-edits.js";

/** Longer ones first. Words that merely hold the character (其他, 吉他, 自我) are no pronouns. */
const PRONOUN = /我们|咱们|我|你们|您们|您|你|他们|她们|它们|(?<![其吉排])他(?![人国乡])|她|(?<![其])它|俺/gu;
const NO_PRONOUN_BEFORE = /自$/u;
const MALE_NOUN = /哥|弟|爸|父亲|丈夫|老公|儿子|爷爷|叔|舅|朋友|同事|老师|医生|老板|同学|孩子/u;
const FEMALE_NOUN = /姐|妹|妈|母亲|妻子|老婆|女儿|奶奶|姑|姨|朋友|同事|老师|医生|老板|同学|孩子/u;

function pronounsIn(text: string): RegExpExecArray[] {
  const all = Array.from(text.matchAll(PRONOUN));
  return all.filter((match) => !NO_PRONOUN_BEFORE.test(text.slice(0, match.index)));
}

/** The Chinese pronouns of a text, in order. */
export function findChinesePronouns(text: string): string[] {
  return pronounsIn(text).map(([pronoun]) => pronoun);
}

function groupName(who: Who): string {
  const others = (who.group ?? []).filter((name) => name !== who.speaker);
  return others.length === 0 ? `${who.speaker}等人` : [who.speaker, ...others].join("和");
}

function nameFor(pronoun: string, before: string, who: Who): string | null {
  if (pronoun === "我" || pronoun === "俺") return who.speaker;
  if (pronoun === "我们" || pronoun === "咱们") return groupName(who);
  if (pronoun === "你" || pronoun === "您") return who.addressee;
  if ((pronoun === "他" || pronoun === "她") && who.thirdPerson !== undefined) return who.thirdPerson(pronoun, before);
  if (pronoun === "他") return MALE_NOUN.test(before) ? null : who.antecedent;
  if (pronoun === "她") return FEMALE_NOUN.test(before) ? null : who.antecedent;
  return null;
}

/** A Latin name keeps a space from the Latin letters and digits beside it. */
function apart(name: string, before: string, after: string): string {
  const lead = /[A-Za-z\d]$/u.test(before) && /^[A-Za-z\d]/u.test(name) ? " " : "";
  return lead + name + (/[A-Za-z\d]$/u.test(name) && /^[A-Za-z\d]/u.test(after) ? " " : "");
}

/** What stands for each Chinese pronoun that can be resolved. Chinese verbs need no agreement. */
export function chinesePronounEdits(text: string, who: Who): Edit[] {
  return pronounsIn(text).flatMap((match) => {
    const name = nameFor(match[0], text.slice(0, match.index), who);
    if (name === null) return [];
    const [start, end] = [match.index, match.index + match[0].length];
    return [{ start, end, text: apart(name, text.slice(0, start), text.slice(end)) }];
  });
}
