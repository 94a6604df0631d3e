const NEGATION_EN =
  /\b(?:not|never|no longer|no|none|nobody|nothing|nowhere|neither|nor|without|cannot|hardly|barely)\b|n['’]t\b/iu;
/** "No problem", "no worries": replies that negate nothing. */
const POLITE_NO_EN =
  /\b(?:oh no|no (?:problem|worries|doubt|wonder|way|matter)|why not|not only|if not|(?:can['’]t|cannot) wait|could(?:n['’]t| not) agree more|never say never)\b/giu;
const NEGATION_ZH =
  /[没未勿]|不(?!过|仅|但|只是|久|管|同|断|如|错|客气|好意思|得不)|别(?!人|的|墅|致|名)|无(?:法|人|需|从)/u;
const CONDITION_EN =
  /\b(?:if|unless|provided(?: that)?|as long as|in case|otherwise|except|until|only when|depending on|on condition)\b/iu;
const CONDITION_ZH = /如果|要是|假如|倘若|除非|只要|只有|否则|不然|万一|的话|以防/u;

/** True when the text denies something. */
export function hasNegation(text: string): boolean {
  const denies = NEGATION_EN.test(text) && NEGATION_EN.test(text.replace(POLITE_NO_EN, " "));
  return denies || NEGATION_ZH.test(text);
}

/** True when the text says something that holds only under a condition. */
export function findConditions(text: string): boolean {
  return CONDITION_EN.test(text) || CONDITION_ZH.test(text);
}
