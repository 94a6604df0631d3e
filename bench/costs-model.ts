import { SimpleChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";

const NEW_LINE = /^\[([^\]]+)\] \([^)]*\) ([^:]+) \(\w+\): (.+)$/gm;
/** What a restatement has replaced: the words that a guard would send back. */
const DEPENDENT =
  /\b(?:I(?:['’]\w+)?|m[ey]|mine|myself|we|us|ours?|you(?:['’]\w+)?|yours?|s?he|h[ie][sr]|him|hers|the[ym]|theirs?|its?|it['’]s|that|this|there|today|tonight|tomorrow|yesterday|now|soon|ago|last|next|day|week|weekend|month|year|morning|evening|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b ?/gi;
/** Shorter lines are small talk: of 100 turns about half give an entry. */
const TELLING_CHARS = 45;

function extraction(prompt: string): string {
  const lines = [...prompt.slice(prompt.lastIndexOf("\nNEW")).matchAll(NEW_LINE)];
  const entries = lines
    .filter(([, , , content = ""]) => content.length >= TELLING_CHARS && !content.endsWith("?"))
    .map(([, label = "", speaker = "", content = ""]) => ({
      lossless_restatement: `${speaker}: ${content.replace(DEPENDENT, "")}`,
      keywords: content.toLowerCase().split(/\W+/).slice(0, 4),
      timestamp: null,
      location: null,
      persons: [speaker],
      entities: [],
      topic: null,
      kind: "fact",
      source_ids: [label],
    }));
  return JSON.stringify({ entries, open_questions: [] });
}

function decisions(prompt: string): string {
  const count = prompt.slice(prompt.lastIndexOf("\nNEW")).match(/^- \d+ /gm)?.length ?? 0;
  const operations = Array.from({ length: count }, (_, index) => ({ item: index + 1, op: "add", target: null }));
  return JSON.stringify({ operations });
}

/** A model that answers each stage with a reply of the usual form and length, the same every time. */
export class CostsModel extends SimpleChatModel {
  #reflections = 0;

  constructor(private readonly isHard: (prompt: string) => boolean) {
    super({ maxRetries: 0 });
  }

  _llmType(): string {
    return "costs";
  }

  override async _call(messages: BaseMessage[]): Promise<string> {
    const system = messages[0]?.text ?? "";
    const prompt = messages.at(-1)?.text ?? "";
    if (system.includes("long-term memory. One entry")) return extraction(`\n${prompt}`);
    if (system.startsWith("You compare")) return decisions(`\n${prompt}`);
    if (system.startsWith("You plan")) return this.#plan(prompt);
    if (system.startsWith("You judge")) return this.#reflection();
    return JSON.stringify({
      answer: "In March 2025.",
      abstained: false,
      reason: null,
      confidence: 0.9,
      citations: [1],
    });
  }

  #plan(prompt: string): string {
    return JSON.stringify({
      queries: ["Marta Velden and Joren Aske planned it", "Marta Velden said when it would be"],
      keywords: ["planned"],
      persons: ["Marta Velden"],
      entities: [],
      location: null,
      after: null,
      before: null,
      question_type: "what",
      complexity: this.isHard(prompt) ? 0.8 : 0.4,
    });
  }

  /** Not sufficient the first time, sufficient the second. */
  #reflection(): string {
    this.#reflections += 1;
    const sufficient = this.#reflections % 2 === 0;
    const missing = sufficient ? [] : ["where Joren Aske keeps the keys of the workshop"];
    return JSON.stringify({ sufficient, missing, queries: missing });
  }
}
