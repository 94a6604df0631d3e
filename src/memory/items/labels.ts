import { InvalidInputError } from "../../records/index.js";

/** What LangGraph refuses in a label, what has a meaning in one, and the sign that marks an encoded character. */
const SPECIAL = /[%.:*\0]/g;
const ENCODED = /%([0-9A-F]{2})/g;
/** LangGraph refuses this word as the first label. */
const RESERVED = "langgraph";

function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/**
 * Makes a namespace label of any non-empty text, such as a user id. LangGraph refuses labels with `.` or `:`, so that an
 * e-mail address is none; here such characters are written as `%2E`, `%3A` and the like. Different texts have different labels.
 * @throws InvalidInputError for an empty text
 * @example await store.put(["users", toNamespaceLabel("ilse@example.com")], "profile", { city: "Graz" });
 */
export function toNamespaceLabel(text: string): string {
  if (typeof text !== "string" || text === "") {
    throw new InvalidInputError(`a namespace label is made of a non-empty text, got ${JSON.stringify(text)}.`);
  }
  return text === RESERVED ? `${encoded("l")}${text.slice(1)}` : text.replace(SPECIAL, encoded);
}

/** The text of which `toNamespaceLabel` made the label. */
export function fromNamespaceLabel(label: string): string {
  return label.replace(ENCODED, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
