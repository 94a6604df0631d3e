import { isTellingWord, segmentWords } from "../language/index.js";
import type { Candidate } from "./candidate.js";
import type { TextProfile } from "./profile.js";

const ENDS_AS_QUESTION = /[?？]\s*(?:\[[^\]]*\])?\s*$/u;

export function endsAsQuestion(text: string): boolean {
  return ENDS_AS_QUESTION.test(text);
}

/** The words of the turn before; none where a session begins. */
export function wordsBefore({ around }: TextProfile): readonly number[] {
  for (const { offset, words } of around) if (offset === -1) return words;
  return [];
}

function hashOf(words: readonly number[]): number {
  let hash = words.length;
  for (let index = 0; index < words.length; index += 1) hash = (Math.imul(hash, 31) + (words[index] ?? 0)) | 0;
  return hash;
}

function sameWords(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((word, index) => word === right[index]);
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
    const hash = hashOf(candidate.profile.own);
    questions.set(hash, [...(questions.get(hash) ?? []), candidate]);
  }
  return (candidate) => {
    const { sessionId, speaker, profile } = candidate;
    const before = wordsBefore(profile);
    if (before.length === 0) return false;
    const asked = questions.get(hashOf(before)) ?? [];
    const isAnswered = asked.some(
      (one) => one.sessionId === sessionId && one.speaker !== speaker && sameWords(one.profile.own, before),
    );
    return isAnswered && tells(candidate);
  };
}
