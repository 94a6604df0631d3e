import { InMemoryStore, type Item } from "@langchain/langgraph-checkpoint";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromNamespaceLabel, SimpleMemStore, toNamespaceLabel } from "../../src/memory/store.js";

let store: SimpleMemStore;

beforeAll(async () => {
  store = await SimpleMemStore.open({ uri: "memory://", index: false });
});
afterAll(() => store.stop());

const label = fc.constantFrom("a", "ab", "a%", "b", "'", '"', "\\", "ü");
const namespace = fc.array(label, { maxLength: 3 });
const key = fc.constantFrom("k", "k1", "K");
const scalar = fc.constantFrom(null, 0, 1, 2.5, -1, "", "x", "1", true, false);
const value = fc.dictionary(fc.constantFrom("n", "s", "a.b"), scalar, { maxKeys: 3 });
const operator = fc.constantFrom("$eq", "$ne", "$gt", "$gte", "$lt", "$lte");
const condition = fc.oneof(scalar, fc.dictionary(operator, scalar, { minKeys: 1, maxKeys: 2, noNullPrototype: true }));
const filter = fc.dictionary(fc.constantFrom("n", "s"), condition, { maxKeys: 2, noNullPrototype: true });
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("put" as const), namespace, key, value }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), namespace, key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("get" as const), namespace, key }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("search" as const), namespace, filter }) },
);

/** What both stores must agree on; the order only within a namespace, which InMemoryStore keeps together. */
function seen(items: readonly Item[]): string[] {
  const byNamespace = new Map<string, string[]>();
  for (const item of items) {
    const name = JSON.stringify(item.namespace);
    byNamespace.set(name, [...(byNamespace.get(name) ?? []), JSON.stringify([item.key, item.value])]);
  }
  return [...byNamespace].map((entry) => JSON.stringify(entry)).sort();
}

describe("beside InMemoryStore", () => {
  it("any writes, reads and filtered searches give the same, and every namespace with items is listed", async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 14 }), async (commands) => {
        const memory = new InMemoryStore();
        const root = `run${run++}`;
        for (const step of commands) {
          const place = [root, ...step.namespace];
          if (step.kind === "put") {
            for (const one of [store, memory]) await one.put(place, step.key, step.value);
          } else if (step.kind === "delete") {
            for (const one of [store, memory]) await one.delete(place, step.key);
          } else if (step.kind === "get") {
            expect((await store.get(place, step.key))?.value).toEqual((await memory.get(place, step.key))?.value);
          } else {
            const options = { filter: step.filter, limit: 100 };
            expect(seen(await store.search(place, options))).toEqual(seen(await memory.search(place, options)));
          }
        }
        const left = await memory.search([root], { limit: 100 });
        const names = new Set(left.map((item) => JSON.stringify(item.namespace)));
        const listed = await store.listNamespaces({ prefix: [root], limit: 100 });
        expect(listed.map((name) => JSON.stringify(name)).sort()).toEqual([...names].sort());
      }),
      { numRuns: 25 },
    );
  });

  it("any page of a search is a part of the whole", async () => {
    await store.batch(
      Array.from({ length: 7 }, (_, index) => ({ namespace: ["pages"], key: `k${index}`, value: { index } })),
    );
    const whole = (await store.search(["pages"], { limit: 100 })).map((item) => item.key);
    await fc.assert(
      fc.asyncProperty(fc.nat(9), fc.nat(9), async (offset, limit) => {
        const page = (await store.search(["pages"], { offset, limit })).map((item) => item.key);
        expect(page).toEqual(whole.slice(offset, offset + limit));
      }),
      { numRuns: 25 },
    );
  });
});

describe("R54: labels made of any text", () => {
  const text = fc.oneof(
    fc.string({ minLength: 1, unit: "binary" }),
    fc.constantFrom(
      "ilse@example.com",
      "u1:x",
      "u1%3Ax",
      "a.b",
      "a%2Eb",
      "*",
      "langgraph",
      "%6Canggraph",
      "\0",
      " ",
      "\ud800",
    ),
  );

  it("are taken by LangGraph as a root, and give the text back", async () => {
    const memory = new InMemoryStore();
    await fc.assert(
      fc.asyncProperty(text, async (id) => {
        const made = toNamespaceLabel(id);
        expect(fromNamespaceLabel(made)).toBe(id);
        await memory.put([made], "k", {});
        expect(await memory.listNamespaces({ prefix: [made] })).toEqual([[made]]);
      }),
    );
  });

  it("keep users apart who differ in anything", async () => {
    const ids = ["ilse@example.com", "ilse@example%2Ecom", "Ilse@example.com", "*", "u1:x", "u1%3Ax", "u1", "u10"];
    for (const id of ids) await store.put(["users", toNamespaceLabel(id)], "profile", { id });
    for (const id of ids) {
      const found = await store.search(["users", toNamespaceLabel(id)]);
      expect(found.map((item) => item.value)).toEqual([{ id }]);
      expect(fromNamespaceLabel(found[0]?.namespace[1] ?? "")).toBe(id);
    }
  });

  it("an empty text is refused", () => {
    expect(() => toNamespaceLabel("")).toThrow(/non-empty/);
  });
});
