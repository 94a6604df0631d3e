import type { Slot } from "./slot.js";
import { planSlotOf, sameThing } from "./slots-plans.js";

interface SlotRule {
  readonly pattern: RegExp;
  /** Fixed name of the attribute; absent: the pattern's group `attribute` names it. */
  readonly attribute?: string;
  /** Fixed value; absent: the pattern's group `value` holds it. */
  readonly value?: string;
  /** Whether the value must be written as a name: one moves to Porthaven, but also to the next topic. */
  readonly valueIsName?: true;
}

const NAME_START = /^(?:the )?\p{Lu}/u;

/** "Ilse said: ", which says who claims it and not whose attribute it is. */
const LEADING_SPEAKER = /^[^,;:.!?，。：]{1,60}? ?(?:said|说)[:：] ?/iu;
/** "As of 2025-02-01, " and the like. */
const LEADING_TIME = /^(?:as of|since|on|in|by) [^,]{1,40}, /i;
/** Where a value ends and an adjunct of time, reason or company begins. */
const VALUE_END =
  /(?:[,;.!?。！？，；]|\s(?:since|because|and|but|with|on|at|from|for|after|before|until|when|now|anymore|any more|again|instead|in (?:\d|January|February|March|April|May|June|July|August|September|October|November|December))(?=[\s.!?]|$)).*$/su;
const SUBJECT = "(?<subject>[^,;:?!。，]{1,60}?)";
const NOW = "(?:(?:now|has|have|had|just|currently|recently|also|finally|still) )*";
/** Nouns of which a person or thing has one at a time. */
const SINGLE_NOUN =
  "(?:[\\w-]+ ){0,3}?(?:code|password|passcode|pin|address|phone number|phone|number|e-?mail(?: address)?|rent|salary|budget|deadline|price|age|birthday|weight|height|shoe size|job|job title|title|employer|boss|manager|status|home ?town|nickname|username|room|plan|version)";
const STATUS =
  "(?:cancell?ed|postponed|confirmed|delayed|finished|completed|done|on hold|approved|rejected|scheduled|open|closed)";
const LIKES = "(?:(?:really|very much|absolutely|now) )?(?:likes?|loves?|enjoys?|adores?|is fond of)";
const DISLIKES =
  "(?:(?:does not|doesn't|doesn’t|do not|don't|no longer|never) (?:really |even )?(?:likes?|loves?|enjoys?)|dislikes?|hates?|detests?|cannot stand|can't stand|is not fond of)";

const english = (source: string): RegExp => new RegExp(`^${SUBJECT} ${source}`, "iu");

const RULES: readonly SlotRule[] = Object.freeze([
  {
    pattern: english(`${NOW}(?:lives?|resides?|is living|is based) (?:in|at) (?<value>.+)$`),
    attribute: "residence",
  },
  {
    pattern: english(`${NOW}(?:moved|relocated) (?:back )?to (?<value>.+)$`),
    attribute: "residence",
    valueIsName: true,
  },
  {
    pattern: english(`${NOW}(?:works?|is working|started working|is employed) (?:at|for|with) (?<value>.+)$`),
    attribute: "employer",
  },
  {
    pattern: english(
      `${NOW}(?:got|has|took|started|starts) (?:a|the|his|her|their) (?:new )?job (?:at|with) (?<value>.+)$`,
    ),
    attribute: "employer",
  },
  { pattern: english(`${NOW}(?:works?|is working) as (?:an? )?(?<value>.+)$`), attribute: "job" },
  { pattern: english(`is ${NOW}(?<value>\\d{1,3}) years? old`), attribute: "age" },
  { pattern: english(`${NOW}(?:turned) (?<value>\\d{1,3})\\b`), attribute: "age" },
  {
    pattern: english(`(?:is|got|became) ${NOW}(?<value>single|married|divorced|engaged|widowed|separated)\\b`),
    attribute: "marital status",
  },
  {
    pattern: english(`(?:is|was|got|has been|have been|are) ${NOW}(?<value>${STATUS})\\b`),
    attribute: "status",
  },
  { pattern: english(`${DISLIKES} (?<attribute>.+)$`), value: "dislikes" },
  { pattern: english(`${LIKES} (?<attribute>.+)$`), value: "likes" },
  {
    pattern: new RegExp(
      `^(?<subject>[^,;:?!]{1,60}?)['’]s? (?:new |current )?(?<attribute>favou?rite [^,;:?!]{1,40}?) (?:is|was|became) ${NOW}(?<value>.+)$`,
      "iu",
    ),
  },
  {
    pattern: new RegExp(
      `^(?<subject>[^,;:?!]{1,60}?)['’]s? (?:new |current )?(?<attribute>${SINGLE_NOUN}) (?:is|was changed to|changed to|became) ${NOW}(?<value>.+)$`,
      "iu",
    ),
  },
  {
    pattern: new RegExp(
      `^the (?:new |current )?(?<attribute>${SINGLE_NOUN}) (?:of|for|to) (?<subject>[^,;:?!]{1,60}?) (?:is|was changed to|changed to|became) ${NOW}(?<value>.+)$`,
      "iu",
    ),
  },
  {
    pattern: /^(?<subject>[^，。；]{1,12}?)(?:现在|目前|刚|已经|已)*(?:住在|搬到了?|搬去了?|居住在)(?<value>.+)$/u,
    attribute: "residence",
  },
  {
    pattern: /^(?<subject>[^，。；]{1,12}?)(?:现在|目前|刚|已经|已)*在(?<value>[^，。；]{1,20}?)(?:工作|上班|任职)/u,
    attribute: "employer",
  },
  { pattern: /^(?<subject>[^，。；]{1,12}?)(?:今年|现在|已经)*(?<value>\d{1,3})岁/u, attribute: "age" },
  {
    pattern:
      /^(?<subject>[^，。；]{1,12}?)的(?<attribute>[^，。；]{0,8}?(?:密码|地址|电话|手机号|号码|邮箱|房租|工资|预算|截止日期|生日|年龄|职位))(?:现在)?(?:是|改成了?|改为|变成了?|为)(?<value>.+)$/u,
  },
  { pattern: /^(?<subject>[^，。；]{1,12}?)(?<attribute>最喜欢的[^，。；]{1,8}?)是(?<value>.+)$/u },
  { pattern: /^(?<subject>[^，。；不]{1,12}?)(?:不喜欢|讨厌|不再喜欢|不爱)(?<attribute>.+)$/u, value: "dislikes" },
  { pattern: /^(?<subject>[^，。；不]{1,12}?)(?:很|非常|也|更)?(?:喜欢|爱)(?<attribute>.+)$/u, value: "likes" },
]);

const PREFERS =
  /^(?<subject>[^,;:?!]{1,60}?) (?:now )?prefers? (?<value>.+?)(?: (?:over|to|rather than|instead of) (?<other>.+?))?[.!]?$/iu;
/** Wishes and plans state no attribute yet. */
const NOT_YET =
  /\b(?:will|would|wants? to|hopes? to|plans? to|planning to|going to|might|may|could|should|if|thinking (?:of|about)|used to)\b|打算|想要?|可能|如果|计划|以前/iu;

/** "Ilse takes the ferry because she" is nobody: the sentence says something else, and this only in passing. */
const CLAUSE =
  /\b(?:because|since|while|when|whenever|if|unless|that|who|whom|which|where|as|so|but|than|until|after|before|though|although)\b|因为|由于|如果/iu;

function clean(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/^(?:the|an?|his|her|their) /u, "")
    .replace(/\s+/gu, " ")
    .replace(/[\s.!?。！？"'“”]+$/u, "")
    .trim();
}

function feelingOf(object: string): string {
  return `feeling about ${clean(object.replace(VALUE_END, ""))}`;
}

/**
 * The single-valued attribute that a sentence states, or null when it states none.
 * @example slotOf("Ilse moved to Porthaven.") // { subject: "ilse", attribute: "residence", value: "porthaven" }
 */
export function slotOf(text: string): Slot | null {
  const sentence = text.trim().replace(LEADING_SPEAKER, "").replace(LEADING_TIME, "");
  const planned = planSlotOf(sentence);
  if (planned !== null || NOT_YET.test(sentence)) return planned;
  for (const rule of RULES) {
    const groups = rule.pattern.exec(sentence)?.groups;
    if (groups?.subject === undefined || CLAUSE.test(groups.subject)) continue;
    const { subject, attribute = "", value = "" } = groups;
    if (rule.valueIsName && !NAME_START.test(value)) continue;
    const named = rule.attribute ?? (rule.value === undefined ? clean(attribute) : feelingOf(attribute));
    const stated = rule.value ?? clean(value.replace(VALUE_END, ""));
    if (named === "" || stated === "") continue;
    return { subject: clean(subject), attribute: named.replace("favorite", "favourite"), value: stated };
  }
  return preferenceSlot(sentence);
}

/**
 * One word that stands for the attribute and the subject of a sentence: those of two that may compete are equal, however unlike
 * their words are. Null when it states no single-valued attribute.
 * @example attributeToken("Ilse moved to Porthaven.") // "ilse:residence"
 */
export function attributeToken(text: string): string | null {
  const slot = slotOf(text);
  if (slot === null) return null;
  const [subject = ""] = slot.subject.split(" ");
  return `${subject}:${slot.attribute}`.replace(/\s+/gu, "_");
}

/** A preference competes with others about the same kind of thing: what the last word of the object names. */
function preferenceSlot(sentence: string): Slot | null {
  const groups = PREFERS.exec(sentence)?.groups;
  if (groups?.subject === undefined || groups.value === undefined) return null;
  const value = clean(groups.value.replace(VALUE_END, ""));
  const kind =
    groups.other === undefined ? (value.split(" ").at(-1) ?? value) : [value, clean(groups.other)].sort().join(" or ");
  return { subject: clean(groups.subject), attribute: `preference in ${kind}`, value };
}

const GROUP = / (?:and|or|&|with) /u;

/** Whether two subjects name the same one: equal, or one is the other's first words ("ilse", "ilse corrin"). */
export function sameSubject(left: string, right: string): boolean {
  if (left === right) return true;
  if (GROUP.test(left) || GROUP.test(right)) return false;
  return left.startsWith(`${right} `) || right.startsWith(`${left} `);
}

/** Whether two slots are about the same attribute of the same subject. */
export function competing(left: Slot, right: Slot): boolean {
  return left.attribute === right.attribute && sameSubject(left.subject, right.subject) && sameThing(left, right);
}

/** Whether one value only says more than the other ("dunmore", "dunmore, ireland"). */
export function compatibleValues(left: string, right: string): boolean {
  if (left === right) return true;
  // "May 2025" only says less than "21 May 2025".
  if (left.endsWith(` ${right}`) || right.endsWith(` ${left}`)) return true;
  return !/\d/u.test(left + right) && (left.startsWith(`${right} `) || right.startsWith(`${left} `));
}
