import type { BaseMessage } from "@langchain/core/messages";
import { shortened } from "../language/shortened.js";
import { contentText } from "../records/index.js";
import { MEMORY_FENCE, MEMORY_NOTICE } from "../retrievers/index.js";

/** A message as `add` takes it. */
export interface SpokenMessage {
  readonly role: "user" | "assistant" | "tool";
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

interface ToolCall {
  readonly name: string;
  readonly args?: unknown;
}

function isToolCall(value: unknown): value is ToolCall {
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
}

function toolCallsOf(message: BaseMessage): readonly ToolCall[] {
  const calls: unknown = "tool_calls" in message ? message.tool_calls : undefined;
  return Array.isArray(calls) ? calls.filter(isToolCall) : [];
}

/** The assistant's last word of a turn: what comes with a tool call is a step on the way. */
function isAnswer(message: BaseMessage): boolean {
  return message.getType() === "ai" && toolCallsOf(message).length === 0;
}

/** Characters of a tool's call or result: what a tool gave is kept as a trace, not as a copy. */
const MAX_TOOL_TEXT = 400;

function isToolStep(message: BaseMessage): boolean {
  return message.getType() === "tool" || toolCallsOf(message).length > 0;
}

/** A call of a tool or its result on one line, led by the name of the tool. */
function toolText(message: BaseMessage): string {
  const said = contentText(message.content);
  if (message.getType() === "tool") return shortened(`${message.name ?? "tool"}: ${said}`, MAX_TOOL_TEXT);
  const calls = toolCallsOf(message).map(({ name, args }) => `${name} ${JSON.stringify(args ?? {})}`);
  return shortened([said, ...calls].join(" "), MAX_TOOL_TEXT);
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

/** What is kept of a conversation besides what was said. */
export interface SpokenOptions {
  /** Also calls of tools and their results, each shortened to 400 characters. Default false. */
  readonly toolMessages?: boolean;
}

function roleOf(message: BaseMessage): SpokenMessage["role"] {
  const type = message.getType();
  if (type === "tool") return "tool";
  return type === "human" ? "user" : "assistant";
}

/**
 * What was said by the user and by the assistant: no system text, no summary, no tool call or its result unless they are
 * asked for, nothing that was injected.
 */
export function spokenIn(
  messages: readonly BaseMessage[],
  { toolMessages = false }: SpokenOptions = {},
): SpokenMessage[] {
  return messages
    .filter((message) => isFromUser(message) || isAnswer(message) || (toolMessages && isToolStep(message)))
    .map((message) => ({
      role: roleOf(message),
      content: withoutInjected(isToolStep(message) ? toolText(message) : contentText(message.content)),
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
