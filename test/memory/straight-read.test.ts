import { describe, expect, it } from "vitest";
import { SimpleMem } from "../../src/index.js";

const TURNS = [
  { speaker: "Ilse", content: "Ane repairs clocks in Mill Lane.", timestamp: "2025-03-04T09:00:00Z" },
  { speaker: "Marek", content: "Lentils need no soaking.", timestamp: "2025-03-04T09:01:00Z" },
];

async function filled() {
  const simplemem = await SimpleMem.open({ uri: "memory://", window: { idleMs: 0 } });
  const memory = simplemem.scope({ userId: "ilse" });
  await memory.add(TURNS);
  await memory.flush();
  return { simplemem, memory };
}

describe("a search that is not planned", () => {
  it("gives what the graph gives, whether or not anybody watches", async () => {
    const { simplemem, memory } = await filled();
    const names: string[] = [];
    const callbacks = [{ handleChainStart: (...start: readonly unknown[]) => void names.push(String(start[7])) }];
    const plain = await memory.search("Who repairs clocks?", { planning: "never" });
    expect(names).toEqual([]);
    const watched = await memory.search("Who repairs clocks?", { planning: "never", callbacks });
    expect(names).toContain("retrieve");
    const {
      usage: { ms: _plainMs, ...plainUsage },
      ...plainRest
    } = plain;
    const {
      usage: { ms: _watchedMs, ...watchedUsage },
      ...watchedRest
    } = watched;
    expect(plainRest).toEqual(watchedRest);
    expect(plainUsage).toEqual(watchedUsage);
    expect(plain.hits[0]?.text).toContain("Ane");
    await simplemem.close();
  });

  it("ends at once when its signal aborts, with the signal's reason", async () => {
    const { simplemem, memory } = await filled();
    const abort = new AbortController();
    const search = memory.search("clocks", { planning: "never", signal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(search).rejects.toThrow("enough");
    await expect(memory.search("clocks", { planning: "never", signal: abort.signal })).rejects.toThrow("enough");
    await simplemem.close();
  });
});
