import { expect, test } from "vitest";
import * as simplemem from "../../src/index.js";
import * as errors from "../../src/records/errors.js";
import { firstColumn, optionsOf } from "./tables.js";

/** Tables of options: where they stand, and the interface that they are about. */
const TABLES = [
  ["docs/engine.md", "## Open", "src/memory/options.ts", "SimpleMemOptions"],
  ["docs/maintenance.md", "## By itself", "src/memory/maintenance-options.ts", "MaintenanceOptions"],
  ["docs/engine.md", "## search", "src/records/scoped-memory.ts", "SearchOptions"],
  ["docs/memory.md", "## SimpleMemMemory", "src/memory/langchain-memory.ts", "SimpleMemMemoryOptions"],
  [
    "docs/memory.md",
    "## RunnableWithMessageHistory",
    "src/memory/chat-history.ts",
    "SimpleMemChatMessageHistoryOptions",
  ],
  [
    "docs/middleware.md",
    "# Agents: `simplemem-langchain/middleware`",
    "src/agents/middleware.ts",
    "SimpleMemMiddlewareOptions",
  ],
  ["docs/inspector.md", "## In a program", "src/inspector/options.ts", "InspectorOptions"],
  ["docs/retrievers.md", "## A RAG pipeline with memory", "src/retrievers/rag-prompt.ts", "RagPromptOptions"],
] as const;

/** The row about whose memory it is, which every such door has. */
const SOURCE_ROW = "memory or scopeFrom";

test.each(TABLES)("%s, %s names every option of %s, %s", (page, heading, file, name) => {
  const named = firstColumn(page, heading).filter((cell) => cell !== SOURCE_ROW);
  expect([...named].sort()).toEqual([...optionsOf(file, name)].sort());
});

test("the table of errors names every error, and each can be imported", () => {
  const names = Object.keys(errors).filter((name) => name !== "SimpleMemError");
  expect([...firstColumn("docs/engine.md", "## Errors")].sort()).toEqual(names.sort());
  expect(Object.keys(simplemem)).toEqual(expect.arrayContaining(names));
});
