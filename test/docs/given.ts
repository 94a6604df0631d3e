/** What the examples in docstrings take for granted. Nothing of it exists at run time: they are type-checked alone. */
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { ChatPromptTemplate } from "@langchain/core/prompts";
import type { StructuredToolInterface } from "@langchain/core/tools";
import type { VectorStore } from "@langchain/core/vectorstores";
import type { MessagesValue, StateGraph } from "@langchain/langgraph";
import type { SimpleMem, SimpleMemStore } from "../../src/memory/index.js";
import type { Hit } from "../../src/records/index.js";

export { ConversationChain } from "@langchain/classic/chains";
export { StringOutputParser } from "@langchain/core/output_parsers";
export { RunnableWithMessageHistory } from "@langchain/core/runnables";
export { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
export { createAgent } from "langchain";
export { createMemoryTools } from "../../src/agents/tools.js";
export { SimpleMem, SimpleMemStore } from "../../src/memory/index.js";

export declare const simplemem: SimpleMem;
export declare const memory: ReturnType<SimpleMem["scope"]>;
export declare const store: SimpleMemStore;
export declare const id: string;
export declare const text: string;
export declare const hits: readonly Hit[];
export declare const model: BaseChatModel;
export declare const llm: BaseChatModel;
export declare const tools: StructuredToolInterface[];
export declare const prompt: ChatPromptTemplate;
export declare const manuals: VectorStore;
export declare const graph: StateGraph<{ messages: typeof MessagesValue }>;
export declare const host: typeof graph;
export declare const builder: typeof graph;
