import { afterEach, describe, expect, it, vi } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { LanceEntryTable } from "../../src/store/entries.js";
import { LanceLedger } from "../../src/store/ledger.js";
import { FakeEmbeddings, fact, httpError, reply, ScriptedModel } from "../support/fakes.js";

const OLD = "Ilse mends clocks in a shop by the harbour";
const NEW = "Ilse mends clocks in a shed by the mill";
/** Everything on one spot, so that only the words can tell facts apart. */
const SAME = () => [1, 0, 0, 0, 0, 0, 0, 0.1];
const EVERY_STATUS = { status: ["active", "superseded", "conflicted", "doubtful", "done", "archived"] } as const;

type Step = (prompt: string) => string | Promise<string>;

/** What breaks while a correction is written, and how it is mended again. */
interface Stage {
  readonly embeddings: FakeEmbeddings;
  /** Takes the place of the scripted replies while it is set. */
  answer: Step | null;
  /** Ends the flush from outside. */
  readonly abort: AbortController;
}

const newLines = (prompt: string): string => prompt.slice(prompt.lastIndexOf("\nNEW"));
const isComparison = (prompt: string): boolean => prompt.includes("You compare");

function scripted(operations: readonly unknown[], texts: readonly string[]): Step {
  return (prompt) => {
    if (isComparison(prompt)) return JSON.stringify({ operations });
    const said = texts.filter((text) => newLines(prompt).includes(text.replace("Ilse ", "")));
    return reply(...said.map((text) => fact(text, { persons: ["Ilse"] })));
  };
}

async function openStage(replies: Step) {
  const embeddings = new FakeEmbeddings(8, SAME);
  const stage: Stage = { embeddings, answer: null, abort: new AbortController() };
  const llm = new ScriptedModel([(prompt) => (stage.answer ?? replies)(prompt)]);
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    llm,
    embeddings,
    window: { idleMs: 0 },
    limits: { tries: 9 },
  });
  return { simplemem, stage, memory: simplemem.scope({ userId: "u-ilse" }) };
}

type Memory = Awaited<ReturnType<typeof openStage>>["memory"];

async function current(memory: Memory): Promise<string[]> {
  return (await memory.list()).items.map((entry) => entry.losslessRestatement);
}

/** Runs the work, and looks at what is current again and again meanwhile. */
async function watched<T>(memory: Memory, work: Promise<T>): Promise<{ result: T; seen: readonly string[][] }> {
  const seen: string[][] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      seen.push(await current(memory));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  const result = await work.finally(() => {
    isOver = true;
  });
  await watching;
  return { result, seen };
}

afterEach(() => void vi.restoreAllMocks());

describe("a correction whose writing fails loses nothing and stores nothing twice (R49)", () => {
  const failOnce = (target: { put: LanceEntryTable["put"] }, error: Error): void =>
    void vi.spyOn(target, "put").mockRejectedValueOnce(error);

  const TROUBLES: readonly (readonly [string, (stage: Stage) => void])[] = [
    ["(d) the table's write throws once", () => failOnce(LanceEntryTable.prototype, new Error("disk full"))],
    [
      "the table's write throws after it was committed",
      () => {
        const put = LanceEntryTable.prototype.put;
        vi.spyOn(LanceEntryTable.prototype, "put").mockImplementationOnce(async function (
          this: LanceEntryTable,
          ...given
        ) {
          await put.apply(this, given);
          throw new Error("the connection broke");
        });
      },
    ],
    [
      "the ledger does not learn that the window is stored",
      () => {
        const updateAll = LanceLedger.prototype.updateAll;
        let isBroken = true;
        vi.spyOn(LanceLedger.prototype, "updateAll").mockImplementation(async function (this: LanceLedger, ...given) {
          if (isBroken && given[3].state === "stored") {
            isBroken = false;
            throw new Error("disk full");
          }
          return updateAll.apply(this, given);
        });
      },
    ],
    [
      "what is known cannot be read once",
      () => void vi.spyOn(LanceEntryTable.prototype, "rows").mockRejectedValueOnce(new Error("io")),
    ],
    [
      "neighbours cannot be searched once",
      () => void vi.spyOn(LanceEntryTable.prototype, "nearestBatch").mockRejectedValueOnce(new Error("io")),
    ],
    [
      "the ledger cannot keep what was extracted",
      () => void vi.spyOn(LanceLedger.prototype, "keepItems").mockRejectedValueOnce(new Error("io")),
    ],
    [
      "the embedder rejects",
      ({ embeddings }) => void vi.spyOn(embeddings, "embedDocuments").mockRejectedValueOnce(new Error("busy")),
    ],
    [
      "the embedder answers too few vectors",
      ({ embeddings }) => void vi.spyOn(embeddings, "embedDocuments").mockResolvedValueOnce([]),
    ],
    [
      "the embedder answers no number",
      ({ embeddings }) =>
        void vi.spyOn(embeddings, "embedDocuments").mockResolvedValueOnce([[Number.NaN, 0, 0, 0, 0, 0, 0, 0], SAME()]),
    ],
    [
      "the embedder answers zeros",
      ({ embeddings }) => void vi.spyOn(embeddings, "embedDocuments").mockResolvedValueOnce([Array(8).fill(0), SAME()]),
    ],
    [
      "the model cannot be reached when it compares",
      (stage) => {
        stage.answer = (prompt) =>
          isComparison(prompt) ? Promise.reject(httpError(400)) : reply(fact(NEW, { persons: ["Ilse"] }));
      },
    ],
    [
      "the model cannot be reached when it extracts",
      (stage) => {
        stage.answer = () => Promise.reject(httpError(400));
      },
    ],
    [
      "the model chats when it extracts",
      (stage) => {
        stage.answer = () => "Noted, she moved!";
      },
    ],
    [
      "the caller ends the flush while the model compares",
      (stage) => {
        stage.answer = (prompt) => {
          if (!isComparison(prompt)) return reply(fact(NEW, { persons: ["Ilse"] }));
          stage.abort.abort(new Error("enough"));
          return new Promise(() => {});
        };
      },
    ],
  ];

  it.each(TROUBLES)("%s", async (_title, breakIt) => {
    const { simplemem, stage, memory } = await openStage(
      scripted([{ item: 1, op: "supersede", target: 1 }], [OLD, NEW]),
    );
    await memory.add({ id: "t1", speaker: "Ilse", content: `I ${OLD.slice(5)}.`, timestamp: "2025-01-01T10:00:00Z" });
    await memory.flush();
    await memory.add({ id: "t2", speaker: "Ilse", content: `I ${NEW.slice(5)}.`, timestamp: "2025-02-01T10:00:00Z" });
    breakIt(stage);
    const broken = memory.flush({ signal: stage.abort.signal }).catch((error: Error) => error.message);
    const { result, seen } = await watched(memory, broken);
    expect(typeof result === "string" ? result : result.windows).toEqual(
      stage.abort.signal.aborted ? "enough" : { stored: 0, failed: 0, pending: 1 },
    );
    stage.answer = null;
    const mended = await watched(memory, memory.flush());
    expect(mended.result.windows).toEqual({ stored: 1, failed: 0, pending: 0 });
    for (const facts of [...seen, ...mended.seen]) expect(facts).toHaveLength(1);
    const { items } = await memory.list(EVERY_STATUS);
    expect(items.map(({ losslessRestatement, status, sourceIds }) => [losslessRestatement, status, sourceIds])).toEqual(
      [
        [OLD, "superseded", ["t1"]],
        [NEW, "active", ["t2"]],
      ],
    );
    expect(items[0]?.validTo).toBe("2025-02-01T10:00:00.000Z");
    expect(items[0]?.supersededBy).toBe(items[1]?.entryId);
    await simplemem.close();
  });
});

describe("whatever a decision says, the old fact or the new one is current (R49)", () => {
  const SUPERSEDE = { item: 1, op: "supersede", target: 1 };
  it.each<[string, unknown, readonly string[]]>([
    ["nothing", { operations: [] }, [OLD, NEW]],
    [
      "delete and add",
      {
        operations: [
          { item: 1, op: "delete", target: 1 },
          { item: 1, op: "add", target: null },
        ],
      },
      [OLD, NEW],
    ],
    [
      "delete twice",
      {
        operations: [
          { item: 1, op: "delete", target: 1 },
          { item: 1, op: "delete", target: 1 },
        ],
      },
      [OLD, NEW],
    ],
    ["supersede twice", { operations: [SUPERSEDE, SUPERSEDE] }, [NEW]],
    ["supersede, then delete", { operations: [SUPERSEDE, { item: 1, op: "delete", target: 1 }] }, [NEW]],
    ["skip what is news", { operations: [{ item: 1, op: "skip", target: 1 }] }, [OLD, NEW]],
    [
      "merge into a third text",
      { operations: [{ item: 1, op: "merge", target: 1, text: "Ilse is retired" }] },
      [OLD, NEW],
    ],
    ["item and target as text", { operations: [{ item: "1", op: "supersede", target: "1" }] }, [NEW]],
    ["a bare list", [SUPERSEDE], [NEW]],
    ["an operation in capitals", { operations: [{ ...SUPERSEDE, op: "SUPERSEDE" }] }, [OLD, NEW]],
    ["the new fact by its own number", { operations: [{ item: 2, op: "supersede", target: 1 }] }, [OLD, NEW]],
    ["an operation within a text", { operations: JSON.stringify([SUPERSEDE]) }, [OLD, NEW]],
  ])("%s", async (_title, decision, left) => {
    const { simplemem, stage, memory } = await openStage(scripted([], [OLD, NEW]));
    await memory.add({ speaker: "Ilse", content: `I ${OLD.slice(5)}.`, timestamp: "2025-01-01T10:00:00Z" });
    await memory.flush();
    stage.answer = (prompt) => (isComparison(prompt) ? JSON.stringify(decision) : scripted([], [OLD, NEW])(prompt));
    await memory.add({ speaker: "Ilse", content: `I ${NEW.slice(5)}.`, timestamp: "2025-02-01T10:00:00Z" });
    const { result, seen } = await watched(memory, memory.flush());
    for (const facts of seen) expect(facts.length).toBeGreaterThan(0);
    expect(result.windows.stored).toBe(1);
    expect((await current(memory)).sort()).toEqual([...left].sort());
    expect((await memory.list(EVERY_STATUS)).items).toHaveLength(2);
    await simplemem.close();
  });

  it.each([
    ["the older words come later", "2025-02-01T10:00:00Z", "2025-01-01T10:00:00Z", OLD],
    ["both are said in one window", "2025-02-01T10:00:00Z", "2025-02-01T10:05:00Z", NEW],
  ])("%s", async (title, first, second, left) => {
    const { simplemem, memory } = await openStage(scripted([{ item: 1, op: "supersede", target: 1 }], [OLD, NEW]));
    await memory.add({ speaker: "Ilse", content: `I ${OLD.slice(5)}.`, timestamp: first });
    if (!title.includes("one window")) await memory.flush();
    await memory.add({ speaker: "Ilse", content: `I ${NEW.slice(5)}.`, timestamp: second });
    await memory.flush();
    expect(await current(memory)).toContain(left);
    expect((await memory.list(EVERY_STATUS)).items).toHaveLength(2);
    await simplemem.close();
  });
});
