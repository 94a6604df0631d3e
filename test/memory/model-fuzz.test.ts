import fc from "fast-check";
import { expect, it } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { FakeEmbeddings, ScriptedModel } from "../support/fakes.js";
import { FACTS, mangledReply } from "../support/mangled.js";

it("a mangled reply never throws to the caller, and pending + stored + failed adds up to what was added", async () => {
  let replies: readonly string[] = [];
  let asked = 0;
  const model = new ScriptedModel([() => replies[asked++ % replies.length] ?? ""]);
  const embeddings = new FakeEmbeddings();
  await using simplemem = await SimpleMem.open({
    uri: "memory://",
    llm: model,
    embeddings,
    window: { size: 2, idleMs: 0 },
    limits: { tries: 2 },
  });
  let user = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(mangledReply, { minLength: 1, maxLength: 3 }), async (script) => {
      replies = script;
      asked = 0;
      user += 1;
      const memory = simplemem.scope({ userId: `u${user}`, userName: "Ilse" });
      await memory.add(FACTS.map((text) => ({ speaker: "Ilse", content: `${text.replace("Ilse", "I")}.` })));
      for (let round = 0; round < 2; round++) {
        await memory.flush();
        const { windows, turns } = await memory.stats();
        expect(windows.pending + windows.stored + windows.failed).toBe(2);
        expect(turns).toBe(FACTS.length);
      }
      const { items } = await memory.list();
      for (const { losslessRestatement } of items) {
        expect(FACTS).toContain(losslessRestatement);
        expect(embeddings.texts).toContain(losslessRestatement);
      }
      await memory.ask("Where does Ilse live?");
    }),
    { numRuns: 10 },
  );
});
