import { createHash } from "node:crypto";
import type { BaseMessage } from "@langchain/core/messages";
import { contentStems } from "../language/index.js";
import { contentText, type Hit } from "../records/index.js";
import { isSummary, type SpokenMessage } from "./conversation.js";

/** Turns whose content is kept in mind; the oldest go first. */
const MAX_TURNS = 10_000;
/** Share of an entry's words that its message must hold, for turns that another process stored. */
const SHARED_WORDS = 1 / 3;

function squeezed(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Equal for texts that differ in white space only. */
export function textHash(text: string): string {
  return createHash("sha256").update(squeezed(text)).digest("base64");
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

  has(scope: string, { id, content }: SpokenMessage): boolean {
    return id !== undefined && this.#hashes.get(`${scope}\n${id}`) === textHash(content);
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
