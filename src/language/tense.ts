import type { Tense } from "./time-reading.js";

/** A full stop inside a number or a word ("8.45") ends nothing. */
const CLAUSE_BREAK = /^(?:[!?;。！？；\n]|\.(?!\S))/u;
/** What was put off lies ahead. */
const RESCHEDULED =
  /\b(?:was|were|been|is|are|got)\s+(?:moved|postponed|rescheduled|pushed|shifted|delayed|brought)(?:\s+(?:back|forward))?(?=\s+(?:from|to|until|till)\b)/giu;
/** "I'm excited", "is scheduled": participles that say nothing about the past. */
const STATE_PARTICIPLE =
  /(?:\b(?:am|is|are|be|been|get|getting)|['’](?:m|re|s))\s+(?:\w+ly\s+|so\s+|very\s+|too\s+)?\w+ed\b/giu;
/** "Is going to be done": participles that stand for what is not yet. */
const PASSIVE_INFINITIVE =
  /\bbe\s+(?:\w+ly\s+)?(?:done|made|held|built|sent|taken|given|put|paid|left|found|met|sold|kept|read|run|set)\b/giu;
const PRESENT_MODAL = /\b(?:need|speed|feed|indeed|bed|red|shed|wed|hundred|naked|sacred)\b/giu;
const PAST_EN =
  /\b(?:was|were|did|didn['’]t|wasn['’]t|weren['’]t|had|went|met|saw|got|made|took|came|gave|found|told|said|bought|brought|caught|taught|thought|felt|left|lost|won|ran|sang|swam|began|became|broke|chose|drove|flew|forgot|grew|heard|held|kept|knew|led|paid|rode|sent|slept|spent|spoke|stood|swept|threw|understood|wore|wrote|built|ate|drank|fell|hit|been|done|just|\w{2,}ed)\b/giu;
const FUTURE_EN =
  /\b(?:will|won['’]t|shall|going to(?! (?:the|an?|my|our|your|his|her|their)\b)|gonna|plan(?:s|ning)?|want(?:s)? to|hop(?:e|es|ing)|can|could|should|may|might|let['’]?s|must|ha(?:ve|s) to|need(?:s)? to|would|can['’]t wait|looking forward|upcoming|remind)\b|['’]ll\b|\b(?:am|is|are)\s+\w+ing\b|['’](?:m|re|s)\s+\w+ing\b/gu;
/** "Did you plan to", "why did Ilse want to": what follows is as past as the question. */
const PAST_QUESTION =
  /\bdid(?:n['’]t)?\s+(?:I|you|he|she|it|we|they|the|my|our|your|his|her|their|this|that|\p{Lu}\p{L}+)\b/iu;
const FUTURE_IN_PAST_QUESTION = /\b(?:will|won['’]t|shall|gonna)\b|['’]ll\b/gu;
/** Where no verb tells the tense: "sore after the run on Sunday", "ill since Friday", "thanks for the lift on Monday". */
const PAST_LEAD =
  /\b(?:since|because of|after (?:the|that|this|my|our|your|his|her|their|all)|thank(?:s| you) for)\b/iu;
const PAST_ZH = /了|过(?!来|去)|曾|已经/gu;
const FUTURE_ZH = /将|会|要|打算|计划|准备|想|得|该|记得|提醒/gu;
/** How far a clause is looked through on each side: a text without full stops is no clause. */
const CLAUSE_REACH = 400;

function nearest(text: string, pattern: RegExp, at: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (const match of text.matchAll(pattern)) best = Math.min(best, Math.abs(match.index - at));
  return best;
}

function clauseSpan(text: string, start: number, end: number): { from: number; to: number } {
  let from = start;
  while (from > 0 && start - from < CLAUSE_REACH && !CLAUSE_BREAK.test(text.slice(from - 1, from + 1))) from--;
  let to = end;
  while (to < text.length && to - end < CLAUSE_REACH && !CLAUSE_BREAK.test(text.slice(to, to + 2))) to++;
  return { from, to };
}

/** The clause that the span stands in. */
export function clauseAround(text: string, start: number, end: number): string {
  const { from, to } = clauseSpan(text, start, end);
  return text.slice(from, to);
}

/** The tense of the clause that the span stands in; the verb nearest to the span decides. */
export function tenseAround(text: string, start: number, end: number): Tense {
  const { from, to } = clauseSpan(text, start, end);
  const said = text.slice(from, to);
  const blank = (part: string) => " ".repeat(part.length);
  const clause = said
    .replace(RESCHEDULED, blank)
    .replace(PASSIVE_INFINITIVE, blank)
    .replace(STATE_PARTICIPLE, blank)
    .replace(PRESENT_MODAL, blank);
  const at = start - from;
  const past = Math.min(nearest(clause, PAST_EN, at), nearest(clause, PAST_ZH, at));
  const future = Math.min(
    nearest(said, PAST_QUESTION.test(said) ? FUTURE_IN_PAST_QUESTION : FUTURE_EN, at),
    nearest(said, RESCHEDULED, at),
    nearest(clause, FUTURE_ZH, at),
  );
  if (past === future) return PAST_LEAD.test(said.slice(0, at)) ? "past" : "unclear";
  return past < future ? "past" : "future";
}
