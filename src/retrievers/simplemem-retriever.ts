import type { CallbackManagerForRetrieverRun } from "@langchain/core/callbacks/manager";
import { Document } from "@langchain/core/documents";
import { BaseRetriever, type BaseRetrieverInput } from "@langchain/core/retrievers";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { Hit, ScopedMemory, SearchOptions, View } from "../records/index.js";

export interface SimpleMemRetrieverOptions
  extends BaseRetrieverInput,
    Pick<SearchOptions, "k" | "filter" | "views" | "maxTokens" | "asOf" | "planning"> {
  readonly memory: ScopedMemory;
  /** Leaves out hits below it, 0 to 1. Default 0. */
  readonly scoreThreshold?: number;
}

/** What a document tells about its hit. Plain JSON. */
export interface MemoryDocumentMetadata {
  readonly kind: Hit["kind"];
  readonly score: number;
  readonly views: readonly View[];
  readonly sourceIds: readonly string[];
  readonly timestamp: string | null;
  readonly persons: readonly string[];
  readonly speaker: string | null;
  readonly sessionId: string;
}

function toDocument(hit: Hit): Document<MemoryDocumentMetadata> {
  const { id, text, kind, score, views, sourceIds, timestamp, persons, speaker, sessionId } = hit;
  return new Document({
    id,
    pageContent: text,
    metadata: { kind, score, views, sourceIds, timestamp, persons, speaker, sessionId },
  });
}

/**
 * Memory as a LangChain retriever.
 * @example new SimpleMemRetriever({ memory: simplemem.scope({ userId: "ilse" }), k: 5 }).invoke("Where does Ilse live?")
 */
export class SimpleMemRetriever extends BaseRetriever<MemoryDocumentMetadata> {
  lc_namespace = ["simplemem_langchain", "retrievers"];
  readonly #options: SimpleMemRetrieverOptions;
  #signal: AbortSignal | undefined;

  static override lc_name(): string {
    return "SimpleMemRetriever";
  }

  constructor(options: SimpleMemRetrieverOptions) {
    super(options);
    this.#options = options;
  }

  /** As every retriever's; an abort signal of the call reaches the search. */
  override async invoke(query: string, config?: RunnableConfig): Promise<Document<MemoryDocumentMetadata>[]> {
    config?.signal?.throwIfAborted();
    if (config?.signal === undefined) return super.invoke(query, config);
    // The base class hands no config on, and one retriever may serve several calls at once: each gets a copy of its own.
    const bound = new SimpleMemRetriever(this.#options);
    bound.#signal = config.signal;
    return super.invoke.call(bound, query, config);
  }

  override async _getRelevantDocuments(
    query: string,
    _runManager?: CallbackManagerForRetrieverRun,
  ): Promise<Document<MemoryDocumentMetadata>[]> {
    const { memory, scoreThreshold = 0, k, filter, views, maxTokens, asOf, planning } = this.#options;
    const { hits } = await memory.search(query, {
      ...(k === undefined ? {} : { k }),
      ...(filter === undefined ? {} : { filter }),
      ...(views === undefined ? {} : { views }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(asOf === undefined ? {} : { asOf }),
      ...(planning === undefined ? {} : { planning }),
      ...(this.#signal === undefined ? {} : { signal: this.#signal }),
    });
    return hits.filter((hit) => hit.score >= scoreThreshold).map(toDocument);
  }
}
