import type { Usage } from "../records/index.js";
import { CallListener } from "./call-listener.js";
import { textOf } from "./reply-message.js";
import { estimateTokens } from "./tokens.js";

/** What is known of a call when it ends, beside what was heard of it. */
interface Ended {
  /** Calls that were made, also where nobody heard them. */
  readonly calls: number;
  /** What was written, where no message was heard. */
  readonly text: string;
}

interface OpenCallOptions {
  /** All that the model was shown. */
  readonly shown: readonly string[];
  readonly usage: Usage;
  readonly signal?: AbortSignal;
  /** Called when the signal aborts while the call is open. */
  readonly onAbort: () => void;
}

/** One call of a model, from its start to its end. It is counted once: when it ends, or when it is left behind. */
export class OpenCall {
  readonly listener = new CallListener();
  /** What a stream has written so far. */
  written = "";
  readonly #options: OpenCallOptions;
  readonly #leave: () => void;
  #isCounted = false;

  constructor(options: OpenCallOptions) {
    this.#options = options;
    this.#leave = () => {
      options.onAbort();
      // Whoever waits goes on at once, and reads the costs: what the model does with the signal comes too late for them.
      this.count({ calls: 1, text: this.written });
    };
    options.signal?.addEventListener("abort", this.#leave, { once: true });
  }

  /** Adds what was spent: as the model counted it, else as it is estimated. */
  count(ended: Ended): void {
    if (this.#isCounted) return;
    this.#isCounted = true;
    const { calls, message } = this.listener;
    const made = Math.max(calls, ended.calls);
    if (made === 0) return;
    const { usage, shown } = this.#options;
    const counted = message?.usage_metadata;
    usage.modelCalls += made;
    usage.promptTokens += counted?.input_tokens ?? shown.reduce((sum, text) => sum + estimateTokens(text), 0);
    usage.completionTokens += counted?.output_tokens ?? estimateTokens(message === null ? ended.text : textOf(message));
  }

  end(): void {
    this.#options.signal?.removeEventListener("abort", this.#leave);
  }
}
