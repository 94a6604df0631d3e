/** What an operation cost. */
export interface Usage {
  /** Calls of chat models. */
  modelCalls: number;
  /** Tokens that they read: what they reported, else the library's estimate. */
  promptTokens: number;
  /** Tokens that they wrote: what they reported, else the library's estimate. */
  completionTokens: number;
  /** Askings that had to be repeated: a reply that could not be used, a call that failed and was tried again. */
  retries: number;
  /** Texts given to the embedder. */
  embeddedTexts: number;
  /** Milliseconds per stage: window, extract, consolidate, store, plan, retrieve, reflect, answer. */
  ms: { [stage: string]: number };
}

/** A receipt over nothing. */
export function emptyUsage(): Usage {
  return { modelCalls: 0, promptTokens: 0, completionTokens: 0, retries: 0, embeddedTexts: 0, ms: {} };
}

/** The sum of two receipts, as a new object. */
export function addUsage(left: Usage, right: Usage): Usage {
  const ms = { ...left.ms };
  for (const [stage, spent] of Object.entries(right.ms)) ms[stage] = (ms[stage] ?? 0) + spent;
  return {
    modelCalls: left.modelCalls + right.modelCalls,
    promptTokens: left.promptTokens + right.promptTokens,
    completionTokens: left.completionTokens + right.completionTokens,
    retries: left.retries + right.retries,
    embeddedTexts: left.embeddedTexts + right.embeddedTexts,
    ms,
  };
}
