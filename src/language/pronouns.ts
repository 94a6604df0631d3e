import type { Edit, Who } from "./pronoun-edits.js";
import { chinesePronounEdits, findChinesePronouns } from "./pronouns-chinese.js";
import { blankQuotes } from "./quotes.js";
import { isAdverb, isAuxiliary, isParticiple, isPastVerb, mayBePresentVerb, thirdPerson } from "./verbs.js";

interface Token {
  readonly text: string;
  /** Lower-cased, with straight apostrophes. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

type Case = "subject" | "object" | "possessive" | "reflexive";
type Person = "speaker" | "addressee" | "third" | "group";

const WORD = /[\p{Script=Latin}\d]+(?:['’]\p{Script=Latin}+)*/gu;
const CONTRACTED = /^(i|you|we|they|he|she)'(m|re|ve|ll|d|s)$/u;
const PRONOUNS: Readonly<Record<string, readonly [Person, Case]>> = Object.freeze({
  i: ["speaker", "subject"],
  im: ["speaker", "subject"],
  me: ["speaker", "object"],
  my: ["speaker", "possessive"],
  mine: ["speaker", "possessive"],
  myself: ["speaker", "reflexive"],
  we: ["group", "subject"],
  us: ["group", "object"],
  our: ["group", "possessive"],
  ours: ["group", "possessive"],
  ourselves: ["group", "reflexive"],
  you: ["addressee", "subject"],
  your: ["addressee", "possessive"],
  yours: ["addressee", "possessive"],
  yourself: ["addressee", "reflexive"],
  he: ["third", "subject"],
  him: ["third", "object"],
  his: ["third", "possessive"],
  she: ["third", "subject"],
  her: ["third", "object"],
  hers: ["third", "possessive"],
  they: ["third", "subject"],
  them: ["third", "object"],
  their: ["third", "possessive"],
  theirs: ["third", "possessive"],
});
const NUMERAL_BEFORE =
  /\b(?:War|Part|Chapter|Type|Volume|Phase|Act|Section|Level|Class|Stage|Appendix|Elizabeth|Henry)\s+$/u;
const MINE_AS_NOUN = /\b(?:the|a|an|coal|gold|salt|silver|copper|land)\s+$/iu;
const SENTENCE_START = /(?:^|[.!?…\n]["”’)]*\s*|^\s*[-*•]\s*)$/u;
const POINTING_ALONE =
  /(?:^|[.!?\n]\s+)(?:(it)(?:['’]s|\s+\p{Ll})|(this|that|these|those)(?:['’]s\b|\s+(?:is|was|are|were|will|would|has|have|had|makes?|made|sounds?|looks?|means?|helps?|helped|went|can|could)\b))/giu;
/** Verbs and auxiliaries after which subject and verb are turned round or the verb is bare. */
const BARE_VERB_AFTER = new Set(
  "do does did don't doesn't didn't can could will would shall should may might must can't couldn't won't wouldn't shouldn't let help make made see saw watch have has had haven't hasn't are is am were was aren't isn't weren't wasn't".split(
    " ",
  ),
);
/** Words after which "you" is never a subject. */
const OBJECT_AFTER = new Set(
  "to for with of about from at on by than without between near behind beside against toward towards thank thanks love miss tell told ask asked show showed give gave".split(
    " ",
  ),
);
/** Words after which a clause begins. */
const CLAUSE_AFTER = new Set(
  "that if when what how where why because so and but or think hope know glad sure wish guess bet say said as since while before after until whether who which once unless happy see suppose thought knew hoped everything anything something all way time".split(
    " ",
  ),
);
/** After "her" these tell the object from the possessive. */
const NO_NOUN = new Set(
  "to already and or but for with in at on about the a an when because if that this yesterday today tomorrow tonight last next again so as from by of into up out off over down back there here too very is was will would has had can could some any it every each all then now who what where how while since until before after well once twice yet though away".split(
    " ",
  ),
);
const PERSON_NOUNS =
  "friend|cousin|boss|doctor|teacher|colleague|neighbou?r|kid|child|partner|manager|coach|client|student|roommate|baby|therapist";
const MALE_NOUN = new RegExp(
  `\\b(?:brother|father|dad|husband|son|uncle|grandpa|grandfather|boyfriend|nephew|guy|man|boy|${PERSON_NOUNS})\\b`,
  "iu",
);
const FEMALE_NOUN = new RegExp(
  `\\b(?:sister|mother|mom|mum|wife|daughter|aunt|grandma|grandmother|girlfriend|niece|lady|woman|girl|${PERSON_NOUNS})\\b`,
  "iu",
);
const PLURAL_NOUN =
  /\b(?:kids|children|people|parents|friends|folks|guys|men|women|everyone|everybody|(?:the|my|our|your|his|her|these|those|some|many|several|few|two|three|four|five|new|old)\s+(?:\p{Ll}+\s+)?\p{Ll}{2,}(?<!s)s)\b/iu;

function tokensOf(text: string): Token[] {
  return Array.from(text.matchAll(WORD), (match) => ({
    text: match[0],
    key: match[0].toLowerCase().replaceAll("’", "'"),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Tells pronouns from words that only look like one: "US", "World War I", "the coal mine". */
function isPronoun(token: Token, text: string): boolean {
  const bare = token.key.replace(/'.*$/u, "");
  if (!Object.hasOwn(PRONOUNS, bare) || (token.key !== bare && !CONTRACTED.test(token.key))) return false;
  const before = text.slice(Math.max(0, token.start - 20), token.start);
  if (bare === "i")
    return (
      !NUMERAL_BEFORE.test(before) && !/^\.\w/u.test(text.slice(token.end, token.end + 2)) && !/[\w./@-]$/u.test(before)
    );
  if (bare === "im") return token.text !== "IM";
  if (bare === "us" || bare === "me") return token.text !== token.text.toUpperCase();
  return bare !== "mine" || !MINE_AS_NOUN.test(before);
}

/** The pronouns that only a reader of the context can resolve, in order, without repeats. */
function barePronouns(text: string): string[] {
  const open = blankQuotes(text);
  const found = tokensOf(open)
    .filter((token) => isPronoun(token, open))
    .map((token) => token.text.replace(/['’].*$/u, ""));
  for (const match of open.matchAll(POINTING_ALONE)) found.push(match[1] ?? match[2] ?? "");
  return [...new Set([...found, ...findChinesePronouns(open)])];
}

/** True when the text cannot stand alone because a pronoun is left in it. Quoted speech does not count. */
export function hasBarePronoun(text: string): boolean {
  return barePronouns(text).length > 0;
}

/** @example possessiveOf("Ilse") // "Ilse's" */
function possessiveOf(name: string): string {
  return name === OTHERS || name.endsWith(` ${OTHERS}`) ? `${name}'` : `${name}'s`;
}

const OTHERS = "others";

function groupName(who: Who): string {
  const members = [who.speaker, ...(who.group ?? []).filter((name) => name !== who.speaker)];
  if (members.length === 1) members.push(OTHERS);
  return `${members.slice(0, -1).join(", ")} and ${members.at(-1)}`;
}

/** The text itself names someone whom the pronoun may mean: then the antecedent from outside is not clear. */
function hasOwnAntecedent(key: string, before: string): boolean {
  if (/^the/u.test(key)) return PLURAL_NOUN.test(before);
  return (/^h(?:e|im|is)\b/u.test(key) ? MALE_NOUN : FEMALE_NOUN).test(before);
}

class EnglishRewriter {
  readonly edits: Edit[] = [];
  readonly #tokens: readonly Token[];

  constructor(
    private readonly text: string,
    private readonly who: Who,
  ) {
    this.#tokens = tokensOf(text);
  }

  run(): readonly Edit[] {
    this.#tokens.forEach((token, index) => {
      if (isPronoun(token, this.text)) this.#rewrite(token, index);
    });
    return this.edits;
  }

  #nameFor(person: Person, token: Token): string | null {
    if (person === "speaker") return this.who.speaker;
    if (person === "addressee") return this.who.addressee;
    if (person === "group") return groupName(this.who);
    const before = this.text.slice(0, token.start);
    if (this.who.thirdPerson !== undefined) return this.who.thirdPerson(token.key.replace(/'.*$/u, ""), before);
    return hasOwnAntecedent(token.key, before) ? null : this.who.antecedent;
  }

  #rewrite(token: Token, index: number): void {
    const [bare = "", suffix] = token.key.split("'");
    if (bare === "you" && this.#isSeveral(index)) return;
    const entry = PRONOUNS[bare];
    const name = entry && this.#nameFor(entry[0], token);
    if (!entry || !name) return;
    const [person, role] = entry;
    if (suffix !== undefined || bare === "im") {
      this.#replace(token, `${name} ${this.#contracted(suffix ?? "m", person, index)}`);
    } else if (role === "possessive" || (bare === "her" && this.#ownsNext(index))) {
      this.#replace(token, possessiveOf(name));
    } else {
      this.#replace(token, name);
      if (role === "subject" && person !== "group" && bare !== "he" && bare !== "she") this.#agree(index, bare);
    }
  }

  /** "both of you", "you guys": no one name says that. */
  #isSeveral(index: number): boolean {
    const next = this.#neighbour(index, 1)?.key ?? "";
    if (/^(?:two|guys|all|both|three|folks)$/u.test(next)) return true;
    const isOf = this.#neighbour(index, -1)?.key === "of";
    return isOf && /^(?:both|all|two|three|each|some|many)$/u.test(this.#neighbour(index - 1, -1)?.key ?? "");
  }

  #replace(token: Token, text: string): void {
    this.edits.push({ start: token.start, end: token.end, text });
  }

  /** The neighbour in the same phrase: only blanks lie between. */
  #neighbour(index: number, step: 1 | -1): Token | null {
    const [here, there] = [this.#tokens[index], this.#tokens[index + step]];
    if (here === undefined || there === undefined) return null;
    const gap = step === 1 ? this.text.slice(here.end, there.start) : this.text.slice(there.end, here.start);
    return /^[^\S\n]+$/u.test(gap) ? there : null;
  }

  /** The word after the subject that is no adverb, and its place. */
  #verbAfter(index: number): { verb: Token; at: number } | null {
    for (let at = index; ; at++) {
      const next = this.#neighbour(at, 1);
      if (next === null) return null;
      if (!isAdverb(next.text)) return { verb: next, at: at + 1 };
    }
  }

  #contracted(suffix: string, person: Person, index: number): string {
    const after = this.#verbAfter(index)?.verb;
    const hasParticiple = after !== undefined && isParticiple(after.text);
    const isPlural = person === "group";
    if (suffix === "m" || suffix === "re") return isPlural ? "are" : "is";
    if (suffix === "ve") return isPlural ? "have" : "has";
    if (suffix === "ll") return "will";
    if (suffix === "d") return hasParticiple ? "had" : "would";
    return hasParticiple && /^(?:been|got|had|gone|done)$/u.test(after.key) ? "has" : "is";
  }

  #ownsNext(index: number): boolean {
    const next = this.#neighbour(index, 1);
    return next !== null && !NO_NOUN.has(next.key);
  }

  /** "Tom and I went": the subject is plural, so its verb stays. */
  #isJoined(index: number): boolean {
    const and = this.#neighbour(index, -1);
    if (and?.key !== "and") return false;
    const partner = this.#neighbour(index - 1, -1);
    const [mayBeOwner] = partner ? [this.#neighbour(index - 2, -1)] : [null];
    if (partner === null) return false;
    const starts = (token: Token) =>
      SENTENCE_START.test(this.text.slice(0, token.start)) || /[,;]\s*$/u.test(this.text.slice(0, token.start));
    if (starts(partner) && !isAuxiliary(partner.text)) return true;
    return mayBeOwner !== null && /^(?:my|our|your|his|her|the)$/u.test(mayBeOwner.key) && starts(mayBeOwner);
  }

  #agree(index: number, bare: string): void {
    const before = this.#neighbour(index, -1);
    if (before !== null && BARE_VERB_AFTER.has(before.key)) {
      this.#agreeInverted(before);
      return;
    }
    const found = this.#verbAfter(index);
    if (found === null) return;
    if (this.#isJoined(index)) {
      if (found.verb.key === "am") this.#replace(found.verb, "are");
      return;
    }
    if (bare !== "i" && !this.#isSubject(before, found.verb)) return;
    const agreed = thirdPerson(found.verb.text);
    if (agreed === found.verb.text) return;
    this.#replace(found.verb, agreed);
    this.#agreeSecondVerb(found.at);
  }

  /** "I swim and run": the second verb of the same subject agrees too. */
  #agreeSecondVerb(at: number): void {
    const and = this.#neighbour(at, 1);
    const second = and?.key === "and" ? this.#neighbour(at + 1, 1) : null;
    if (second !== null && mayBePresentVerb(second.text) && !isAuxiliary(this.#tokens[at]?.text ?? "")) {
      this.#replace(second, thirdPerson(second.text));
    }
  }

  /** "Do I", "are you": the verb stands before its subject. */
  #agreeInverted(verb: Token): void {
    const questions: Readonly<Record<string, string>> = {
      do: "does",
      have: "has",
      am: "is",
      are: "is",
      were: "was",
      "don't": "doesn't",
      "haven't": "hasn't",
      "aren't": "isn't",
      "weren't": "wasn't",
    };
    const agreed = questions[verb.key];
    // "I have you to thank", "to have you here": only a verb that opens its clause is turned round.
    if (agreed === undefined || (verb.key === "have" && !this.#startsClause(verb))) return;
    this.#replace(verb, /^\p{Lu}/u.test(verb.text) ? agreed.charAt(0).toUpperCase() + agreed.slice(1) : agreed);
  }

  #startsClause(token: Token): boolean {
    return (
      !/[\p{L}\d]\s+$/u.test(this.text.slice(0, token.start)) ||
      /\b(?:what|how|where|when|why|who|which|or|and)\s+$/iu.test(this.text.slice(0, token.start))
    );
  }

  /** Whether "you" or "they" governs the verb after it, or is the object of the words before it. */
  #isSubject(before: Token | null, verb: Token): boolean {
    if (before === null) return true;
    if (OBJECT_AFTER.has(before.key)) return false;
    if (CLAUSE_AFTER.has(before.key) || isAuxiliary(verb.text)) return true;
    return !mayBePresentVerb(before.text) && !isPastVerb(before.text);
  }
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const edit of edits.toSorted((left, right) => right.start - left.start)) {
    result = result.slice(0, edit.start) + edit.text + result.slice(edit.end);
  }
  return result;
}

/**
 * Writes names for pronouns, with verbs that agree. Quoted speech and code stay. "he", "she" and "they" are resolved
 * only with an antecedent, and not when the text itself speaks of someone else whom they may mean.
 *
 * @returns The new text, and the pronouns that are left in it.
 * @example resolvePronouns("I love my dog", { speaker: "Ilse", addressee: null, antecedent: null }).text // "Ilse loves Ilse's dog"
 */
export function resolvePronouns(text: string, who: Who): { text: string; unresolved: string[] } {
  const open = blankQuotes(text);
  const edits = [...new EnglishRewriter(open, who).run(), ...chinesePronounEdits(open, who)];
  const resolved = applyEdits(text, edits);
  return { text: resolved, unresolved: barePronouns(resolved) };
}
