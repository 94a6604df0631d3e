import { contentStems, isStopWord } from "../../language/index.js";

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly isStop: boolean;
  /** The question holds it too, so that it cannot be what is asked for. */
  readonly isAsked: boolean;
  /** The question tells by it what is asked for; the names in it do not. */
  readonly isTelling: boolean;
  /** A clause begins here. */
  readonly opens: boolean;
}

/** What a sentence says beyond a question. */
export interface News {
  readonly text: string;
  /** Telling words that are not the question's. */
  readonly words: number;
}

const WORD = /[\p{L}\d][\p{L}\p{M}\d]*(?:[-'’.,:/](?=[\p{L}\d])[\p{L}\d]+)*%?|[$€£¥]\d[\d,.]*/gu;
/** Words that open a clause of their own. */
const CLAUSE_OPENER = /^(?:but|so|although|though|while|whereas|since|which|who|if|unless|when|then)$/iu;
const CLAUSE_MARK = /[;:.!?()[\]—–]|\s-\s/u;
/** Words that lead to an answer and are none of it. */
const LEADING =
  /^(?:really|actually|definitely|totally|always|just|also|lately|recently|currently|finally|even|still|only|pretty|super|so|very|got|get|getting|been|made|make|makes|said|says|thinks?|lots?|bit|bunch|of|others|sure|great|thanks|thank|wow|yeah|yep|haha|oh|hey|btw|look|check|here|went|goes?|going|took|looking|started|wants?|wanted|has|have|that|it|and)$/iu;
/** Words that trail behind an answer. */
const TRAILING = /^(?:now|today|already|again|too|lately|please|recently|soon|here|there|ever|though|yet|while)$/iu;
/** A comma parts statements, unless what follows it runs on as a list: ", faith, and strength". */
const LIST_AFTER =
  /^\s*[^,;.!?]{1,40}?(?:,\s+(?:and|or)\b|\s(?:and|or)\b|,[^,;.!?]{1,40}?\s(?:and|or)\b)|^\s*(?:and|or)\b/u;
/** Longer phrases say more than was asked. */
const MAX_WORDS = 11;
const MAX_COUNTED = 4;
/** What a telling word of the question, of which two count, is worth beside the news of its clause. */
const TELLING_WORTH = 2;
const NO_NAMES: ReadonlySet<string> = new Set();

function tokensOf(text: string, askedStems: ReadonlySet<string>, names: ReadonlySet<string>): Token[] {
  let lastEnd = 0;
  return Array.from(text.matchAll(WORD), (match) => {
    const between = text.slice(lastEnd, match.index);
    lastEnd = match.index + match[0].length;
    const isStop = isStopWord(match[0]);
    const stems = isStop ? [] : contentStems(match[0]);
    const isAsked = stems.length > 0 && stems.every((stem) => askedStems.has(stem));
    return {
      text: match[0],
      start: match.index,
      end: lastEnd,
      isStop,
      isAsked,
      isTelling: isAsked && stems.some((stem) => !names.has(stem)),
      opens: CLAUSE_MARK.test(between) || CLAUSE_OPENER.test(match[0]) || endsAtComma(between, text.slice(match.index)),
    };
  });
}

function endsAtComma(between: string, rest: string): boolean {
  return between.includes(",") && !LIST_AFTER.test(rest);
}

function clausesOf(tokens: readonly Token[]): Token[][] {
  const clauses: Token[][] = [];
  for (const token of tokens) {
    if (token.opens || clauses.length === 0) clauses.push([]);
    clauses.at(-1)?.push(token);
  }
  return clauses;
}

function isNews({ text, isStop, isAsked }: Token): boolean {
  return !isStop && !isAsked && !LEADING.test(text);
}

/** Without what leads in and what trails off. */
function trimmed(tokens: readonly Token[]): Token[] {
  const first = tokens.findIndex((token) => isNews(token) || /^(?:no|not|never)$/iu.test(token.text));
  if (first < 0) return [];
  return tokens.slice(first, tokens.findLastIndex(({ isStop, text }) => !isStop && !TRAILING.test(text)) + 1);
}

/** The part of a clause that tells: what follows the question's words, else what stands between and before them. */
function tellingPart(clause: readonly Token[]): Token[] {
  const lastAsked = clause.findLastIndex(({ isAsked }) => isAsked);
  const after = trimmed(clause.slice(lastAsked + 1));
  const whole = trimmed(clause);
  return after.filter(isNews).length >= Math.min(2, whole.filter(isNews).length) ? after : whole;
}

/**
 * What a sentence says beyond the question: of its most telling clause, the words that follow the question's. Null when
 * the sentence says nothing else.
 * @example newsOf("Bram keeps bees behind the mill", new Set(["bram", "keep"])) // { text: "bees behind the mill", words: 2 }
 */
export function newsOf(
  text: string,
  askedStems: ReadonlySet<string>,
  names: ReadonlySet<string> = NO_NAMES,
): News | null {
  let best: { readonly part: Token[]; readonly worth: number } | null = null;
  for (const clause of clausesOf(tokensOf(text, askedStems, names))) {
    const part = tellingPart(clause).slice(0, MAX_WORDS);
    const worth =
      Math.min(MAX_COUNTED, part.filter(isNews).length) +
      TELLING_WORTH * Math.min(2, clause.filter(({ isTelling }) => isTelling).length);
    if (part.length > 0 && (best === null || worth > best.worth)) best = { part, worth };
  }
  const part = best === null ? [] : trimmed(best.part);
  const [first, last] = [part[0], part.at(-1)];
  if (first === undefined || last === undefined) return null;
  return { text: text.slice(first.start, last.end), words: part.filter(isNews).length };
}

/** The noun phrase that ends in the asked class of thing: "abstract art" for "art". Null when it has nothing before it. */
export function kindOfThing(text: string, thing: string, askedStems: ReadonlySet<string>): string | null {
  const [wanted] = contentStems(thing);
  const tokens = tokensOf(text, askedStems, NO_NAMES);
  for (const [index, token] of tokens.entries()) {
    if (token.isStop || contentStems(token.text)[0] !== wanted) continue;
    let from = index;
    while (from > 0 && !tokens[from]?.opens && isModifier(tokens[from - 1])) from--;
    const first = tokens[from];
    if (first !== undefined && from < index) return text.slice(first.start, token.end);
  }
  return null;
}

function isModifier(token: Token | undefined): boolean {
  return (
    token !== undefined &&
    !token.isStop &&
    !token.isAsked &&
    !/(?:ly|ed)$|^(?:made|got|new|went|took|did)$/iu.test(token.text)
  );
}
