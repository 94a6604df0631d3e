import type { AIMessage } from "@langchain/core/messages";

const CUT_REASONS = new Set(["length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "model_length"]);

/** Told by shape: messages may come from another copy of core. */
export function isReply(value: unknown): value is AIMessage {
  return typeof value === "object" && value !== null && "content" in value;
}

/** The spoken part of a reply: its text blocks, without reasoning blocks or side fields. */
export function textOf(message: AIMessage): string {
  const { content } = message;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const isSpoken = (type: unknown): boolean => type === "text" || type === "output_text";
  return content.map((block) => (isSpoken(block?.type) && typeof block.text === "string" ? block.text : "")).join("");
}

/** Whether the model stopped at its token limit. */
export function wasCut(message: AIMessage): boolean {
  const {
    finish_reason,
    stop_reason,
    finishReason,
    done_reason,
    incomplete_details: details,
  } = message.response_metadata ?? {};
  const inner: unknown = typeof details === "object" && details !== null ? Reflect.get(details, "reason") : undefined;
  const reasons: unknown[] = [finish_reason, stop_reason, finishReason, done_reason, inner];
  return reasons.some((reason) => CUT_REASONS.has(String(reason)));
}

/** What was wrong with a reply that could not be used, in words for the model. */
export function complaintAbout(message: AIMessage | null, text: string): string {
  if (message !== null && wasCut(message)) return "it was cut off before its JSON was complete. Reply more briefly";
  if (message === null || textOf(message).trim() === "") return "it was empty";
  if (text === "") return "it held thoughts only, and no answer after them";
  if (!/[[{]/.test(text)) return "it held no JSON";
  return "its JSON was not of the wanted form";
}
