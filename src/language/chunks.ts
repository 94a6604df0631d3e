/** Longest piece of a turn, in code points, and how much of it the next piece repeats: CALMem's setting. */
export const CHUNK_SIZE = 1000;
export const CHUNK_OVERLAP = 200;

const WHITE_SPACE = /\s/u;

function lastSpaceIn(points: readonly string[], from: number, to: number): number {
  for (let index = to; index > from; index--) {
    if (WHITE_SPACE.test(points[index] ?? "")) return index;
  }
  return -1;
}

/**
 * Cuts a long text into overlapping pieces at white space, by code points, so that no character is torn. A text that
 * fits is one piece. Every code point of the text is in some piece. One at a time, so that the reader of a very long text may pause.
 * @example [...chunksOf("short")] // ["short"]
 */
export function* chunksOf(text: string, size = CHUNK_SIZE, overlap = CHUNK_OVERLAP): Generator<string> {
  let at = 0;
  for (;;) {
    // A code point takes one or two units; one more point than fits tells whether the text goes on.
    const points = Array.from(text.slice(at, at + 2 * (size + 1)));
    if (points.length <= size) {
      yield text.slice(at);
      return;
    }
    const space = lastSpaceIn(points, size - overlap, size);
    const end = space === -1 ? size : space;
    yield points.slice(0, end).join("");
    const back = lastSpaceIn(points, end - overlap - 1, end - Math.floor(overlap / 2));
    const next = back === -1 ? end - overlap : back + 1;
    at += points.slice(0, next).join("").length;
  }
}

/** The pieces of `chunksOf`, all at once. */
export function chunkText(text: string, size = CHUNK_SIZE, overlap = CHUNK_OVERLAP): string[] {
  return [...chunksOf(text, size, overlap)];
}
