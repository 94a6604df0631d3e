/** Longest piece of a turn, in code points, and how much of it the next piece repeats: CALMem's setting. */
export const CHUNK_SIZE = 1000;
export const CHUNK_OVERLAP = 200;

function lastSpaceIn(points: readonly string[], from: number, to: number): number {
  for (let index = to; index > from; index--) {
    if (/\s/u.test(points[index] ?? "")) return index;
  }
  return -1;
}

/**
 * Cuts a long text into overlapping pieces at white space, by code points, so that no character is torn. A text that
 * fits is one piece. Every code point of the text is in some piece.
 * @example chunkText("short") // ["short"]
 */
export function chunkText(text: string, size = CHUNK_SIZE, overlap = CHUNK_OVERLAP): string[] {
  const points = Array.from(text);
  if (points.length <= size) return [text];
  const chunks: string[] = [];
  let start = 0;
  while (start < points.length) {
    const limit = Math.min(start + size, points.length);
    const space = limit < points.length ? lastSpaceIn(points, start + size - overlap, limit) : -1;
    const end = space === -1 ? limit : space;
    chunks.push(points.slice(start, end).join(""));
    if (end >= points.length) break;
    const back = lastSpaceIn(points, end - overlap - 1, end - Math.floor(overlap / 2));
    start = back === -1 ? end - overlap : back + 1;
  }
  return chunks;
}
