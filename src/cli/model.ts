import type { SimpleMemOptions } from "../index.js";
import { importOptional } from "./optional-package.js";
import type { Terminal } from "./terminal.js";

/** The model where the environment names none. */
export const DEFAULT_MODEL = "gpt-4.1-mini";

type OpenAi = typeof import("@langchain/openai");

function isOpenAi(loaded: unknown): loaded is OpenAi {
  return typeof loaded === "object" && loaded !== null && "ChatOpenAI" in loaded && "OpenAIEmbeddings" in loaded;
}

/**
 * The model and the embedder that the environment names: OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL, and for vectors
 * OPENAI_EMBEDDING_MODEL. Without a key there are none: rules, and the local embeddings.
 * @throws Failure when a key is there and @langchain/openai is not
 */
export async function modelsFromEnvironment(
  env: Terminal["env"],
): Promise<Pick<SimpleMemOptions, "llm" | "embeddings">> {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL, OPENAI_MODEL, OPENAI_EMBEDDING_MODEL } = env;
  if (!apiKey) return {};
  const why = "OPENAI_API_KEY is set, and the model (--offline does without it)";
  const { ChatOpenAI, OpenAIEmbeddings } = await importOptional(
    "@langchain/openai",
    () => import("@langchain/openai"),
    why,
    isOpenAi,
  );
  const common = { apiKey, maxRetries: 0, ...(baseURL ? { configuration: { baseURL } } : {}) };
  return {
    llm: new ChatOpenAI({ ...common, model: OPENAI_MODEL || DEFAULT_MODEL }),
    ...(OPENAI_EMBEDDING_MODEL
      ? { embeddings: new OpenAIEmbeddings({ ...common, model: OPENAI_EMBEDDING_MODEL }) }
      : {}),
  };
}
