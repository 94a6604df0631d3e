import { SimpleMemRetriever, type ViewRetrieverOptions } from "./simplemem-retriever.js";

/**
 * Finds facts by meaning alone: the nearest vectors.
 * @example new SemanticRetriever({ memory, k: 5 }).invoke("Which pets are there?")
 */
export class SemanticRetriever extends SimpleMemRetriever {
  static override lc_name(): string {
    return "SemanticRetriever";
  }

  constructor(options: ViewRetrieverOptions) {
    super({ ...options, views: ["semantic"] });
  }
}

/**
 * Finds facts by their words alone (BM25 over stems).
 * @example new LexicalRetriever({ memory, k: 5 }).invoke("greyhound")
 */
export class LexicalRetriever extends SimpleMemRetriever {
  static override lc_name(): string {
    return "LexicalRetriever";
  }

  constructor(options: ViewRetrieverOptions) {
    super({ ...options, views: ["lexical"] });
  }
}

/**
 * Finds facts by what the question names: persons, places, things and times.
 * @example new SymbolicRetriever({ memory, k: 5 }).invoke("What did Bram do in March 2025?")
 */
export class SymbolicRetriever extends SimpleMemRetriever {
  static override lc_name(): string {
    return "SymbolicRetriever";
  }

  constructor(options: ViewRetrieverOptions) {
    super({ ...options, views: ["symbolic"] });
  }
}

/**
 * Finds what was said, word for word: the raw turns, also those that no fact was made of yet.
 * @example new EpisodicRetriever({ memory, k: 5 }).invoke("What did I say about the stove?")
 */
export class EpisodicRetriever extends SimpleMemRetriever {
  static override lc_name(): string {
    return "EpisodicRetriever";
  }

  constructor(options: ViewRetrieverOptions) {
    super({ ...options, views: ["episodic"] });
  }
}
