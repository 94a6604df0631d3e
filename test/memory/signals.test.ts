import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { SimpleMem } from "../../src/index.js";

it("a signal that lives as long as the program is let go of by every call that was given it (R78)", async () => {
  await using simplemem = await SimpleMem.open({ uri: "memory://", window: { idleMs: 0 } });
  const memory = simplemem.scope({ userId: "u-ilse", sessionId: "s1" });
  const { signal } = new AbortController();
  await memory.add({ speaker: "Ilse", content: "My boat lies in Dunmore." });
  await memory.flush({ signal });
  await memory.search("Where is the boat?", { signal });
  await memory.ask("Where is the boat?", { signal });
  for await (const _piece of memory.streamAsk("Where is the boat?", { signal })) break;
  await memory.maintain({ signal });
  await simplemem.maintain({ signal });
  await simplemem.verify({ signal });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it("a signal that aborted before or during a call ends it with its reason", async () => {
  await using simplemem = await SimpleMem.open({ uri: "memory://", window: { idleMs: 0 } });
  const memory = simplemem.scope({ userId: "u-ilse", sessionId: "s1" });
  await memory.add({ speaker: "Ilse", content: "My boat lies in Dunmore." });
  const reason = new Error("enough");
  await expect(memory.search("boat", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const later = new AbortController();
  const asked = memory.ask("Where is the boat?", { signal: later.signal });
  later.abort(reason);
  await expect(asked).rejects.toBe(reason);
});
