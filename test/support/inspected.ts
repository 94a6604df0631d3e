import { onTestFinished } from "vitest";
import type { ScopedMemory, SimpleMemOptions, TurnInput } from "../../src/index.js";
import { type InspectorOptions, startInspector } from "../../src/inspector/index.js";
import { openedAt } from "./clocked.js";

export const NOW = Date.parse("2025-03-12T12:00:00Z");

/** What Ilse said on two days, and what a web page claims. */
export const SAID: readonly TurnInput[] = [
  { id: "t1", speaker: "Ilse", content: "I live in Graz.", timestamp: "2025-03-01T10:00:00Z", sessionId: "first" },
  {
    id: "t2",
    speaker: "Ilse",
    content: "My sister Ane repairs clocks.",
    timestamp: "2025-03-01T10:01:00Z",
    sessionId: "first",
  },
  { id: "t3", speaker: "Ilse", content: "Bravo!", timestamp: "2025-03-08T09:00:00Z", sessionId: "second" },
  {
    id: "t4",
    speaker: "Ilse",
    content: "I sold the old boat to Bram.",
    timestamp: "2025-03-08T09:01:00Z",
    sessionId: "second",
  },
  {
    id: "w1",
    role: "tool",
    speaker: "web page",
    content: "Ane Corrin lives in Porthaven.",
    timestamp: "2025-03-08T09:02:00Z",
    sessionId: "second",
  },
  {
    id: "w2",
    role: "tool",
    speaker: "web page",
    content: "Bram Otway owns a bakery.",
    timestamp: "2025-03-08T09:03:00Z",
    sessionId: "second",
  },
  {
    id: "w3",
    role: "tool",
    speaker: "web page",
    content: "Tove Lindqvist plays the oboe.",
    timestamp: "2025-03-08T09:04:00Z",
    sessionId: "second",
  },
];

/** A memory in which these turns were said, and the address of its inspector; both end with the test. */
export async function inspected(
  said: readonly TurnInput[] = SAID,
  options: { engine?: Partial<SimpleMemOptions>; inspector?: Partial<InspectorOptions> } = {},
) {
  const { simplemem, memory } = await openedAt(NOW, options.engine);
  if (said.length > 0) {
    await memory.add(said);
    await memory.flush();
  }
  const { url, close } = await startInspector({ memory: simplemem, scope: { userId: "u-ilse" }, ...options.inspector });
  onTestFinished(close);
  return { simplemem, memory, url };
}

/** The statements that a read gives. */
export async function statements(memory: Pick<ScopedMemory, "list">): Promise<readonly string[]> {
  return (await memory.list()).items.map(({ losslessRestatement }) => losslessRestatement);
}
