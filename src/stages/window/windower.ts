import { contentStems } from "../../language/index.js";
import type { DialogueTurn } from "../../records/index.js";
import type { TurnWindow, Windower, WindowOptions } from "./window.js";

export interface WindowerOptions extends WindowOptions {
  /** Also close a window that is not full at a pause, after a heavy turn, or where the topic turns. */
  readonly closeEarly: boolean;
  readonly countTokens: (text: string) => number;
}

/** A conversation that was silent for this long has ended for the window's purposes. */
export const PAUSE_MINUTES = 60;
/** A turn of this share of the token cap carries enough to be extracted without waiting for more. */
const HEAVY_TURN_SHARE = 0.25;
/** A topic counts as run on after this many turns: the window size of the SimpleMem paper. */
const TOPIC_RUN_TURNS = 10;
/** This many turns in a row without a word of the run before make a new topic… */
const TOPIC_TURN_TURNS = 3;
/** …if they say something at all. */
const TOPIC_TURN_MIN_STEMS = 6;
const MS_PER_MINUTE = 60_000;

function pauseBetween(earlier: DialogueTurn, later: DialogueTurn): boolean {
  return Date.parse(later.timestamp) - Date.parse(earlier.timestamp) > PAUSE_MINUTES * MS_PER_MINUTE;
}

function stemsOf(turns: readonly DialogueTurn[]): Set<string> {
  return new Set(turns.flatMap((turn) => [...contentStems(turn.content)]));
}

/** Whether, from `index` on, the turns leave the topic that has run up to there. */
function topicTurnsAt(turns: readonly DialogueTurn[], index: number): boolean {
  const next = turns.slice(index, index + TOPIC_TURN_TURNS);
  if (next.length < TOPIC_TURN_TURNS) return false;
  const after = stemsOf(next);
  if (after.size < TOPIC_TURN_MIN_STEMS) return false;
  const before = stemsOf(turns.slice(0, index));
  return [...after].every((stem) => !before.has(stem));
}

/** How many turns at the head of an open window are closed already; 0 when all of it may still grow. */
function closedHead(turns: readonly DialogueTurn[], tokens: readonly number[], maxTokens: number): number {
  for (let index = turns.length; index > 0; index -= 1) {
    const last = turns[index - 1];
    const next = turns[index];
    if (last === undefined) continue;
    if ((tokens[index - 1] ?? 0) >= maxTokens * HEAVY_TURN_SHARE) return index;
    if (next === undefined) continue;
    if (pauseBetween(last, next)) return index;
    if (index >= TOPIC_RUN_TURNS && topicTurnsAt(turns, index)) return index;
  }
  return 0;
}

/** Lengths of the greedy cut: each within both caps, except a single turn that alone exceeds the tokens. */
function fullLengths(tokens: readonly number[], size: number, maxTokens: number): { lengths: number[]; rest: number } {
  const lengths: number[] = [];
  let length = 0;
  let sum = 0;
  for (const count of tokens) {
    if (length > 0 && (length === size || sum + count > maxTokens)) {
      lengths.push(length);
      length = 0;
      sum = 0;
    }
    length += 1;
    sum += count;
  }
  if (length === size || sum >= maxTokens) {
    lengths.push(length);
    length = 0;
  }
  return { lengths, rest: length };
}

/**
 * Cuts greedily: a window closes when the next turn would pass `size` or `maxTokens`. What is left open at the end is
 * cut when `final`; otherwise it waits, except that with `closeEarly` its part before the last pause of more than
 * 60 minutes, up to a heavy turn, or before a change of topic is cut as one window. Only the open end is closed early,
 * so that an import of sparse old messages still makes full windows.
 *
 * Every pending turn falls in at most one window (exactly one when `final`), in order; no turn is refused.
 *
 * @example
 * const windower = createWindower({ size: 40, overlap: 2, maxTokens: 4000, closeEarly: true, countTokens });
 * windower.cut({ pending, before: [], final: true });
 */
export function createWindower(options: WindowerOptions): Windower {
  const { size, overlap, maxTokens, closeEarly, countTokens } = options;
  return {
    cut({ pending, before, final }) {
      const tokens = pending.map((turn) => countTokens(turn.content));
      const { lengths, rest } = fullLengths(tokens, size, maxTokens);
      if (rest > 0) {
        const open = pending.length - rest;
        const closed = closeEarly ? closedHead(pending.slice(open), tokens.slice(open), maxTokens) : 0;
        const tail = final ? rest : closed;
        if (tail > 0) lengths.push(tail);
      }
      return windowsOf(pending, before, lengths, overlap);
    },
  };
}

function windowsOf(
  pending: readonly DialogueTurn[],
  before: readonly DialogueTurn[],
  lengths: readonly number[],
  overlap: number,
): TurnWindow[] {
  const all = [...before, ...pending];
  let start = before.length;
  return lengths.map((length) => {
    const window = { turns: all.slice(start, start + length), context: all.slice(Math.max(0, start - overlap), start) };
    start += length;
    return window;
  });
}
