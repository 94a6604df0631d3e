import { expect, it } from "vitest";
import { type FlushProgress, InvalidInputError, SimpleMem } from "../../src/index.js";
import { fact, reply, ScriptedModel } from "../support/fakes.js";

it("stats of the engine are the sums of its users', whoever of their agents wrote", async () => {
  await using simplemem = await SimpleMem.open({ uri: "memory://", window: { idleMs: 0 } });
  const scopes = [{ userId: "ilse" }, { userId: "tove", agentId: "a" }, { userId: "tove", tenantId: "t" }];
  for (const scope of scopes) {
    const memory = simplemem.scope(scope);
    await memory.add({ speaker: "Ilse", content: "I moved to Graz in March 2024." });
    await memory.facts.remember("home", "Graz");
    if (scope.tenantId === undefined) await memory.flush();
  }
  const each = await Promise.all(scopes.map((scope) => simplemem.scope(scope).stats()));
  const sum = (count: (one: (typeof each)[number]) => number) => each.reduce((total, one) => total + count(one), 0);
  expect(await simplemem.stats()).toMatchObject({
    turns: 3,
    facts: 3,
    entries: { active: sum(({ entries }) => entries.active ?? 0) },
    windows: { pending: 0, failed: 0, stored: 2 },
    pendingTurns: 1,
  });
});

it("a flush tells its listener of each window: taken up, extracted, stored or failed", async () => {
  const texts = ["Ilse lives in Graz.", "Ilse has a cat."];
  const llm = new ScriptedModel([reply(fact("Ilse lives in Graz.")), new Error("no route to host"), reply()]);
  await using simplemem = await SimpleMem.open({
    uri: "memory://",
    llms: { extract: llm },
    window: { size: 1, overlap: 0, idleMs: 0 },
    limits: { maxConcurrency: 1, tries: 1 },
  });
  const memory = simplemem.scope({ userId: "ilse" });
  await memory.add(texts.map((content) => ({ speaker: "Ilse", content })));
  const told: FlushProgress[] = [];
  await memory.flush({ onProgress: (progress) => told.push(progress) });
  expect(told[0]).toEqual({ windows: 2, extracted: 0, stored: 0, failed: 0 });
  expect(told.at(-1)).toEqual({ windows: 2, extracted: 1, stored: 1, failed: 1 });
  // @ts-expect-error no function
  await expect(memory.flush({ onProgress: "loud" })).rejects.toThrow(InvalidInputError);
});
