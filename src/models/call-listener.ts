import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { AIMessage } from "@langchain/core/messages";
import type { LLMResult } from "@langchain/core/outputs";
import { isReply } from "./reply-message.js";

function messageOf(output: LLMResult): AIMessage | null {
  const generation: unknown = output.generations[0]?.[0];
  const message = typeof generation === "object" && generation !== null ? Reflect.get(generation, "message") : null;
  return isReply(message) ? message : null;
}

/**
 * Hears which calls a runnable really made, and the raw reply, also where the runnable hands out the parsed value alone
 * or fails at parsing it.
 */
export class CallListener extends BaseCallbackHandler {
  readonly name = "simplemem_call_listener";
  override readonly awaitHandlers = true;
  calls = 0;
  message: AIMessage | null = null;

  override handleChatModelStart(): void {
    this.calls += 1;
  }

  override handleLLMEnd(output: LLMResult): void {
    this.message = messageOf(output) ?? this.message;
  }
}
