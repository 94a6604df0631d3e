import { contentStems } from "../../language/index.js";
import type { DialogueTurn } from "../../records/index.js";
import { closingQuestion } from "./exchange.js";

/** Labels that stand for a person and name nobody. */
const GENERIC_LABEL = /\b(?:Speaker|User|Person|Participant) ?\d+\b|\b(?:Human|AI):/u;
/** A user's turn says what an item says when it holds this share of the item's content stems. */
const SAID_SHARE = 0.5;

/** The label without a name that the text brings in, or null. A label that the turns hold is somebody's words. */
export function genericLabel(text: string, turns: readonly DialogueTurn[]): string | null {
  const label = GENERIC_LABEL.exec(text)?.[0];
  if (label === undefined) return null;
  return turns.some((turn) => turn.speaker.includes(label) || turn.content.includes(label)) ? null : label;
}

function isSubject(name: string, text: string): boolean {
  // "Ilse Corrin's order has shipped" is about the order, and an assistant may know that.
  return text.startsWith(name) && !/^[\p{L}\p{N}'’的]/u.test(text.slice(name.length));
}

function firstName(speaker: string): string {
  return speaker.split(/\s/u)[0] ?? speaker;
}

/** The user whom the text makes a statement about, or undefined. */
function userAsSubject(text: string, turns: readonly DialogueTurn[]): string | undefined {
  const names = turns
    .filter((turn) => turn.role === "user")
    .flatMap((turn) => [turn.speaker, firstName(turn.speaker), "The user", "用户"]);
  return names.find((name) => isSubject(name, text));
}

/**
 * The turns that prove a text, given the ones that the model cited. A statement about the user that cites the assistant
 * alone needs the user's own words: a turn that says it, or the reply to the assistant's question. Null when there are
 * none.
 */
export function provenSources(
  text: string,
  cited: readonly DialogueTurn[],
  turns: readonly DialogueTurn[],
): readonly DialogueTurn[] | null {
  if (!cited.every((turn) => turn.role === "assistant")) return cited;
  const user = userAsSubject(text, turns);
  if (user === undefined) return cited;
  const nameStems = new Set(turns.flatMap((turn) => [...contentStems(turn.speaker)]));
  const stems = [...contentStems(text)].filter((stem) => !nameStems.has(stem));
  const said = turns.filter((turn) => {
    if (turn.role !== "user" || stems.length === 0) return false;
    const own = new Set(contentStems(turn.content));
    return stems.filter((stem) => own.has(stem)).length / stems.length >= SAID_SHARE;
  });
  if (said.length > 0) return said;
  const replies = turns.filter((turn, index) => {
    const before = turns[index - 1];
    return (
      turn.role === "user" && before !== undefined && cited.includes(before) && closingQuestion(before.content) !== null
    );
  });
  return replies.length === 0 ? null : turns.filter((turn) => cited.includes(turn) || replies.includes(turn));
}
