/** Who is who in a turn. */
export interface Who {
  readonly speaker: string;
  readonly addressee: string | null;
  /** The single clear third person, or null. */
  readonly antecedent: string | null;
  /**
   * Decides for each third-person pronoun instead of `antecedent`.
   * @param pronoun lower-cased: "she", "their", "他"
   * @param before the text up to the pronoun, as it was said
   */
  readonly thirdPerson?: (pronoun: string, before: string) => string | null;
  /** Who "we" are; absent: the speaker and others. */
  readonly group?: readonly string[];
}

/** A stretch of the text and what stands there instead. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}
