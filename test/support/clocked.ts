import { onTestFinished } from "vitest";
import { SimpleMem, type SimpleMemOptions } from "../../src/index.js";
import { FakeEmbeddings } from "./fakes.js";

/** A memory by rules whose clock is set by hand; it ends with the test. */
export async function openedAt(now: number, options: Partial<SimpleMemOptions> = {}) {
  const time = { now };
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    window: { idleMs: 0 },
    embeddings: new FakeEmbeddings(32),
    clock: () => time.now,
    ...options,
  });
  onTestFinished(() => simplemem.close({ flush: false }));
  return { simplemem, time, memory: simplemem.scope({ userId: "u-ilse", userName: "Ilse" }) };
}

/** Two turns of Ilse, who lives in Graz and whose sister repairs clocks, and the entries of them. */
export async function filledAt(now: number) {
  const opened = await openedAt(now, { embeddings: new FakeEmbeddings(16) });
  const { memory } = opened;
  await memory.add({ id: "t1", speaker: "Ilse", content: "I live in Graz.", timestamp: "2025-03-01T10:00:00Z" });
  await memory.add({
    id: "t2",
    speaker: "Ilse",
    content: "My sister Ane repairs clocks.",
    timestamp: "2025-03-02T10:00:00Z",
  });
  await memory.flush();
  return opened;
}
