import { ChatOpenAI } from "@langchain/openai";

const DEFAULT_MODEL = "gpt-4.1-mini";

/** The model that the environment names, or nothing without OPENAI_API_KEY. Retries are left to the memory. */
export function modelFromEnvironment(env: NodeJS.ProcessEnv): ChatOpenAI | undefined {
  if (!env.OPENAI_API_KEY) return undefined;
  return new ChatOpenAI({
    apiKey: env.OPENAI_API_KEY,
    model: env.OPENAI_MODEL ?? DEFAULT_MODEL,
    maxRetries: 0,
    ...(env.OPENAI_BASE_URL ? { configuration: { baseURL: env.OPENAI_BASE_URL } } : {}),
  });
}
