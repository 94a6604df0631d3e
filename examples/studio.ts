/**
 * The graphs for LangGraph Studio: langgraph.json names these exports, and `npx @langchain/langgraph-cli dev` serves them.
 * Copy both files into your project, and import from "simplemem-langchain" and "simplemem-langchain/graph".
 */
import { createRecallGraph, createRememberGraph, type MemoryRuntime } from "../src/graph/door.js";
import { SimpleMem } from "../src/index.js";

const simplemem = await SimpleMem.open({ uri: process.env.SIMPLEMEM_URI ?? "./.simplemem" });

/** Studio's configuration says whose memory it is: `userId`. */
const scopeFrom = ({ configurable }: MemoryRuntime) => simplemem.scope({ userId: configurable?.userId });

/** Take `{ scope, … }`: pending turns become facts, and a question is answered. */
export const { writeGraph, readGraph } = simplemem;

/** Take `{ messages }`: the same graphs as parts of a conversation. */
export const remember = createRememberGraph({ scopeFrom, writeGraph });
export const recall = createRecallGraph({ scopeFrom, readGraph });
