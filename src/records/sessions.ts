import type { DialogueTurn } from "./turn.js";

/** Turns by session, sessions and turns in the order in which they come. */
export function bySession<T extends Pick<DialogueTurn, "sessionId">>(turns: readonly T[]): Map<string, T[]> {
  const sessions = new Map<string, T[]>();
  for (const turn of turns) {
    const list = sessions.get(turn.sessionId);
    if (list === undefined) sessions.set(turn.sessionId, [turn]);
    else list.push(turn);
  }
  return sessions;
}
