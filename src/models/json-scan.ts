/** Where a JSON value may stand in a text. */
export interface Span {
  readonly start: number;
  /** After its closing bracket; the end of the text when it was never closed. */
  readonly end: number;
  readonly isClosed: boolean;
}

const CLOSER: { readonly [opener: string]: string } = { "[": "]", "{": "}" };

/** The end of the string that begins at `start`, or -1 when the text ends first. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === "\\") index += 1;
    else if (text[index] === '"') return index;
  }
  return -1;
}

/** Openers that wait for their partner. Counting them by kind keeps a run of stray closers from searching in vain. */
class OpenBrackets {
  readonly #stack: { readonly closer: string; readonly start: number }[] = [];
  readonly #waiting = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#stack.length === 0;
  }

  open(closer: string, start: number): void {
    this.#stack.push({ closer, start });
    this.#waiting.set(closer, (this.#waiting.get(closer) ?? 0) + 1);
  }

  /** Starts of what this closer ends: its partner comes last, before it what was left open within. */
  close(closer: string): number[] {
    if ((this.#waiting.get(closer) ?? 0) === 0) return [];
    const starts: number[] = [];
    for (let top = this.#stack.pop(); top !== undefined; top = this.#stack.pop()) {
      this.#waiting.set(top.closer, (this.#waiting.get(top.closer) ?? 1) - 1);
      starts.push(top.start);
      if (top.closer === closer) break;
    }
    return starts;
  }

  rest(): number[] {
    return this.#stack.map(({ start }) => start);
  }
}

/**
 * Every bracket from `from` on with its partner, in the order of their starts, in one pass whatever the text holds.
 * Quotes count within brackets only: prose has apostrophes and lone quotes.
 */
export function spansOf(text: string, from = 0): Span[] {
  const open = new OpenBrackets();
  const spans: Span[] = [];
  for (let index = from; index < text.length; index++) {
    const character = text[index] ?? "";
    const closer = CLOSER[character];
    if (closer !== undefined) open.open(closer, index);
    else if (character === '"' && !open.isEmpty) {
      const end = endOfString(text, index);
      if (end === -1) break;
      index = end;
    } else if (character === "]" || character === "}") {
      const starts = open.close(character);
      const partner = starts.pop();
      for (const start of starts) spans.push({ start, end: text.length, isClosed: false });
      if (partner !== undefined) spans.push({ start: partner, end: index + 1, isClosed: true });
    }
  }
  for (const start of open.rest()) spans.push({ start, end: text.length, isClosed: false });
  return spans.sort((left, right) => left.start - right.start);
}
