import type { EmbeddingsInterface } from "@langchain/core/embeddings";

/** The name under which a store remembers its embedder: that of the model, else of the class. */
export function embedderName(embeddings: EmbeddingsInterface): string {
  const labels = ["modelName", "model"].map((field): unknown => Reflect.get(embeddings, field));
  return labels.find((label) => typeof label === "string" && label !== "")?.toString() ?? embeddings.constructor.name;
}
