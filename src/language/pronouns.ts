/** Who is who in a turn. */
export interface Who {
  readonly speaker: string;
  readonly addressee: string | null;
  /** The single clear third person, or null. */
  readonly antecedent: string | null;
  /** Who "we" are. */
  readonly group?: readonly string[];
}

export function hasBarePronoun(text: string): boolean {
  return /\b(?:I|me|my|mine|we|our|you|your|he|him|his|she|her|they|them|their)\b|[我你您他她它]/u.test(text);
}

export function resolvePronouns(text: string, _who: Who): { text: string; unresolved: string[] } {
  return { text, unresolved: [] };
}
