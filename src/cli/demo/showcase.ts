import type { MemoryEntry } from "../../records/index.js";
import type { DemoTurn } from "./conversation.js";

/** A turn and the facts that it became. */
export interface Rewritten {
  readonly turn: DemoTurn;
  readonly facts: readonly string[];
}

/** Words that mean something only to those who were there. */
const NEEDS_CONTEXT =
  /\b(?:I|me|my|we|our|you|your|it|he|she|him|her|they|them|yesterday|today|tonight|this (?:morning|afternoon)|last|next|ago)\b|[我你他她]|昨天|今天|上周/giu;
/** A fact that quotes what it leans on shows less well what a rewriting is. */
const QUOTES = /["“[]/u;
/** A turn of more characters takes more lines than it is worth. */
const SHORT = 130;

function contextNeeded(text: string): number {
  return text.match(NEEDS_CONTEXT)?.length ?? 0;
}

/** The turns whose rewriting changed most, in the order they were spoken, spread over the sessions. */
export function showcase(turns: readonly DemoTurn[], entries: readonly MemoryEntry[], count: number): Rewritten[] {
  const rewritten = turns.flatMap((turn): (Rewritten & { readonly gain: number })[] => {
    const own = entries.filter(({ sourceIds }) => sourceIds.length === 1 && sourceIds[0] === turn.id);
    const facts = own.map(({ losslessRestatement }) => losslessRestatement);
    if (facts.length === 0 || facts.some((fact) => QUOTES.test(fact)) || turn.content.length > SHORT) return [];
    const dated = own.some(({ timestamp }) => timestamp !== null) ? 1 : 0;
    return [{ turn, facts, gain: contextNeeded(turn.content) - contextNeeded(facts.join(" ")) + dated }];
  });
  const sessions = new Set(turns.map(({ sessionId }) => sessionId));
  const perSession = Math.ceil(count / Math.max(1, sessions.size));
  return [...sessions]
    .flatMap((session) =>
      rewritten
        .filter(({ turn }) => turn.sessionId === session)
        .sort((left, right) => right.gain - left.gain)
        .slice(0, perSession)
        .sort((left, right) => (left.turn.timestamp < right.turn.timestamp ? -1 : 1)),
    )
    .slice(0, count);
}
