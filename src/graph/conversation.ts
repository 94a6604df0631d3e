import type { BaseMessage } from "@langchain/core/messages";
import { contentText } from "../records/index.js";
import { MEMORY_FENCE, MEMORY_NOTICE } from "../retrievers/index.js";

/** A message as `add` takes it. */
export interface SpokenMessage {
  readonly role: "user" | "assistant";
  readonly content: string;
  readonly id?: string;
  readonly name?: string;
  readonly additional_kwargs?: unknown;
  readonly response_metadata?: unknown;
}

/** A summary that a middleware put in place of older messages; nobody said it. It carries the id of the first of them. */
export function isSummary(message: BaseMessage): boolean {
  return message.additional_kwargs?.lc_source === "summarization";
}

export function isFromUser(message: BaseMessage): boolean {
  return message.getType() === "human" && !isSummary(message);
}

function callsTools(message: BaseMessage): boolean {
  return "tool_calls" in message && Array.isArray(message.tool_calls) && message.tool_calls.length > 0;
}

/** The assistant's last word of a turn: what comes with a tool call is a step on the way. */
function isAnswer(message: BaseMessage): boolean {
  return message.getType() === "ai" && !callsTools(message);
}

/** A text without the memory that was injected into it; other text between such marks is the speaker's own. */
export function withoutInjected(text: string): string {
  const opening = `${MEMORY_FENCE.open}\n${MEMORY_NOTICE}`;
  let result = text;
  for (let start = result.indexOf(opening); start !== -1; start = result.indexOf(opening)) {
    const end = result.indexOf(MEMORY_FENCE.close, start);
    result = result.slice(0, start) + (end === -1 ? "" : result.slice(end + MEMORY_FENCE.close.length));
  }
  return result === text ? text : result.trim();
}

/** The name that `createAgent` gives to answers when the agent has none; the handle knows the assistant's better. */
const NAMELESS_AGENT = "model";

/**
 * What was said by the user and by the assistant: no system text, no summary, no tool call or its result, nothing that was
 * injected.
 */
export function spokenIn(messages: readonly BaseMessage[]): SpokenMessage[] {
  return messages
    .filter((message) => isFromUser(message) || isAnswer(message))
    .map((message) => ({
      role: message.getType() === "human" ? ("user" as const) : ("assistant" as const),
      content: withoutInjected(contentText(message.content)),
      ...(message.id === undefined ? {} : { id: message.id }),
      ...(message.name === undefined || message.name === NAMELESS_AGENT ? {} : { name: message.name }),
      additional_kwargs: message.additional_kwargs,
      response_metadata: message.response_metadata,
    }))
    .filter((message) => message.content.trim() !== "");
}

/** Where the current exchange begins: after the last answer that came before the user's last message. */
function startOfExchange(messages: readonly BaseMessage[]): number {
  const question = messages.findLastIndex(isFromUser);
  return messages.slice(0, Math.max(0, question)).findLastIndex(isAnswer) + 1;
}

/** What this run added to the conversation, with what the user said before it and got no answer to. */
export function currentExchange(messages: readonly BaseMessage[]): BaseMessage[] {
  return messages.slice(startOfExchange(messages));
}

/** What stood in the conversation before this run. */
export function beforeQuestion(messages: readonly BaseMessage[]): BaseMessage[] {
  return messages.slice(0, Math.max(0, messages.findLastIndex(isFromUser)));
}
