import { describe, expect, it } from "vitest";
import { type Hit, SimpleMem } from "../../src/index.js";

type Line = readonly [id: string, speaker: string, content: string];

async function found(lines: readonly Line[], question: string): Promise<readonly Hit[]> {
  await using simplemem = await SimpleMem.open({ uri: "memory://", window: { idleMs: 0 } });
  const memory = simplemem.scope({ userId: "ilse" });
  await memory.add(lines.map(([id, speaker, content]) => ({ id, speaker, content, sessionId: "s" })));
  await memory.flush();
  return (await memory.search(question, { k: 10 })).hits;
}

const standingOn = (hits: readonly Hit[], id: string): readonly Hit[] =>
  hits.filter(({ sourceIds }) => sourceIds[0] === id);

describe("a reply that does not repeat its question", () => {
  const asked: Line = ["t1", "Marek", "Where do you keep the beehives in winter?"];
  const told: Line = ["t2", "Ilse", "I carry them into the barn behind the mill."];

  it("is found by the words of the question, the more the more of them it has", async () => {
    const hits = await found([asked, told], "Where does Ilse keep the beehives in winter?");
    const [all] = standingOn(hits, "t2");
    expect(all?.features?.reply).toBeGreaterThan(0);
    const [some] = standingOn(await found([asked, told], "Where does Ilse keep the beehives in a storm?"), "t2");
    expect(some?.features?.reply).toBeGreaterThan(0);
    expect(some?.features?.reply).toBeLessThan(all?.features?.reply ?? 0);
  });

  it.each<[string, readonly Line[]]>([
    ["the same speaker asked", [["t1", "Ilse", asked[2]], told]],
    ["nothing was asked", [["t1", "Marek", "You keep the beehives out in winter."], told]],
    ["another turn stands between", [asked, ["t3", "Marek", "Never mind, look at that heron."], told]],
    ["the question has other words", [["t1", "Marek", "Is the heron back?"], told]],
  ])("is none where %s", async (_, lines) => {
    const hits = await found(lines, "Where does Ilse keep the beehives in winter?");
    expect(standingOn(hits, "t2").length).toBeGreaterThan(0);
    for (const { features } of standingOn(hits, "t2")) expect(features?.reply ?? 0).toBe(0);
  });
});

describe("an entry that holds a question and its answer", () => {
  it("yields a little, since it is alike by words of another and stands on two turns", async () => {
    const hits = await found(
      [
        ["t1", "Marek", "Where is the key of the boathouse?"],
        ["t2", "Ilse", "Under the mat."],
        ["t3", "Ilse", "The oars lie in the boathouse."],
      ],
      "Where is the key of the boathouse?",
    );
    const [exchange] = hits.filter(({ sourceIds }) => sourceIds.length === 2);
    expect(exchange?.sourceIds).toEqual(["t2", "t1"]);
    expect(exchange?.features?.exchange).toBeLessThan(0);
    for (const hit of hits) if (hit.sourceIds.length === 1) expect(hit.features?.exchange ?? 0).toBe(0);
    expect(hits[0]).toBe(exchange);
  });
});
