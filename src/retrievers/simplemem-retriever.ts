import { type CallbackManagerForRetrieverRun, parseCallbackConfigArg } from "@langchain/core/callbacks/manager";
import { Document } from "@langchain/core/documents";
import { BaseRetriever, type BaseRetrieverInput } from "@langchain/core/retrievers";
import { ensureConfig, type RunnableConfig } from "@langchain/core/runnables";
import type { Hit, SearchOptions, View } from "../records/index.js";
import { checkSource, type MemorySource, memoryOf } from "../records/memory-source.js";

/** What a retriever of one view takes. */
export type ViewRetrieverOptions = MemorySource &
  BaseRetrieverInput &
  Pick<SearchOptions, "k" | "filter" | "maxTokens" | "asOf" | "planning"> & {
    /** Leaves out hits below it, 0 to 1. Default 0. */
    readonly scoreThreshold?: number;
  };

/** Options of `SimpleMemRetriever`: those of a view retriever, and which views are searched (default: all). */
export type SimpleMemRetrieverOptions = ViewRetrieverOptions & Pick<SearchOptions, "views">;

/** What a document tells about its hit. Plain JSON. */
export interface MemoryDocumentMetadata {
  /** A fact made of turns, a raw turn, or an exact key-value. */
  readonly kind: Hit["kind"];
  /** 0 to 1, higher is better, monotone in the ranking. */
  readonly score: number;
  /** Which views found it. */
  readonly views: readonly View[];
  /** Ids of the turns that prove it, as given to `add`. */
  readonly sourceIds: readonly string[];
  /** When it happened, else when it was said; ISO 8601 in UTC. */
  readonly timestamp: string | null;
  /** People that it is about. */
  readonly persons: readonly string[];
  /** Who said it; null for a fact. */
  readonly speaker: string | null;
  /** The session in which it was said. */
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
 * Memory as a LangChain retriever: what answers a question, best first. Whose memory it is, is fixed by `memory`, or read
 * from each call by `scopeFrom`. A retriever that hands its own no config, as `EnsembleRetriever` outside of a graph,
 * leaves `scopeFrom` without a user, which is an error.
 * @throws InvalidInputError unless exactly one of `memory` and `scopeFrom` is given
 * @example new SimpleMemRetriever({ memory: simplemem.scope({ userId: "ilse" }), k: 5 }).invoke("Where does Ilse live?")
 * @example
 * const retriever = new SimpleMemRetriever({
 *   scopeFrom: ({ configurable }) => simplemem.scope({ userId: configurable?.userId, sessionId: configurable?.threadId }),
 * });
 * await retriever.invoke("Where do I live?", { configurable: { userId: "ilse", threadId: "monday" } });
 */
export class SimpleMemRetriever extends BaseRetriever<MemoryDocumentMetadata> {
  lc_namespace = ["simplemem_langchain", "retrievers"];
  // Not `#`: a call is served by an object that inherits from this one, see `invoke`.
  private readonly options: SimpleMemRetrieverOptions;
  private call: RunnableConfig = {};

  static override lc_name(): string {
    return "SimpleMemRetriever";
  }

  constructor(options: SimpleMemRetrieverOptions) {
    super(options);
    checkSource(options, new.target.lc_name());
    this.options = options;
  }

  /** As every retriever's; `configurable` reaches `scopeFrom`, and an abort signal the search. */
  override async invoke(query: string, config?: RunnableConfig): Promise<Document<MemoryDocumentMetadata>[]> {
    const call = ensureConfig<RunnableConfig>(parseCallbackConfigArg(config));
    call.signal?.throwIfAborted();
    // The base class hands no config on, and one retriever may serve several calls at once: each gets a copy of its own.
    const bound: this = Object.create(this);
    bound.call = call;
    return super.invoke.call(bound, query, config);
  }

  override async _getRelevantDocuments(
    query: string,
    runManager?: CallbackManagerForRetrieverRun,
  ): Promise<Document<MemoryDocumentMetadata>[]> {
    const { scoreThreshold = 0, k, filter, views, maxTokens, asOf, planning } = this.options;
    const { signal } = this.call;
    const { hits } = await memoryOf(this.options, this.call).search(query, {
      ...(k === undefined ? {} : { k }),
      ...(filter === undefined ? {} : { filter }),
      ...(views === undefined ? {} : { views }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(asOf === undefined ? {} : { asOf }),
      ...(planning === undefined ? {} : { planning }),
      ...(signal === undefined ? {} : { signal }),
      ...(runManager === undefined ? {} : { callbacks: runManager.getChild() }),
    });
    return hits.filter((hit) => hit.score >= scoreThreshold).map(toDocument);
  }
}
