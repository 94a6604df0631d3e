import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import { z } from "zod/v4";
import type { Logger } from "../../records/index.js";

/** Which texts of an item can be searched by meaning, and with which embedder. */
export interface ItemIndexOptions {
  /** Length of the vectors. Default: what the embedder says, or its first vector. */
  readonly dims?: number;
  /** Default: the store's. */
  readonly embeddings?: EmbeddingsInterface;
  /**
   * Paths of the texts that get a vector each: `title`, `meta.title`, `authors[0].name`, `chapters[*].text`, `{title,body}`.
   * An item is as near as the nearest of them. Default `["$"]`: the whole value as one text.
   */
  readonly fields?: readonly string[];
}

/** How long items live. */
export interface ItemTtlOptions {
  /** Minutes that an item lives after it was written. Absent: for ever, unless the put says how long. */
  readonly defaultTtl?: number;
  /** A get or search that finds an item lets it live anew. Default true. */
  readonly refreshOnRead?: boolean;
  /** Minutes after which a write also removes expired items from the disk. Default 60. */
  readonly sweepIntervalMinutes?: number;
}

/** How a store of items works, wherever it is. */
export interface ItemStoreOptions {
  /** false: no search by meaning; a `query` then ranks nothing. */
  readonly index?: ItemIndexOptions | false;
  /** How long items live. Default: for ever, unless a put says how long. */
  readonly ttl?: ItemTtlOptions;
}

/** Options of `SimpleMemStore.open`. */
export interface SimpleMemStoreOptions extends ItemStoreOptions {
  /** A folder, `memory://` for tests, or `s3://` `gs://` `az://` `db://`, which LanceDB opens with `storageOptions`. */
  readonly uri: string;
  /** What LanceDB needs for object storage: region, keys, endpoint. */
  readonly storageOptions?: { readonly [name: string]: string };
  /** Default: `LocalEmbeddings`, English words offline. */
  readonly embeddings?: EmbeddingsInterface;
  /** True: nothing can be put or removed. Default false. */
  readonly readOnly?: boolean;
  /** True: no other process writes; see `SimpleMemOptions`. Default false. */
  readonly singleWriter?: boolean;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly clock?: () => number;
  /** Default: silent. */
  readonly logger?: Logger;
}

function having<T>(methods: readonly string[], message: string) {
  return z.custom<T>(
    (value) =>
      typeof value === "object" &&
      value !== null &&
      methods.every((name) => typeof Reflect.get(value, name) === "function"),
    message,
  );
}

const embeddings = having<EmbeddingsInterface>(["embedQuery", "embedDocuments"], "must be LangChain embeddings");
const minutes = z.number().positive();

const itemOptions = {
  index: z
    .union([
      z.strictObject({
        dims: z.int().min(1).optional(),
        embeddings: embeddings.optional(),
        fields: z.array(z.string()).readonly().optional(),
      }),
      z.literal(false),
    ])
    .optional(),
  ttl: z
    .strictObject({
      defaultTtl: minutes.optional(),
      refreshOnRead: z.boolean().optional(),
      sweepIntervalMinutes: minutes.optional(),
    })
    .optional(),
};

export const itemStoreSchema = z.strictObject(itemOptions);

export const simpleMemStoreSchema = z.strictObject({
  ...itemOptions,
  uri: z.string().refine((value) => value.trim() !== "", "must not be blank"),
  storageOptions: z.record(z.string(), z.string()).optional(),
  embeddings: embeddings.optional(),
  readOnly: z.boolean().optional(),
  singleWriter: z.boolean().optional(),
  clock: z.custom<() => number>((value) => typeof value === "function", "must be a function").optional(),
  logger: having<Logger>(["debug", "info", "warn", "error"], "needs debug, info, warn, error").optional(),
});
