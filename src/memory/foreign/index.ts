export { fromLangGraphItems } from "./langgraph-items.js";
export { fromLocomo, type LocomoOptions } from "./locomo.js";
export { fromMem0, type Mem0Options } from "./mem0.js";
export { fromOpenAiMessages, type OpenAiMessagesOptions } from "./openai.js";
