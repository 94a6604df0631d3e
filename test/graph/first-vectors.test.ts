import { expect, it } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { FakeEmbeddings } from "../support/fakes.js";

/** Two senses: of the sea, and of everything else. */
function senseOf(text: string): number[] {
  return /boat|sail|harbour/iu.test(text) ? [1, 0.1] : [0.1, 1];
}

it("gives the turns of a new store's first flush vectors of an embedder of one's own, so that they are found by meaning", async () => {
  const embeddings = new FakeEmbeddings(2, senseOf);
  const simplemem = await SimpleMem.open({ uri: "memory://", embeddings });
  const memory = simplemem.scope({ userId: "orla" });
  await memory.add([
    { speaker: "Orla", content: "My sister Ane sold the old boat to a man from Graz." },
    { speaker: "Bram", content: "I repaired the kitchen clock on Monday." },
    { speaker: "Orla", content: "The lentils from the market need no soaking." },
  ]);
  await memory.flush();
  const { hits } = await memory.search("Who likes to go sailing?", { views: ["episodic"], planning: "never" });
  expect(hits[0]?.text).toContain("boat");
  expect(hits[0]?.features?.meaning).toBeGreaterThan(0);
  await simplemem.close();
});
