/**
 * Vectors that cost nothing, so that what is measured is everything else. Under the name and with the length of another
 * embedder they can be written beside that one's.
 */
export class NullEmbeddings {
  constructor(
    readonly modelName = "null",
    readonly dimension = 8,
  ) {}

  embedSync(texts: readonly string[]): number[][] {
    return texts.map((text) =>
      Array.from({ length: this.dimension }, (_, index) => (text.charCodeAt((index * 7) % text.length) % 31) - 15.5),
    );
  }

  async embedDocuments(texts: string[]): Promise<number[][]> {
    return this.embedSync(texts);
  }

  async embedQuery(text: string): Promise<number[]> {
    return this.embedSync([text]).flat();
  }
}
