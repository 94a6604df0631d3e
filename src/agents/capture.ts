import type { BaseMessage } from "@langchain/core/messages";
import { DuplicateTurnError, type ScopedMemory } from "../records/index.js";
import { beforeQuestion, currentExchange, type SpokenMessage, spokenIn } from "./conversation.js";
import { scopeText } from "./memory-source.js";
import { type StoredTurns, textHash } from "./stored-turns.js";

/** Characters of the hash by which an edited message is told from the one that had its id before. */
const EDIT_MARK = 12;

/** Stores what was said in the conversations of agents, each turn once. */
export class Capture {
  constructor(private readonly stored: StoredTurns) {}

  /** After the answer: what the user and the assistant said in this run. */
  async exchange(memory: ScopedMemory, messages: readonly BaseMessage[]): Promise<void> {
    await this.#add(memory, spokenIn(currentExchange(messages)));
  }

  /** Before the next run: what an earlier one, which broke off, left unstored in the kept conversation. */
  async catchUp(memory: ScopedMemory, messages: readonly BaseMessage[]): Promise<void> {
    await this.#add(memory, spokenIn(beforeQuestion(messages)));
  }

  async #add(memory: ScopedMemory, spoken: readonly SpokenMessage[]): Promise<void> {
    const scope = scopeText(memory.scope);
    const news = spoken.filter((message) => !this.stored.has(scope, message));
    if (news.length === 0) return;
    try {
      await memory.add(news);
    } catch (error) {
      if (!(error instanceof DuplicateTurnError)) throw error;
      await addEdited(memory, news);
    }
    this.stored.note(scope, news);
  }
}

/** The log keeps what was said first; a message that was edited under its id is a turn of its own. */
async function addEdited(memory: ScopedMemory, messages: readonly SpokenMessage[]): Promise<void> {
  for (const message of messages) {
    try {
      await memory.add(message);
    } catch (error) {
      if (!(error instanceof DuplicateTurnError)) throw error;
      await memory.add({ ...message, id: `${message.id}~${textHash(message.content).slice(0, EDIT_MARK)}` });
    }
  }
}
