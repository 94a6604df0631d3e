import { SimpleChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";

/** Calls after which one fails, as services do now and then. */
const FAILS_EVERY = 9;
/** A line to be rewritten: a label, who speaks, what was said. */
const LINE = /^\[(?<label>[^\]]+)\][^:\n]*: (?<said>.+)$/gm;

/** A model that restates each line as it was said, and remembers nothing itself. */
export class EchoModel extends SimpleChatModel {
  #calls = 0;

  constructor() {
    super({ maxRetries: 0 });
  }

  _llmType(): string {
    return "echo";
  }

  override async _call(messages: BaseMessage[]): Promise<string> {
    this.#calls += 1;
    if (this.#calls % FAILS_EVERY === 0) throw Object.assign(new Error("503 from the model"), { status: 503 });
    const prompt = messages.at(-1)?.text ?? "";
    const lines = prompt.slice(prompt.indexOf("NEW")).matchAll(LINE);
    const entries = [...lines].map(({ groups }) => ({
      lossless_restatement: groups?.said ?? "",
      keywords: [],
      persons: [],
      entities: [],
      source_ids: [groups?.label ?? ""],
    }));
    return JSON.stringify({ entries });
  }
}
