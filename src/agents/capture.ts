import type { BaseMessage } from "@langchain/core/messages";
import {
  beforeQuestion,
  currentExchange,
  type SpokenMessage,
  type SpokenOptions,
  spokenIn,
} from "../graph/conversation.js";
import { DuplicateTurnError, type ScopedMemory } from "../records/index.js";
import { scopeText } from "../records/memory-source.js";
import { editedId, type StoredTurns } from "./stored-turns.js";

/** Stores what was said in the conversations of agents, each turn once. */
export class Capture {
  constructor(
    private readonly stored: StoredTurns,
    private readonly options: SpokenOptions,
  ) {}

  /** After the answer: what the user and the assistant said in this run. */
  async exchange(memory: ScopedMemory, messages: readonly BaseMessage[]): Promise<void> {
    await this.#add(memory, spokenIn(currentExchange(messages), this.options));
  }

  /** Before the next run: what an earlier one, which broke off, left unstored in the kept conversation. */
  async catchUp(memory: ScopedMemory, messages: readonly BaseMessage[]): Promise<void> {
    await this.#add(memory, spokenIn(beforeQuestion(messages), this.options));
  }

  async #add(memory: ScopedMemory, spoken: readonly SpokenMessage[]): Promise<void> {
    const scope = scopeText(memory.scope);
    const news = spoken.filter((message) => !this.stored.has(scope, message));
    if (news.length === 0) return;
    this.stored.note(scope, await addAll(memory, news));
  }
}

/** Stores messages, and gives them with the ids under which they were stored. */
async function addAll(memory: ScopedMemory, messages: readonly SpokenMessage[]): Promise<readonly SpokenMessage[]> {
  try {
    await memory.add(messages);
    return messages;
  } catch (error) {
    if (!(error instanceof DuplicateTurnError)) throw error;
    const [only, ...others] = messages;
    if (only === undefined) return [];
    if (others.length > 0) return (await addEach(memory, messages)).flat();
    const id = editedId(only);
    const edited = { ...only, ...(id === undefined ? {} : { id }) };
    await memory.add(edited);
    return [edited];
  }
}

async function addEach(memory: ScopedMemory, messages: readonly SpokenMessage[]) {
  const stored: (readonly SpokenMessage[])[] = [];
  for (const message of messages) stored.push(await addAll(memory, [message]));
  return stored;
}
