import { estimateTokens } from "../../models/index.js";
import type { DialogueTurn } from "../../records/index.js";
import type { LineOf } from "./lines.js";

/** A sentence of at most this many characters stands whole in one piece, wherever the cut falls. */
const OVERLAP_CHARACTERS = 240;
const WHITE_SPACE = /\s/u;
const SENTENCE_END = /[.!?]["'”’)]?\s+|[。！？\n]/gu;
/** Highest estimate for one UTF-16 unit, of a wide character: a text this short always fits. */
const MAX_TOKENS_PER_UNIT = 0.9;
/** Lowest estimate for one UTF-16 unit: a text longer than this never fits. */
const MIN_TOKENS_PER_UNIT = 0.25;

function isInsidePair(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** How many UTF-16 units from `start` fit into `maxTokens`; never half of a surrogate pair. */
function fittingLength(text: string, start: number, maxTokens: number): number {
  let low = Math.max(2, Math.floor(maxTokens / MAX_TOKENS_PER_UNIT) - 1);
  let high = Math.max(low, Math.floor(maxTokens / MIN_TOKENS_PER_UNIT));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(text.slice(start, start + middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return isInsidePair(text, start + low) ? low - 1 : low;
}

/** Where a piece best ends: after the last sentence of its second half, else after its last word. */
function cutOf(piece: string): { length: number; isSentenceEnd: boolean } {
  const half = piece.length / 2;
  const sentence = [...piece.matchAll(SENTENCE_END)].at(-1);
  const sentenceEnd = sentence === undefined ? 0 : sentence.index + sentence[0].length;
  if (sentenceEnd > half) return { length: sentenceEnd, isSentenceEnd: true };
  for (let index = piece.length - 1; index > half; index--) {
    if (WHITE_SPACE.test(piece.charAt(index))) return { length: index + 1, isSentenceEnd: false };
  }
  return { length: piece.length, isSentenceEnd: false };
}

/** Cuts a text into pieces of at most `maxTokens`; a piece that ends within a sentence is overlapped by the next. */
export function* piecesOf(text: string, maxTokens: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const room = fittingLength(text, start, maxTokens);
    if (start + room >= text.length) {
      yield text.slice(start);
      return;
    }
    const { length, isSentenceEnd } = cutOf(text.slice(start, start + room));
    yield text.slice(start, start + length);
    const back = isSentenceEnd ? 0 : Math.min(OVERLAP_CHARACTERS, Math.floor(length / 4));
    start += length - back;
    if (isInsidePair(text, start)) start -= 1;
  }
}

/** The turn in pieces whose lines each fit; the turn alone when its line does. */
function* partsOf(turn: DialogueTurn, maxTokens: number, lineOf: LineOf): Generator<DialogueTurn> {
  if (turn.content.length * MIN_TOKENS_PER_UNIT <= maxTokens && estimateTokens(lineOf(turn)) <= maxTokens) {
    yield turn;
    return;
  }
  const frame = estimateTokens(lineOf(turn, ""));
  // Line feeds become " / ", so a piece may grow; a piece that then does not fit is cut again.
  for (const content of piecesOf(turn.content, Math.max(1, maxTokens - frame - 1))) {
    const part = { ...turn, content };
    if (estimateTokens(lineOf(part)) <= maxTokens || content.length <= OVERLAP_CHARACTERS) yield part;
    else
      yield* [...piecesOf(content, Math.max(1, (maxTokens - frame - 1) / 3))].map((half) => ({
        ...turn,
        content: half,
      }));
  }
}

/** Turns in groups whose lines each fit one prompt, made one at a time; a turn that is too long comes in parts. */
export function* batchesOf(
  turns: readonly DialogueTurn[],
  maxTokens: number,
  lineOf: LineOf,
): Generator<DialogueTurn[]> {
  let current: DialogueTurn[] = [];
  let used = 0;
  for (const turn of turns) {
    for (const part of partsOf(turn, maxTokens, lineOf)) {
      const tokens = estimateTokens(`${lineOf(part)}\n`);
      if (used + tokens > maxTokens && current.length > 0) {
        yield current;
        current = [];
        used = 0;
      }
      current.push(part);
      used += tokens;
    }
  }
  if (current.length > 0) yield current;
}

/** The last of these turns that fit, in the order of speech; of one that does not, its end. */
export function lastTurnsWithin(turns: readonly DialogueTurn[], maxTokens: number, lineOf: LineOf): DialogueTurn[] {
  const kept: DialogueTurn[] = [];
  let left = maxTokens;
  for (const turn of turns.toReversed()) {
    const frame = estimateTokens(lineOf(turn, "")) + 1;
    // A wide character may take a token of its own, and a line feed becomes three characters.
    const room = Math.floor(left - frame);
    if (room <= 0) break;
    const fits = turn.content.length <= room / MIN_TOKENS_PER_UNIT && estimateTokens(lineOf(turn)) < left;
    const content = fits ? turn.content : turn.content.slice(-room).replace(/^[\uDC00-\uDFFF]/, "");
    kept.unshift({ ...turn, content });
    left -= estimateTokens(lineOf(turn, content)) + 1;
    if (!fits) break;
  }
  return kept;
}
