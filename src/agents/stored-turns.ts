import { createHash } from "node:crypto";
import type { BaseMessage } from "@langchain/core/messages";
import { isSummary, type SpokenMessage } from "../graph/conversation.js";
import { contentStems } from "../language/index.js";
import { contentText, type Hit } from "../records/index.js";

/** Turns whose content is kept in mind; the oldest go first. */
const MAX_TURNS = 10_000;
/** Characters of the hash by which an edited message is told from the one that had its id before. */
const EDIT_MARK = 12;
/** Share of an entry's words that its message must hold, for turns that another process stored. */
const SHARED_WORDS = 1 / 3;

function squeezed(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Equal for texts that differ in white space only. */
export function textHash(text: string): string {
  return createHash("sha256").update(squeezed(text)).digest("base64");
}

/** The id under which a message is stored that was edited: the log keeps what was said first under its own. */
export function editedId({ id, content }: SpokenMessage): string | undefined {
  return id === undefined ? undefined : `${id}~${textHash(content).slice(0, EDIT_MARK)}`;
}

/** What this process has stored: by it, a history that comes again costs no read, and an edited message is told apart. */
export class StoredTurns {
  readonly #hashes = new Map<string, string>();

  note(scope: string, messages: readonly SpokenMessage[]): void {
    for (const { id, content } of messages)
      if (id !== undefined) this.#hashes.set(`${scope}\n${id}`, textHash(content));
    for (const key of this.#hashes.keys()) {
      if (this.#hashes.size <= MAX_TURNS) break;
      this.#hashes.delete(key);
    }
  }

  has(scope: string, message: SpokenMessage): boolean {
    const ids = [message.id, editedId(message)].filter((id) => id !== undefined);
    return ids.some((id) => this.hashOf(scope, id) === textHash(message.content));
  }

  hashOf(scope: string, id: string): string | undefined {
    return this.#hashes.get(`${scope}\n${id}`);
  }
}

/** What the model sees in one request, to tell what need not be injected. */
export class VisibleConversation {
  readonly #texts: readonly string[];
  readonly #hashes: ReadonlySet<string>;
  readonly #byId: ReadonlyMap<string, string>;

  constructor(
    messages: readonly BaseMessage[],
    private readonly stored: StoredTurns,
    private readonly scope: string,
  ) {
    const texts = messages.map((message) => contentText(message.content));
    this.#texts = texts.map(squeezed);
    this.#hashes = new Set(texts.map(textHash));
    this.#byId = new Map(
      messages.flatMap((message, index) =>
        // A summary carries the id of the first message that it stands for.
        message.id === undefined || isSummary(message) ? [] : [[message.id, texts[index] ?? ""]],
      ),
    );
  }

  /** True when the model reads the words of the hit in the conversation itself. */
  holds(hit: Hit): boolean {
    if (hit.kind === "fact") return false;
    if (hit.kind === "turn") return this.#texts.some((text) => text.includes(squeezed(hit.text)));
    return hit.sourceIds.length > 0 && hit.sourceIds.every((id) => this.#holdsSource(id, hit));
  }

  // The id alone proves nothing: a message may have been edited or cleared under its id.
  #holdsSource(id: string, entry: Hit): boolean {
    const hash = this.stored.hashOf(this.scope, id);
    if (hash !== undefined) return this.#hashes.has(hash);
    const text = this.#byId.get(id);
    if (text === undefined) return false;
    const said = new Set(contentStems(text));
    const words = contentStems(entry.text);
    return words.filter((word) => said.has(word)).length >= words.length * SHARED_WORDS;
  }
}
