import {
  contentStems,
  findNames,
  findNumbers,
  findTimeSpans,
  hasBarePronoun,
  hasNegation,
  hasRelativeTime,
  splitSentences,
} from "../../language/index.js";
import type { DialogueTurn, ExtractedItem } from "../../records/index.js";
import { isAskedPreference } from "./asked.js";
import { addsCondition, type Conditional, conditionalsIn, dropsCondition } from "./conditions.js";
import { ISO_DATE, wrongTimes } from "./dates.js";

export { type Fidelity, fidelityOf } from "./fidelity.js";

export type GuardCode =
  | "blank"
  | "not_well_formed"
  | "bare_pronoun"
  | "relative_time"
  | "ungrounded_number"
  | "ungrounded_name"
  | "lost_negation"
  | "lost_condition"
  | "added_condition"
  | "only_asked"
  | "invalid_date"
  | "unknown_source"
  | "from_prompt";

export interface GuardProblem {
  readonly code: GuardCode;
  /** The offending words, or what is wrong with them. */
  readonly detail: string;
}

export interface GuardResult {
  readonly ok: boolean;
  readonly problems: readonly GuardProblem[];
}

export interface GuardOptions {
  /** What the model was told besides the turns: instructions, examples. An item made of it is no memory. */
  readonly promptTexts?: readonly string[];
  /** Facts known before; names may come from them. */
  readonly neighbours?: readonly string[];
}

const CLOCK_TIME = /(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?!\d)/gu;
const CONTROL = /[\p{Cc}\uFFFD]/u;
const ALLOWED_CONTROL = /[\n\r\t]/gu;
const NOT_WORD = /[^\p{L}\p{N}]+/gu;
const CLAUSE_END = /[,;，；]\s*/u;
/** A source sentence is restated by an item that holds this share of its content stems. */
const RESTATED_SHARE = 0.6;
/** Shorter pieces of a prompt are everyday words that a turn may hold as well. */
const PROMPT_PIECE_MIN_CHARS = 20;

const keyOf = (text: string): string => text.normalize("NFKC").toLowerCase().replace(NOT_WORD, " ").trim();

/**
 * Checks one item against the turns that it was made from. Works for English and Chinese.
 *
 * Numbers must stand in the cited turns, the turn before each of them (the question that a short answer answers) or
 * the context; names in any turn of the window, the context, or a neighbouring fact.
 *
 * @param sourceTurns the new turns of the window, in the order of speech; the item's `sourceIds` must be among them
 * @param contextTurns turns that explain, and that no item may cite
 * @example checkItem(item, turns, context).problems // [{ code: "bare_pronoun", detail: "She starts there" }]
 */
export function checkItem(
  item: ExtractedItem,
  sourceTurns: readonly DialogueTurn[],
  contextTurns: readonly DialogueTurn[],
  options: GuardOptions = {},
): GuardResult {
  return createItemCheck(sourceTurns, contextTurns, options)(item);
}

/** `checkItem` for many items of one window, whose turns are then read once. */
export function createItemCheck(
  sourceTurns: readonly DialogueTurn[],
  contextTurns: readonly DialogueTurn[],
  options: GuardOptions = {},
): (item: ExtractedItem) => GuardResult {
  const turns = [...contextTurns, ...sourceTurns];
  const words = [...turns.flatMap((turn) => [turn.speaker, turn.content]), ...(options.neighbours ?? [])];
  const said = ` ${keyOf(words.join("\n"))} `;
  const heard = new HeardTurns();
  return (item) => check(item, sourceTurns, contextTurns, options, said, heard);
}

/** What the guards ask of a turn; each answer is found once. */
class HeardTurns {
  readonly #saysTime = new Map<DialogueTurn, boolean>();
  readonly #numbers = new Map<DialogueTurn, readonly string[]>();
  readonly #negated = new Map<DialogueTurn, readonly Negated[]>();
  readonly #conditional = new Map<DialogueTurn, readonly Conditional[]>();

  saysTime(turn: DialogueTurn): boolean {
    return answered(this.#saysTime, turn, () => findTimeSpans(turn.content).length > 0);
  }

  numbers(turn: DialogueTurn): readonly string[] {
    return answered(this.#numbers, turn, () => findNumbers(turn.content));
  }

  /** Negated sentences and clauses, questions apart. */
  negated(turn: DialogueTurn): readonly Negated[] {
    return answered(this.#negated, turn, () => negatedIn(turn.content));
  }

  /** Statements that hold under a condition, questions apart. */
  conditional(turn: DialogueTurn): readonly Conditional[] {
    return answered(this.#conditional, turn, () => conditionalsIn(turn.content));
  }
}

function answered<T>(known: Map<DialogueTurn, T>, turn: DialogueTurn, find: () => T): T {
  const answer = known.get(turn) ?? find();
  known.set(turn, answer);
  return answer;
}

function check(
  item: ExtractedItem,
  sourceTurns: readonly DialogueTurn[],
  contextTurns: readonly DialogueTurn[],
  options: GuardOptions,
  said: string,
  heard: HeardTurns,
): GuardResult {
  const text = item.losslessRestatement;
  if (keyOf(text) === "") return { ok: false, problems: [{ code: "blank", detail: "the restatement is empty" }] };
  const cited = sourceTurns.filter((turn) => item.sourceIds.includes(turn.dialogueId));
  const evidence = [...contextTurns, ...withPredecessors(cited, sourceTurns)];
  const problems: GuardProblem[] = [
    ...wellFormed(text),
    ...(hasBarePronoun(text) ? [{ code: "bare_pronoun" as const, detail: text }] : []),
    ...(hasRelativeTime(text) ? [{ code: "relative_time" as const, detail: text }] : []),
    ...knownSources(item, sourceTurns),
    ...validDates(item),
    ...groundedNumbers(text, evidence, heard),
    ...groundedNames(item, said),
    ...keptPolarity(text, cited, evidence, heard),
    ...keptConditions(text, cited, evidence, heard),
    ...notOnlyAsked(item, cited),
    ...notFromPrompt(text, evidence, options.promptTexts ?? []),
  ];
  return { ok: problems.length === 0, problems };
}

function withPredecessors(cited: readonly DialogueTurn[], turns: readonly DialogueTurn[]): DialogueTurn[] {
  return turns.filter((turn, index) => {
    const next = turns[index + 1];
    return cited.includes(turn) || (next !== undefined && cited.includes(next));
  });
}

function wellFormed(text: string): GuardProblem[] {
  const lone = /\p{Cs}/u.test(text);
  const control = CONTROL.test(text.replace(ALLOWED_CONTROL, ""));
  return lone || control ? [{ code: "not_well_formed", detail: "lone surrogates or control characters" }] : [];
}

function knownSources(item: ExtractedItem, turns: readonly DialogueTurn[]): GuardProblem[] {
  if (item.sourceIds.length === 0) return [{ code: "unknown_source", detail: "no source is named" }];
  const known = new Set(turns.map((turn) => turn.dialogueId));
  return item.sourceIds
    .filter((id) => !known.has(id))
    .map((id) => ({ code: "unknown_source", detail: `${id} is no turn of this window` }));
}

function validDates(item: ExtractedItem): GuardProblem[] {
  return wrongTimes(item).map((detail) => ({ code: "invalid_date", detail }));
}

/** The text without the spans of its dates and times of day. */
function withoutTimes(text: string): { rest: string; hasDate: boolean } {
  let rest = text;
  for (const { start, end } of findTimeSpans(text)) {
    rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end);
  }
  rest = rest.replace(ISO_DATE, " ").replace(CLOCK_TIME, " ");
  return { rest, hasDate: rest !== text };
}

function groundedNumbers(text: string, evidence: readonly DialogueTurn[], heard: HeardTurns): GuardProblem[] {
  if (evidence.length === 0) return [];
  const { rest, hasDate } = withoutTimes(text);
  const isSaid = (number: string): boolean =>
    evidence.some((turn) => turn.content.includes(number) || heard.numbers(turn).includes(number));
  const problems: GuardProblem[] = findNumbers(rest)
    .filter((number) => !isSaid(number))
    .map((detail) => ({ code: "ungrounded_number", detail }));
  if (hasDate && !datesGrounded(text, evidence, heard)) {
    problems.push({ code: "ungrounded_number", detail: "a date, though no turn speaks of a time" });
  }
  return problems;
}

/** A date may be worked out from any time that was mentioned, or be the day of speech itself. */
function datesGrounded(text: string, evidence: readonly DialogueTurn[], heard: HeardTurns): boolean {
  const saysTime = evidence.some((turn) => heard.saysTime(turn));
  const days = evidence.map((turn) => localDay(turn));
  return saysTime || [...text.matchAll(ISO_DATE)].every(([date]) => days.some((day) => day.startsWith(date)));
}

function localDay(turn: DialogueTurn): string {
  return new Date(Date.parse(turn.timestamp) + turn.offsetMinutes * 60_000).toISOString().slice(0, 10);
}

function groundedNames(item: ExtractedItem, said: string): GuardProblem[] {
  const found = findNames(item.losslessRestatement, [...item.persons]);
  const names = new Set([...item.persons, ...found.persons, ...found.entities]);
  return [...names]
    .filter((name) =>
      keyOf(name)
        .split(" ")
        .some((word) => !said.includes(word)),
    )
    .map((detail) => ({ code: "ungrounded_name", detail }));
}

function isQuestion(sentence: string): boolean {
  return /[?？]\s*$/u.test(sentence);
}

interface Negated {
  readonly text: string;
  readonly stems: readonly string[];
}

function negatedIn(content: string): readonly Negated[] {
  if (!hasNegation(content)) return [];
  return splitSentences(content)
    .flatMap((sentence) => (isQuestion(sentence) ? [] : [sentence, ...sentence.split(CLAUSE_END)]))
    .filter(hasNegation)
    .map((text) => ({ text, stems: contentStems(text) }));
}

/** Whether the item's stems hold most of the sentence's. */
function isRestated({ stems }: Negated, itemStems: ReadonlySet<string>): boolean {
  const shared = stems.filter((stem) => itemStems.has(stem)).length;
  return stems.length > 0 && shared / stems.length >= RESTATED_SHARE;
}

function keptPolarity(
  text: string,
  cited: readonly DialogueTurn[],
  evidence: readonly DialogueTurn[],
  heard: HeardTurns,
): GuardProblem[] {
  if (hasNegation(text)) {
    const saidNo = evidence.length === 0 || evidence.some((turn) => hasNegation(turn.content));
    return saidNo ? [] : [{ code: "lost_negation", detail: "a negation that no turn holds" }];
  }
  const negated = cited.flatMap((turn) => heard.negated(turn));
  if (negated.length === 0) return [];
  const stems = new Set(contentStems(text));
  return negated.filter((one) => isRestated(one, stems)).map((one) => ({ code: "lost_negation", detail: one.text }));
}

function keptConditions(
  text: string,
  cited: readonly DialogueTurn[],
  evidence: readonly DialogueTurn[],
  heard: HeardTurns,
): GuardProblem[] {
  const contents = evidence.map((turn) => turn.content);
  if (contents.length > 0 && addsCondition(text, contents)) {
    return [{ code: "added_condition", detail: "a condition that no turn holds" }];
  }
  return cited
    .flatMap((turn) => heard.conditional(turn))
    .filter((one) => dropsCondition(text, one))
    .map((one) => ({ code: "lost_condition", detail: one.sentence }));
}

function notOnlyAsked(item: ExtractedItem, cited: readonly DialogueTurn[]): GuardProblem[] {
  const contents = cited.map((turn) => turn.content);
  const isAsked = isAskedPreference(item.losslessRestatement, item.kind, contents);
  return isAsked ? [{ code: "only_asked", detail: "a preference of which a question alone speaks" }] : [];
}

function notFromPrompt(
  text: string,
  evidence: readonly DialogueTurn[],
  promptTexts: readonly string[],
): GuardProblem[] {
  if (promptTexts.length === 0) return [];
  const key = keyOf(text);
  const said = keyOf(evidence.map((turn) => turn.content).join("\n"));
  if (said.includes(key)) return [];
  return promptTexts
    .filter((prompt) => {
      const piece = keyOf(prompt);
      return piece.includes(key) || (piece.length >= PROMPT_PIECE_MIN_CHARS && key.includes(piece));
    })
    .map(() => ({ code: "from_prompt", detail: text }));
}
