import { createHash } from "node:crypto";
import type { NumberedLine } from "../../memory/moves/line-reader.js";
import { type AddInput, parseInstant, type SpeakerNames, type TurnInput, toTurnInput } from "../../records/index.js";
import { messageOf, wrongUsage } from "../failure.js";

/** One turn of an input, checked as `add` will check it. */
export interface ReadTurn {
  /** Number of its line, or its place in a list, from 1. */
  readonly number: number;
  readonly turn: TurnInput;
}

/** How lines are read. */
export interface TurnReading {
  /** Where the turn of a number stands, for messages. */
  readonly placeOf: (number: number) => string;
  /** The session of lines that name none. */
  readonly sessionId: string;
  readonly timeZone: string;
  readonly speakers: SpeakerNames;
}

function isInput(value: unknown): value is Exclude<AddInput, readonly [string, string]> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrongUsage('this is no JSON; each line must be one turn such as {"speaker": "Ilse", "content": "…"}.');
  }
}

function turnOf(text: string, { speakers, timeZone }: TurnReading): TurnInput | null {
  const value = parsed(text);
  if (!isInput(value)) throw wrongUsage("a turn is an object with speaker and content, or with role and content.");
  const turn = toTurnInput(value, speakers);
  if (turn?.timestamp !== undefined) parseInstant(turn.timestamp, timeZone);
  return turn;
}

function digest(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

/**
 * Gives turns with a time and without an id one that follows from what they say, so that the same input added again, for instance
 * after a break, adds nothing twice. A turn with neither is said now, and is new each time.
 */
class Namer {
  readonly #seen = new Map<string, number>();

  named(turn: TurnInput, sessionId: string): TurnInput {
    if (turn.id !== undefined || turn.timestamp === undefined) return turn;
    const said = [turn.sessionId ?? sessionId, turn.speaker, turn.role ?? "user", turn.content, turn.timestamp];
    const name = digest(said);
    const times = this.#seen.get(name) ?? 0;
    this.#seen.set(name, times + 1);
    return { ...turn, id: times === 0 ? name : digest([name, times]) };
  }
}

/** Two lines of one id that say different things: the log would take the first and refuse the second. */
function ensureUnlike(turns: readonly ReadTurn[], { placeOf, sessionId }: TurnReading): void {
  const known = new Map<string, ReadTurn>();
  for (const read of turns) {
    const { turn, number } = read;
    if (turn.id === undefined) continue;
    const key = JSON.stringify([turn.sessionId ?? sessionId, turn.id]);
    const former = known.get(key);
    if (former !== undefined && (former.turn.content !== turn.content || former.turn.speaker !== turn.speaker)) {
      throw wrongUsage(
        `${placeOf(number)}: the id ${JSON.stringify(turn.id)} says something else in ${placeOf(former.number)}. Nothing was added.`,
      );
    }
    known.set(key, read);
  }
}

/**
 * The turns of an input, one in each of the texts: `{ speaker, content, … }` or messages `{ role, content }`. All are checked
 * before any is added. A message in which nothing is said is left out.
 * @throws Failure naming the one that does not fit
 */
export function readTurns(lines: readonly NumberedLine[], reading: TurnReading): ReadTurn[] {
  const namer = new Namer();
  const turns = lines.flatMap(({ number, text }): ReadTurn[] => {
    try {
      const turn = turnOf(text, reading);
      return turn === null ? [] : [{ number, turn: namer.named(turn, reading.sessionId) }];
    } catch (error) {
      throw wrongUsage(`${reading.placeOf(number)}: ${messageOf(error)} Nothing was added.`);
    }
  });
  ensureUnlike(turns, reading);
  return turns;
}
