import { withoutReasoning } from "../../models/index.js";

const SOURCES_LINE = /(?:^|\n)[ \t*_>-]*sources?[*_]*\s*[:：]([^\n]*)\s*$/i;
const NOT_FOUND = /^[\s*_]*not found[*_]*\s*[:：.]?/i;
/** What may still become a mark of ours, or a tag of thinking: the beginning of the text or of its last line. */
const MAYBE_SOURCES = /\n[ \t*_>-]*s?o?u?r?c?e?s?[*_]*\s*(?:[:：][^\n]*)?$/i;
const MAYBE_NOT_FOUND = /^[\s*_]*(?:n(?:o(?:t(?: (?:f(?:o(?:u(?:n(?:d[\s\S]*)?)?)?)?)?)?)?)?)?$/i;
const MAYBE_TAG = /[<[◁][^>\]▷\n]{0,20}$/;
const NUMBER = /\d+/g;
const MARKED = /\[(\d{1,3})\]/g;

export interface StreamedAnswer {
  readonly text: string;
  /** Numbers of the memories, from the line of sources and the marks within the text. */
  readonly numbers: readonly number[];
  /** Why there is no answer; absent when there is one. */
  readonly reason?: string;
}

/** Parts a growing reply into what may be shown already and what may still be a mark. */
export class AnswerStream {
  #written = "";
  #shown = 0;

  /** Takes a piece of the reply; gives what may be shown of it by now. */
  push(piece: string): string {
    this.#written += piece;
    return this.#show(this.#settled());
  }

  /** The end of the reply: what was held back, and the whole answer. */
  end(): { readonly rest: string; readonly answer: StreamedAnswer } {
    const spoken = withoutReasoning(this.#written);
    const notFound = NOT_FOUND.exec(spoken);
    if (notFound !== null) {
      const reason = spoken.slice(notFound[0].length).replace(SOURCES_LINE, "").trim();
      return { rest: "", answer: { text: "", numbers: [], reason } };
    }
    const sources = SOURCES_LINE.exec(spoken);
    const text = (sources === null ? spoken : spoken.slice(0, sources.index)).trim();
    const named = [...(sources?.[1] ?? "").matchAll(NUMBER)].map(([digits]) => Number(digits));
    const marked = [...text.matchAll(MARKED)].map(([, digits]) => Number(digits));
    return { rest: this.#show(text), answer: { text, numbers: [...new Set([...named, ...marked])] } };
  }

  #settled(): string {
    const spoken = withoutReasoning(this.#written);
    if (MAYBE_NOT_FOUND.test(spoken)) return "";
    const held = MAYBE_SOURCES.exec(spoken) ?? MAYBE_TAG.exec(spoken);
    // White space at the end may be what stands before a mark.
    return (held === null ? spoken : spoken.slice(0, held.index)).trimEnd();
  }

  #show(text: string): string {
    const fresh = text.slice(this.#shown);
    this.#shown = Math.max(this.#shown, text.length);
    return fresh;
  }
}
