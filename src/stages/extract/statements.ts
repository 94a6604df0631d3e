import { hasNegation, splitSentences } from "../../language/index.js";
import { countDetails, type GainContext, informationGain, isUnderThreshold, tellingStems } from "./density.js";
import { withoutVocatives } from "./vocatives.js";

/** Sentences that make sense only after the one before them. */
const DEPENDENT =
  /^(?:(?:and|but|so|or|then|also|plus|because|which|since) )?(?:that|this|it|its|it's|it’s|they|those|these|them|there|both|neither|one of|the (?:first|second|other|latter|former) one)\b|^(?:and|but|so|or|because|which|plus|then|also)\b|^(?:那|这|它|其中|而且|但是?|所以|因为|后来|然后|并且|不过|他|她)/iu;
const QUESTION = /[?？]["'”’)]*\s*$/u;
/** A sentence of fewer telling words is kept with the one before it. */
const SHORT_SENTENCE_STEMS = 2;
/** Sentences of one turn that an entry joins at most. */
const MAX_JOINED = 4;

export function isQuestion(sentence: string): boolean {
  return QUESTION.test(sentence);
}

/** Whether the sentence leans on the one before it. */
export function isDependent(sentence: string): boolean {
  return DEPENDENT.test(sentence);
}

/** Words that open a sentence and say nothing; "no" says something. */
const FILLER =
  /^(?:(?:yes|yeah|yep|well|oh|wow|haha|hey|hi|ah|aww|anyway|honestly|sure|ok|okay|thanks|thank you|嗯|哦|哈哈|好的|by the way|and again|and remember|remember|exactly|true|noted|sorry|no worries|hm+|btw|also|actually|you know|i mean|是的|对)[,，!！:：]\s*)+(?=\S)/iu;

function withoutFiller(sentence: string): string {
  return sentence.replace(FILLER, "").replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

export interface Statement {
  readonly text: string;
  /** Leans on a sentence that was not kept or was said by someone else. */
  readonly isLoose: boolean;
}

/**
 * The statements of a text: sentences worth keeping, with those joined that depend on each other. Questions and small
 * talk are left out.
 *
 * @param isPhrase further sentences to leave out
 */
export function statementsOf(
  text: string,
  context: GainContext,
  threshold: number,
  isPhrase: (sentence: string) => boolean = () => false,
): Statement[] {
  const groups: { sentences: string[]; isLoose: boolean }[] = [];
  let previousKept = false;
  // What is said again in one breath says no more.
  for (const spoken of new Set(splitSentences(withoutVocatives(text, context.speakers ?? [])))) {
    const sentence = withoutFiller(spoken);
    const last = groups.at(-1);
    const leans = isDependent(sentence);
    const tells = !isUnderThreshold(informationGain(spoken, context), threshold);
    // "It just wasn't right" says little alone, and turns round what it leans on.
    const turnsRound: boolean = leans && previousKept && hasNegation(sentence);
    const worthKeeping: boolean = !isQuestion(sentence) && !isPhrase(sentence) && (tells || turnsRound);
    if (
      worthKeeping &&
      previousKept &&
      last &&
      last.sentences.length < MAX_JOINED &&
      (leans || isShort(sentence, context))
    ) {
      last.sentences.push(sentence);
    } else if (worthKeeping) {
      groups.push({ sentences: [sentence], isLoose: leans });
    }
    previousKept = worthKeeping;
  }
  return groups.map(({ sentences, isLoose }) => ({ text: joined(sentences), isLoose }));
}

/** Nothing of its own to find it by: it belongs to the sentence before. */
function isShort(sentence: string, context: GainContext): boolean {
  return tellingStems(sentence).length < SHORT_SENTENCE_STEMS && countDetails(sentence, context) === 0;
}

/** "It cost 40 euros." after its sentence becomes "…; it cost 40 euros.": what "it" is stands before it. */
function joined(sentences: readonly string[]): string {
  return sentences.map(closed).reduce((all, next) => {
    if (/^\p{Script=Han}/u.test(next)) return all + next;
    if (!isDependent(next)) return `${all} ${next}`;
    return `${all.replace(/[.!…]+$/u, "")}; ${next.charAt(0).toLowerCase()}${next.slice(1)}`;
  });
}

function closed(sentence: string): string {
  return /[.!?…。！？:;"”’)\]`]$/u.test(sentence)
    ? sentence
    : `${sentence}${/\p{Script=Han}$/u.test(sentence) ? "。" : "."}`;
}
