import type { BaseMessage } from "@langchain/core/messages";
import { isFromUser, spokenIn, withoutInjected } from "../graph/conversation.js";
import { contentText, type Hit, type ScopedMemory, type SearchOptions } from "../records/index.js";
import { scopeText } from "../records/memory-source.js";

/** Characters of a message that are searched for: a pasted document is no question. */
const MAX_QUESTION = 2_000;
/** Turns before the question that say what "that" in it means. */
const RECENT_TURNS = 4;
/** Hits beyond those that the model may see anyway. */
const SPARE_HITS = 20;
const MAX_HITS = 100;

/** What one search takes from a run. */
export type RecallOptions = Pick<SearchOptions, "planning" | "filter" | "signal">;

/** Searches once for each message of a user, however often the model is called for it. */
export class TurnRecall {
  // By message and scope: one message may be given to the runs of two users.
  readonly #found = new WeakMap<BaseMessage, Map<string, Promise<readonly Hit[]>>>();

  /** Called when a run begins: what was found for the same message in an earlier run may be out of date. */
  forget(memory: ScopedMemory, messages: readonly BaseMessage[]): void {
    const question = messages.findLast(isFromUser);
    if (question !== undefined) this.#found.get(question)?.delete(scopeText(memory.scope));
  }

  /** What answers the user's last message, best first. */
  async hits(memory: ScopedMemory, messages: readonly BaseMessage[], options: RecallOptions): Promise<readonly Hit[]> {
    const question = messages.findLast(isFromUser);
    if (question === undefined) return [];
    const scope = scopeText(memory.scope);
    const known = this.#found.get(question) ?? new Map<string, Promise<readonly Hit[]>>();
    this.#found.set(question, known);
    const running = known.get(scope) ?? search(memory, question, messages, options);
    known.set(scope, running);
    try {
      return await running;
    } catch (error) {
      known.delete(scope);
      throw error;
    }
  }
}

async function search(
  memory: ScopedMemory,
  question: BaseMessage,
  messages: readonly BaseMessage[],
  options: RecallOptions,
): Promise<readonly Hit[]> {
  const text = withoutInjected(contentText(question.content)).slice(0, MAX_QUESTION).toWellFormed();
  if (text.trim() === "") return [];
  const before = messages.slice(0, messages.indexOf(question));
  const { hits } = await memory.search(text, {
    ...options,
    recent: spokenIn(before.slice(-RECENT_TURNS)),
    k: Math.min(MAX_HITS, SPARE_HITS + messages.length),
  });
  return hits;
}
