import { afterEach, describe, expect, it, vi } from "vitest";
import { type ForgetOptions, SimpleMem, type View } from "../../src/index.js";
import { LanceEntryTable } from "../../src/store/entries.js";
import { FakeEmbeddings, fact, reply, ScriptedModel } from "../support/fakes.js";
import { freshFolder } from "../support/folders.js";

type Memory = ReturnType<SimpleMem["scope"]>;
type Step = (prompt: string) => string | Promise<string>;

const newLines = (prompt: string): string => prompt.slice(prompt.lastIndexOf("\nNEW"));
const isComparison = (prompt: string): boolean => prompt.includes("You compare");

/** Restates each new line of Ilse's word for word. */
const restating: Step = (prompt) =>
  isComparison(prompt)
    ? '{"operations":[]}'
    : reply(
        ...[...newLines(prompt).matchAll(/\[([^\]]+)\] \([^)]*\) Ilse \(user\): I (.+)/g)].map(([, label, said]) =>
          fact(`Ilse ${said}`, {
            persons: ["Ilse"],
            location: "Dunmore",
            keywords: said?.split(" ") ?? [],
            source_ids: [label],
          }),
        ),
      );

async function openWith(step: Step = restating, uri = "memory://") {
  const embeddings = new FakeEmbeddings();
  const model = new ScriptedModel([step]);
  const simplemem = await SimpleMem.open({ uri, llm: model, embeddings, window: { idleMs: 0 } });
  return { simplemem, embeddings, model, memory: simplemem.scope({ userId: "u-ilse", sessionId: "s1" }) };
}

const said = (id: string, content: string) => ({ id, speaker: "Ilse", content, timestamp: "2025-03-04T10:00:00Z" });
const GHOST = "I keep bees in Dunmore";
const SECOND = "I keep hens near Dunmore";

afterEach(() => void vi.restoreAllMocks());

describe("a ghost takes no place in a result (R60)", () => {
  const VIEWS: readonly View[] = ["semantic", "lexical", "symbolic", "episodic"];
  const entryIdOf = async (memory: Memory): Promise<string> =>
    (await memory.list()).items.find((entry) => entry.sourceIds.includes("t1"))?.entryId ?? "";

  it.each<[string, (memory: Memory) => Promise<ForgetOptions>]>([
    ["its entry", async (memory) => ({ ids: [await entryIdOf(memory)] })],
    ["its entry, purged", async (memory) => ({ ids: [await entryIdOf(memory)], purge: true })],
    ["its turn", async () => ({ ids: ["t1"] })],
    ["its turn, purged", async () => ({ ids: ["t1"], purge: true })],
    ["its session", async () => ({ filter: { sessionId: "s1" } })],
    ["both by id", async (memory) => ({ ids: [await entryIdOf(memory), "t1"] })],
  ])("after %s was forgotten, each view gives the second best", async (_title, options) => {
    const { simplemem, memory } = await openWith();
    await memory.add(said("t1", GHOST));
    await memory.flush();
    const other = simplemem.scope({ userId: "u-ilse", sessionId: "s2" });
    await other.add(said("t2", SECOND));
    await other.flush();
    const query = "Does Ilse keep bees in Dunmore?";
    const best = async (views: readonly View[]) =>
      (await memory.search(query, { views, k: 1, planning: "never" })).hits;
    for (const view of VIEWS) expect([view, (await best([view]))[0]?.sourceIds]).toEqual([view, ["t1"]]);
    expect((await memory.forget(await options(memory))).verified).toBe(true);
    for (const view of VIEWS) expect([view, (await best([view]))[0]?.sourceIds]).toEqual([view, ["t2"]]);
    expect((await best(VIEWS))[0]?.sourceIds).toEqual(["t2"]);
    expect(JSON.stringify([await memory.list(), await memory.context(query)])).not.toContain("bees in Dunmore.");
    await simplemem.close();
  });
});

describe("what is under way brings nothing back (R60)", () => {
  /** Where a flush is held: when it has come there, and how it is let go. */
  interface Gate {
    readonly reached: Promise<void>;
    readonly pass: () => Promise<void>;
    readonly letGo: () => void;
  }

  function gate(): Gate {
    let reach = (): void => {};
    let letGo = (): void => {};
    const reached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const open = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const pass = (): Promise<void> => {
      reach();
      return open;
    };
    return { reached, pass, letGo };
  }

  const KINDS: readonly (readonly [string, (memory: Memory, simplemem: SimpleMem) => Promise<unknown>])[] = [
    ["all", (memory) => memory.forget({ all: true })],
    ["all, purged", (memory) => memory.forget({ all: true, purge: true })],
    ["its turn", (memory) => memory.forget({ ids: ["t1"] })],
    ["its session", (memory) => memory.forget({ filter: { sessionId: "s1" } })],
    ["its user", (_memory, simplemem) => simplemem.users.delete("u-ilse")],
  ];

  async function expectNothing(memory: Memory): Promise<void> {
    await memory.flush();
    expect((await memory.list()).items.map((entry) => entry.losslessRestatement)).toEqual([]);
    expect(await memory.stats()).toMatchObject({ turns: 0, pendingTurns: 0, windows: { pending: 0 } });
    expect((await memory.search("bees", { planning: "never" })).hits).toEqual([]);
    expect(await memory.add(said("t1", GHOST))).toMatchObject({ accepted: 0, refused: 1 });
  }

  it.each(KINDS)("%s is forgotten while the model extracts", async (_title, forget) => {
    const held = gate();
    const { simplemem, memory } = await openWith(async (prompt) => held.pass().then(() => restating(prompt)));
    await memory.add(said("t1", GHOST));
    const flushing = memory.flush();
    await held.reached;
    await forget(memory, simplemem);
    held.letGo();
    await flushing;
    await expectNothing(memory);
    await simplemem.close();
  });

  it.each(KINDS)("%s is forgotten while the embedder works", async (_title, forget) => {
    const held = gate();
    const { simplemem, memory, embeddings } = await openWith();
    const embed = embeddings.embedDocuments.bind(embeddings);
    vi.spyOn(embeddings, "embedDocuments").mockImplementationOnce((texts) => held.pass().then(() => embed(texts)));
    await memory.add(said("t1", GHOST));
    const flushing = memory.flush();
    await held.reached;
    const forgetting = forget(memory, simplemem);
    held.letGo();
    await Promise.all([flushing, forgetting]);
    await expectNothing(memory);
    await simplemem.close();
  });

  it.each(KINDS)("%s is forgotten while its entry is written", async (_title, forget) => {
    const held = gate();
    const put = LanceEntryTable.prototype.put;
    vi.spyOn(LanceEntryTable.prototype, "put").mockImplementationOnce(async function (this: LanceEntryTable, ...given) {
      await held.pass();
      return put.apply(this, given);
    });
    const { simplemem, memory } = await openWith();
    await memory.add(said("t1", GHOST));
    const flushing = memory.flush();
    await held.reached;
    const forgetting = forget(memory, simplemem);
    held.letGo();
    await Promise.all([flushing, forgetting]);
    await expectNothing(memory);
    await simplemem.close();
  });

  it("what is said next to it stays, when one turn of a window is forgotten while the model extracts", async () => {
    const held = gate();
    const { simplemem, memory } = await openWith(async (prompt) => held.pass().then(() => restating(prompt)));
    await memory.add([said("t1", GHOST), said("t2", SECOND)]);
    const flushing = memory.flush();
    await held.reached;
    await memory.forget({ ids: ["t1"] });
    held.letGo();
    await flushing;
    await memory.flush();
    expect((await memory.list()).items.map((entry) => entry.losslessRestatement)).toEqual([`Ilse ${SECOND.slice(2)}`]);
    await simplemem.close();
  });

  it("a process that died before the reply finds nothing to go on with", async () => {
    const uri = freshFolder();
    const never = await openWith(() => new Promise(() => {}), uri);
    await never.memory.add(said("t1", GHOST));
    // It ends at its deadline, long after this test, in a store that was closed.
    never.memory.flush().catch(() => {});
    await vi.waitFor(() => expect(never.model.calls).toBe(1));
    const next = await openWith(restating, uri);
    await next.memory.forget({ all: true });
    await expectNothing(next.memory);
    await next.simplemem.close();
    await never.simplemem.close({ flush: false, timeoutMs: 1 });
  });
});
