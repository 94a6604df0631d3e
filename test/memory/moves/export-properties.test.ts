import fc from "fast-check";
import { expect, it } from "vitest";
import { SimpleMem, SimpleMemError } from "../../../src/index.js";
import { FakeEmbeddings } from "../../support/fakes.js";

type Memory = ReturnType<SimpleMem["scope"]>;

const PLACES = ["Graz", "Linz", "Wels"];
const STATUSES = ["active", "done", "superseded", "conflicted", "doubtful", "pending_review", "archived"] as const;

const of = fc.nat(20);
const place = fc.constantFrom(...PLACES);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("say" as const), place, day: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("flush" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("update" as const, "restore" as const), of, place }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("pin" as const, "forget" as const, "forgetTurn" as const), of }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("remember" as const, "unremember" as const), place }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function correct(memory: Memory, next: Exclude<Step, { do: "say" | "flush" | "remember" | "unremember" }>) {
  const { items } = await memory.list({ status: STATUSES });
  const entry = items[next.of % Math.max(1, items.length)];
  if (entry === undefined) return;
  if (next.do === "update") await memory.update(entry.entryId, { text: `Ilse works in ${next.place}.` });
  else if (next.do === "restore") await memory.restore(entry.entryId, 1);
  else if (next.do === "pin") await memory.pin(entry.entryId);
  else if (next.do === "forget") await memory.forget({ ids: [entry.entryId] });
  else await memory.forget({ ids: entry.sourceIds.slice(0, 1) });
}

async function take(memory: Memory, next: Step, index: number): Promise<void> {
  switch (next.do) {
    case "say": {
      const content = `I live in ${next.place}. My friend Ane${index % 3} works there.`;
      const metadata = { [`z${index % 2}`]: [index], a: { c: null, b: "x" } };
      await memory.add({
        id: `t${index}`,
        speaker: "Ilse",
        content,
        timestamp: `2025-03-0${next.day}T10:00:00Z`,
        metadata,
      });
      return;
    }
    case "flush":
      await memory.flush();
      return;
    case "remember":
      await memory.facts.remember("home.city", next.place);
      return;
    case "unremember":
      await memory.facts.forget("home.city");
      return;
    default:
      await correct(memory, next).catch((error: unknown) => {
        if (!(error instanceof SimpleMemError)) throw error;
      });
  }
}

async function exported(memory: Memory): Promise<string> {
  let text = "";
  for await (const line of memory.export()) text += line;
  return text;
}

function openMemory(embeddings: FakeEmbeddings, now: () => number): Promise<SimpleMem> {
  return SimpleMem.open({ uri: "memory://", window: { idleMs: 0 }, embeddings, clock: now });
}

it("export → import → export is identical after any sequence of add, flush, update, restore, pin, remember and forget", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      let now = Date.parse("2025-04-01T12:00:00Z");
      const clock = () => {
        now += 1;
        return now;
      };
      const source = await openMemory(new FakeEmbeddings(16), clock);
      const memory = source.scope({ userId: "u-ilse" });
      for (const [index, next] of steps.entries()) await take(memory, next, index);
      const text = await exported(memory);
      const target = await openMemory(new FakeEmbeddings(8), clock);
      const copy = target.scope({ userId: "u-bram", tenantId: "acme" });
      await copy.import([text]);
      expect(await exported(copy)).toBe(text);
      await copy.import([text]);
      expect(await exported(copy)).toBe(text);
      await source.close({ flush: false });
      await target.close({ flush: false });
    }),
    { numRuns: 12 },
  );
}, 120_000);
