import { SimpleChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import { restating } from "../restating.js";

/** Calls after which one fails, as services do now and then. */
const FAILS_EVERY = 9;

/** A model that restates each line as it was said, and remembers nothing itself. */
export class RestatingModel extends SimpleChatModel {
  #calls = 0;

  constructor() {
    super({ maxRetries: 0 });
  }

  _llmType(): string {
    return "restating";
  }

  override async _call(messages: BaseMessage[]): Promise<string> {
    this.#calls += 1;
    if (this.#calls % FAILS_EVERY === 0) throw Object.assign(new Error("503 from the model"), { status: 503 });
    return restating(messages.map(({ text }) => text).join("\n"));
  }
}
