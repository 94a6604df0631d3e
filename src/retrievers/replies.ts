import { isTellingWord, segmentWords } from "../language/index.js";
import type { Candidate } from "./candidate.js";
import { NO_WORDS, type TextProfile, type Words } from "./profile.js";

const ENDS_AS_QUESTION = /[?？]\s*(?:\[[^\]]*\])?\s*$/u;

export function endsAsQuestion(text: string): boolean {
  // Most texts ask nothing, which is seen sooner than where a text ends.
  return (text.includes("?") || text.includes("？")) && ENDS_AS_QUESTION.test(text);
}

/** The words of the turn before; none where a session begins. */
export function wordsBefore({ around }: TextProfile): Words {
  for (const { offset, words } of around) if (offset === -1) return words;
  return NO_WORDS;
}

/** "Fine." after a question answers nothing that anybody asks for later. */
function tells({ text }: Candidate): boolean {
  return segmentWords(text).some(isTellingWord);
}

/**
 * Tells whether a candidate was said right after a question of somebody else, of those that were found. A text keeps the words of the
 * turn before it, and by these the question is known: nothing is read for it.
 */
export function repliesAmong(candidates: readonly Candidate[]): (candidate: Candidate) => boolean {
  const questions = new Map<number, Candidate[]>();
  for (const candidate of candidates) {
    if (candidate.kind !== "turn" || !endsAsQuestion(candidate.text)) continue;
    const { id } = candidate.profile.own;
    questions.set(id, [...(questions.get(id) ?? []), candidate]);
  }
  return (candidate) => {
    const { sessionId, speaker, profile } = candidate;
    const { id } = wordsBefore(profile);
    const asked = id === NO_WORDS.id ? [] : (questions.get(id) ?? []);
    const isAnswered = asked.some((one) => one.sessionId === sessionId && one.speaker !== speaker);
    return isAnswered && tells(candidate);
  };
}
