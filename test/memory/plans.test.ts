import { describe, expect, it } from "vitest";
import { SimpleMem } from "../../src/index.js";

const at = (day: number): string => `2025-03-${String(day).padStart(2, "0")}T12:00:00Z`;

async function open() {
  const simplemem = await SimpleMem.open({ uri: "memory://", window: { idleMs: 0 } });
  const memory = simplemem.scope({ userId: "ilse" });
  let count = 0;
  const say = async (day: number, content: string): Promise<void> => {
    count += 1;
    await memory.add({ id: `t${count}`, speaker: "Ilse", content, timestamp: at(day), sessionId: `day-${day}` });
    await memory.flush();
  };
  const statusOf = async (word: string) => {
    const { items } = await memory.list({ status: ["active", "done", "superseded", "doubtful", "conflicted"] });
    return items
      .filter(({ losslessRestatement }) => losslessRestatement.includes(word))
      .map(({ losslessRestatement, status }) => `${status}: ${losslessRestatement}`);
  };
  return { simplemem, memory, say, statusOf };
}

describe("plans", () => {
  it("are open until they were carried out, and are then left out of a search that does not ask for them", async () => {
    const { simplemem, memory, say, statusOf } = await open();
    await using _ = simplemem;
    await say(1, "I plan to paint the garden shed.");
    expect(await statusOf("shed")).toEqual([expect.stringMatching(/^active: /)]);
    await say(9, "I painted the garden shed green.");
    expect((await statusOf("shed")).map((line) => line.split(":")[0]).sort()).toEqual(["active", "done"]);

    const { hits } = await memory.search("garden shed", { k: 5 });
    expect(hits.filter(({ entry }) => entry?.status === "done")).toEqual([]);
    expect(hits[0]?.text).toContain("green");
    const all = await memory.search("plan for the garden shed", { k: 5, includeArchived: true });
    expect(all.hits.map(({ entry }) => entry?.status)).toContain("done");
  });

  it("say in their history what ended them, and are open again when that is undone", async () => {
    const { simplemem, memory, say } = await open();
    await using _ = simplemem;
    await say(1, "I plan to paint the garden shed.");
    await say(9, "I painted the garden shed green.");
    const [plan] = (await memory.list({ status: "done" })).items;
    const versions = await memory.history(plan?.entryId ?? "");
    expect(versions.map(({ op }) => op)).toEqual(["extracted", "done"]);
    expect(versions[1]?.turnIds).toEqual(["t2"]);
    const restored = await memory.restore(plan?.entryId ?? "", 1);
    expect(restored.status).toBe("active");
  });

  it("that are called off are history, and what they said is not told as a plan", async () => {
    const { simplemem, memory, say, statusOf } = await open();
    await using _ = simplemem;
    await say(1, "I plan to paint the garden shed.");
    await say(9, "I decided not to paint the garden shed.");
    expect(await statusOf("plan")).toEqual([expect.stringMatching(/^superseded: /)]);
    const { hits } = await memory.search("What does Ilse plan for the garden shed?", { k: 1 });
    expect(hits[0]?.text).toContain("not to paint");
  });
});

describe("what rests on something that is no longer so", () => {
  it("is doubtful, waits in the review queue, and is approved there", async () => {
    const { simplemem, memory, say, statusOf } = await open();
    await using _ = simplemem;
    await say(1, "I live in Dunmore.");
    await say(2, "I take the ferry to work because I live in Dunmore.");
    await say(9, "I moved to Porthaven.");
    expect(await statusOf("ferry")).toEqual([expect.stringMatching(/^doubtful: /)]);
    const [ferry] = (await memory.list({ status: "doubtful" })).items;
    const versions = await memory.history(ferry?.entryId ?? "");
    expect(versions.at(-1)).toMatchObject({ op: "doubted", turnIds: ["t1"] });
    await memory.update(ferry?.entryId ?? "", { status: "active" });
    expect(await statusOf("ferry")).toEqual([expect.stringMatching(/^active: /)]);
  });
});
