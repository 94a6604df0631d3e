import type { DialogueTurn } from "../../records/index.js";

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

/** The people (and assistants) who talk; tools and systems do not. */
export function partiesOf(turns: readonly DialogueTurn[]): string[] {
  return [...new Set(turns.filter(({ role }) => role === "user" || role === "assistant").map(nameOf))];
}

/** Whom a turn is said to: the other one of two, or null when nobody or several listen. */
export function addresseeOf(turn: DialogueTurn, parties: readonly string[]): string | null {
  const others = parties.filter((party) => party !== nameOf(turn));
  return others.length === 1 ? (others[0] ?? null) : null;
}
