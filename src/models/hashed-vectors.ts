const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

function hashOf(text: string): number {
  let hash = FNV_OFFSET;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  return hash >>> 0;
}

/** Adds a pseudo-random sign vector, known by its text alone, to `target`. */
function addSigns(target: Float64Array, text: string, weight: number): void {
  let state = hashOf(text) || 1;
  for (let index = 0; index < target.length; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    target[index] = (target[index] ?? 0) + ((state & 1) === 0 ? weight : -weight);
  }
}

const GRAM_LENGTH = 3;

function gramsOf(word: string): string[] {
  const points = Array.from(`<${word}>`);
  if (points.length <= GRAM_LENGTH) return [points.join("")];
  return points.slice(0, 1 - GRAM_LENGTH).map((_, start) => points.slice(start, start + GRAM_LENGTH).join(""));
}

/**
 * A vector of unit length for a word that the table does not know: the sum of its character trigrams, each a
 * pseudo-random direction, so that the same word always has the same vector and similar spellings have near ones.
 */
export function hashedVector(word: string, dimension: number): Float64Array {
  const vector = new Float64Array(dimension);
  for (const gram of gramsOf(word)) addSigns(vector, gram, 1);
  addSigns(vector, word, 1);
  const norm = Math.hypot(...vector);
  return norm === 0 ? vector : vector.map((value) => value / norm);
}
