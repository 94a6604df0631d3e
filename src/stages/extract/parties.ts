import type { DialogueTurn } from "../../records/index.js";
import { closingQuestion } from "./exchange.js";
import { addressedBy } from "./vocatives.js";

/** Labels that stand for a part in the talk and name nobody. */
const GENERIC_LABEL = /^(?:user|human|me|you|customer|client|speaker ?\w{0,2}|user ?\d+|person ?\d*|用户|我)$/iu;
const GENERIC_ASSISTANT = /^(?:assistant|ai|bot|chatbot|model|agent|助手|助理)$/iu;

/** What a speaker is called in a restatement: the name, or the part when the label names nobody. */
export function nameOf(turn: Pick<DialogueTurn, "speaker" | "role">): string {
  const label = turn.speaker.trim();
  if (turn.role === "assistant" && (GENERIC_ASSISTANT.test(label) || GENERIC_LABEL.test(label) || label === "")) {
    return "the assistant";
  }
  if (turn.role === "tool") return label === "" || label.toLowerCase() === "tool" ? "a tool" : `the tool ${label}`;
  return GENERIC_LABEL.test(label) || label === "" ? "the user" : label;
}

/** Whether the turn's speaker has a name of his own. */
export function isNamed(turn: Pick<DialogueTurn, "speaker" | "role">): boolean {
  return turn.role !== "tool" && nameOf(turn) === turn.speaker.trim();
}

/** Who talks: people, and the assistants among them. Tools and systems do not talk. */
export interface Parties {
  readonly people: readonly string[];
  readonly assistants: readonly string[];
}

export function partiesOf(turns: readonly DialogueTurn[]): Parties {
  const ofRole = (wanted: string) => [...new Set(turns.filter(({ role }) => role === wanted).map(nameOf))];
  return { people: ofRole("user"), assistants: ofRole("assistant") };
}

/**
 * Whom a turn is said to: the one it calls by name, the only other one, or, when an assistant listens in on two people,
 * the other person unless the assistant has just asked. Null when nobody or any of several may be meant.
 *
 * @param previous the turn before it
 */
export function addresseeOf(
  turn: DialogueTurn,
  { people, assistants }: Parties,
  previous: DialogueTurn | undefined,
): string | null {
  const self = nameOf(turn);
  const others = [...people, ...assistants].filter((party) => party !== self);
  if (others.length <= 1) return others[0] ?? null;
  const called = addressedBy(turn.content, others);
  if (called !== null) return called;
  const before = previous !== undefined && nameOf(previous) !== self ? previous : undefined;
  if (before !== undefined && (turn.role === "assistant" || closingQuestion(before.content) !== null)) {
    return nameOf(before);
  }
  const otherPeople = people.filter((person) => person !== self);
  return turn.role === "user" && otherPeople.length === 1 ? (otherPeople[0] ?? null) : null;
}
