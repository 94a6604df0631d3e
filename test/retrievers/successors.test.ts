import { describe, expect, it } from "vitest";
import { SimpleMem } from "../../src/index.js";

const at = (day: number): string => `2025-03-${String(day).padStart(2, "0")}T12:00:00Z`;

async function told(...texts: readonly string[]) {
  const simplemem = await SimpleMem.open({ uri: "memory://", window: { idleMs: 0 } });
  const memory = simplemem.scope({ userId: "ilse", userName: "Ilse" });
  for (const [index, content] of texts.entries()) {
    await memory.add({ id: `t${index}`, speaker: "Ilse", content, timestamp: at(index + 1), sessionId: `s${index}` });
    await memory.flush();
  }
  return { simplemem, memory };
}

describe("what replaced a statement", () => {
  it("comes before it, however unlike the question its words are", async () => {
    const { simplemem, memory } = await told(
      "Orla lives in Dunmore.",
      "Orla works at Oakline.",
      "Orla moved to Tarnby.",
    );
    await using _ = simplemem;
    const { hits } = await memory.search("Where does Orla live?", { k: 5 });
    expect(hits[0]?.text).toContain("Tarnby");
    const former = hits.find(({ text }) => text.includes("Dunmore"));
    expect(former === undefined || former.score < (hits[0]?.score ?? 0)).toBe(true);
    expect((await memory.ask("Where does Orla live?")).answer).toBe("Tarnby");
  });

  it("comes before each turn that said it again, also in another session", async () => {
    const again = "Orla lives in Dunmore.";
    const { simplemem, memory } = await told(
      again,
      again,
      "By the way, Orla lives in Dunmore.",
      "Orla moved to Tarnby.",
    );
    await using _ = simplemem;
    const { hits } = await memory.search("Where does Orla live?", { k: 5 });
    expect(hits[0]?.text).toContain("Tarnby");
    for (const { features, text } of hits) if (text.includes("Dunmore")) expect(features?.retired).toBeLessThan(0);
  });

  it("is the last of a chain of changes", async () => {
    const { simplemem, memory } = await told(
      "Orla lives in Dunmore.",
      "Orla moved to Tarnby.",
      "Orla moved to Skerrow.",
      "Orla moved to Vellin.",
    );
    await using _ = simplemem;
    const { answer, citations } = await memory.ask("Where does Orla live?");
    expect(answer).toBe("Vellin");
    const cited = await Promise.all(citations.map(({ id }) => memory.get(id)));
    expect(cited.map((entry) => entry?.status)).toEqual(["active"]);
  });

  it("does not come from a session that the filter leaves out", async () => {
    const { simplemem, memory } = await told("Orla lives in Dunmore.", "Orla moved to Tarnby.");
    await using _ = simplemem;
    const { hits } = await memory.search("Where does Orla live?", { k: 5, filter: { sessionId: "s0" } });
    expect(hits.map(({ sessionId }) => sessionId)).toEqual(hits.map(() => "s0"));
    expect(hits.length).toBeGreaterThan(0);
  });

  it("is not what was believed at an earlier time", async () => {
    const { simplemem, memory } = await told(
      "Orla lives in Dunmore.",
      "Orla works at Oakline.",
      "Orla moved to Tarnby.",
    );
    await using _ = simplemem;
    expect((await memory.ask("Where does Orla live?", { asOf: at(2) })).answer).toBe("Dunmore");
  });

  it("is gone with what was forgotten: the former statement is then all there is", async () => {
    const { simplemem, memory } = await told("Orla lives in Dunmore.", "Orla moved to Tarnby.");
    await using _ = simplemem;
    await memory.forget({ ids: ["t1"] });
    const { hits } = await memory.search("Where does Orla live?", { k: 5 });
    expect(hits.map(({ text }) => text).join(" ")).not.toContain("Tarnby");
  });
});
