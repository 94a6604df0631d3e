import { contentStems, findConditions, splitSentences } from "../../language/index.js";

/** A statement that was made under a condition. */
export interface Conditional {
  readonly sentence: string;
  /** Stems of what holds only then. */
  readonly main: readonly string[];
  /** Stems of the condition, or of the exception. */
  readonly condition: readonly string[];
}

/** What opens a condition or an exception. "Only" and "until" say too many other things. */
const OPENER =
  /\b(?:if|unless|except(?: for)?|provided(?: that)?|as long as|in case|on condition(?: that)?)\b|如果|要是|假如|倘若|除非|只要|万一/iu;
/** Words with an "if" that sets no condition. */
const NO_CONDITION =
  /\b(?:even if|as if|what if|if not|if any(?:thing)?|if possible|if so|(?:see|know|wonder(?:s|ed|ing)?|ask(?:s|ed|ing)?|sure|tell|told|decide|remember) if)\b|即使|就算/giu;
const CLAUSE_END = /[,;，；]\s*/u;
/** What may stand before an opener without being the statement that it bounds. */
const CONJUNCTION = /^\W*(?:and|but|so|or|then|well|oh|yes|no|only|但是?|不过|而且|那|所以)*\W*$/iu;
/** Whether a statement is made under conditions in other words: read broadly, so that no honest entry is doubted. */
const MAY_DEPEND =
  /\b(?:when(?:ever)?|once|only|until|should|would|could|might|may|depends?|case|without|or|then|while)\b|才|就|的时候|再/iu;

/** Shares of stems from which a statement counts as restated, and its condition as told in other words. */
const RESTATED_SHARE = 0.6;
const TOLD_SHARE = 0.5;

/** Where an "if" stands that sets a condition. */
function openerIn(text: string): number {
  return text.replace(NO_CONDITION, (found) => "_".repeat(found.length)).search(OPENER);
}

/** What the clause at `index` bounds when its opener stands at its head: the next clause, or the one before. */
function boundBy(clauses: readonly string[], index: number, conjunction: string): string {
  const opensStatement = index === 0 || /\p{L}/u.test(conjunction);
  return clauses[opensStatement ? index + 1 : index - 1] ?? "";
}

function conditionalIn(sentence: string): Conditional | null {
  const clauses = sentence.split(CLAUSE_END);
  for (const [index, clause] of clauses.entries()) {
    const opener = openerIn(clause);
    if (opener === -1) continue;
    const before = clause.slice(0, opener);
    const main = CONJUNCTION.test(before) ? boundBy(clauses, index, before) : before;
    if (!/[\p{L}\p{N}]/u.test(main)) continue;
    return { sentence, main: contentStems(main), condition: contentStems(clause.slice(opener)) };
  }
  return null;
}

/** The conditional statements of a text, questions apart; one of each sentence. */
export function conditionalsIn(text: string): Conditional[] {
  if (!findConditions(text)) return [];
  return splitSentences(text).flatMap((sentence) =>
    /[?？]\s*$/u.test(sentence) ? [] : (conditionalIn(sentence) ?? []),
  );
}

function share(stems: readonly string[], held: ReadonlySet<string>): number {
  return stems.length === 0 ? 0 : stems.filter((stem) => held.has(stem)).length / stems.length;
}

/** Whether the text states what was said under the condition, and leaves the condition out. */
export function dropsCondition(text: string, { main, condition }: Conditional): boolean {
  if (findConditions(text)) return false;
  const stems = new Set(contentStems(text));
  return share(main, stems) >= RESTATED_SHARE && share(condition, stems) < TOLD_SHARE;
}

/** Whether the text sets a condition of which none of these says anything. */
export function addsCondition(text: string, said: readonly string[]): boolean {
  return openerIn(text) !== -1 && !said.some((one) => findConditions(one) || MAY_DEPEND.test(one));
}
