import type { BaseMessage } from "@langchain/core/messages";
import { countTokensApproximately } from "langchain";
import type { TokenCounter } from "../models/index.js";
import { contentText } from "../records/index.js";

/** Window of a model that does not tell its own. */
const DEFAULT_WINDOW = 32_000;

type Tools = Parameters<typeof countTokensApproximately>[1];

/**
 * Tokens of a request. LangChain's estimate takes four characters for a token in every script, ours knows scripts without
 * spaces; the larger one holds, so that the window is never overrun.
 */
export function requestTokens(messages: BaseMessage[], tools: Tools, countTokens: TokenCounter): number {
  const texts = messages.reduce((sum, message) => sum + countTokens(contentText(message.content)), 0);
  return Math.max(countTokensApproximately(messages, tools), texts + countTokensApproximately([], tools));
}

/** The tokens that a model takes, where its profile says so. */
export function windowOf(model: unknown): number {
  if (typeof model !== "object" || model === null || !("profile" in model)) return DEFAULT_WINDOW;
  const { profile } = model;
  if (typeof profile !== "object" || profile === null || !("maxInputTokens" in profile)) return DEFAULT_WINDOW;
  return typeof profile.maxInputTokens === "number" ? profile.maxInputTokens : DEFAULT_WINDOW;
}
