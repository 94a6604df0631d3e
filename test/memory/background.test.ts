import { expect, test } from "vitest";
import { SimpleMem } from "../../src/index.js";

const turns = Array.from({ length: 6 }, (_, index) => ({
  id: `t${index}`,
  speaker: "Ilse",
  content: `The locker code of room ${index} is ${5000 + index}.`,
  timestamp: `2025-03-0${index + 1}T09:00:00Z`,
}));

test("without background work full windows wait for flush", async () => {
  await using simplemem = await SimpleMem.open({ uri: "memory://", window: { size: 2, background: false } });
  const memory = simplemem.scope({ userId: "ilse" });
  await memory.add(turns);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await memory.stats()).toMatchObject({ pendingTurns: 6, windows: { stored: 0 } });
  expect((await memory.flush()).windows.stored).toBe(3);
});
