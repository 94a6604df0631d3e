import { describe, expect, it, onTestFinished } from "vitest";
import { SimpleMem, type SimpleMemOptions, type StintReport } from "../../../src/index.js";
import { FakeEmbeddings, fact, httpError, reply, ScriptedModel } from "../../support/fakes.js";
import { freshFolder } from "../../support/folders.js";

const SIZE = 2;
/** Waits are short, and nothing is asserted about them. */
const SOON = { pollMs: 5, retryMs: 5 };

/** The rooms under NEW of a prompt: "a-1". */
function roomsIn(prompt: string): readonly string[] {
  return [...prompt.slice(prompt.lastIndexOf("\nNEW")).matchAll(/room ([a-z]+-\d+)/g)].map(([, room = ""]) => room);
}

function sentence(room: string): string {
  return `The code of room ${room} is ${4000 + room.length}.`;
}

/** Says what was said. */
function honest(prompt: string): string {
  return reply(...roomsIn(prompt).map((room) => fact(sentence(room))));
}

async function open(options: Partial<SimpleMemOptions> = {}): Promise<SimpleMem> {
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    llm: new ScriptedModel([honest]),
    embeddings: new FakeEmbeddings(),
    window: { size: SIZE, overlap: 0, idleMs: 0, background: false },
    ...options,
  });
  onTestFinished(() => simplemem.close({ flush: false }));
  return simplemem;
}

async function say(simplemem: SimpleMem, userId: string, turns: number): Promise<void> {
  const rooms = Array.from({ length: turns }, (_, index) => `${userId}-${index}`);
  await simplemem.scope({ userId }).add(rooms.map((room) => ({ id: room, speaker: "Ilse", content: sentence(room) })));
}

/** A model that never answers the first time. */
function stuckOnce(): { model: ScriptedModel; asked: Promise<void> } {
  let isAsked = (): void => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const never = (): Promise<string> => {
    isAsked();
    return new Promise(() => {});
  };
  return { model: new ScriptedModel([never, honest]), asked };
}

async function provenOf(simplemem: SimpleMem, userId: string): Promise<readonly string[]> {
  const { items } = await simplemem.scope({ userId }).list();
  return items.flatMap(({ sourceIds }) => sourceIds).sort();
}

/** Works until the count of stints is reached; answers who had a turn. */
async function stints(simplemem: SimpleMem, count: number, options: object = {}): Promise<readonly StintReport[]> {
  const seen: StintReport[] = [];
  const ending = new AbortController();
  const onReport = (report: StintReport): void => {
    if (seen.push(report) === count) ending.abort();
  };
  await simplemem.work({ ...SOON, concurrency: 1, signal: ending.signal, onReport, ...options });
  return seen.slice(0, count);
}

describe("work", () => {
  it("makes facts of what all users said, of a window that is not full as well when it is to end, each turn once", async () => {
    const simplemem = await open();
    for (const user of ["a", "b", "c"]) await say(simplemem, user, 5);
    const { windows, failures, entries } = await simplemem.work({ once: true });
    expect(windows).toEqual({ stored: 9, failed: 0 });
    expect(failures).toBe(0);
    expect(entries.added).toBe(15);
    for (const user of ["a", "b", "c"]) {
      expect(await provenOf(simplemem, user)).toEqual(Array.from({ length: 5 }, (_, turn) => `${user}-${turn}`));
    }
    expect((await simplemem.verify()).findings).toEqual([]);
    expect(await simplemem.work({ once: true })).toMatchObject({ stints: 0, windows: { stored: 0, failed: 0 } });
  });

  it("waits for a full window or a silence", async () => {
    const simplemem = await open();
    await say(simplemem, "a", SIZE + 1);
    const [first] = await stints(simplemem, 1, { idleMs: 3_600_000 });
    expect(first?.report.windows.stored).toBe(1);
    expect(await simplemem.stats()).toMatchObject({ pendingTurns: 1 });
    const [rest] = await stints(simplemem, 1, { idleMs: 0 });
    expect(rest).toMatchObject({ scope: { userId: "a" }, report: { windows: { stored: 1, pending: 0 } } });
  });

  it("takes users in turn, also beside one with a long log", async () => {
    const simplemem = await open();
    await say(simplemem, "long", 12 * SIZE);
    await say(simplemem, "a", SIZE);
    await say(simplemem, "b", SIZE);
    const seen = await stints(simplemem, 4, { windowsAtOnce: 2 });
    expect(
      seen
        .map(({ scope }) => scope.userId)
        .slice(0, 3)
        .sort(),
    ).toEqual(["a", "b", "long"]);
    expect(seen.map(({ report }) => report.windows.stored).sort()).toEqual([1, 1, 2, 2]);
  });

  it("tries what fails again, at most so often as it may, and holds up nobody: neither others nor what comes after", async () => {
    const model = new ScriptedModel([
      (prompt) => {
        if (roomsIn(prompt).includes("bad-0")) throw httpError(400);
        return honest(prompt);
      },
    ]);
    const simplemem = await open({ llm: model, limits: { tries: 3 } });
    await say(simplemem, "bad", 3 * SIZE);
    await say(simplemem, "good", SIZE);
    const ending = new AbortController();
    let failed = 0;
    const onReport = ({ report }: StintReport): void => {
      failed += report.failures.filter(({ final }) => final).length;
      if (failed > 0) ending.abort();
    };
    const done = await simplemem.work({ ...SOON, windowsAtOnce: 1, signal: ending.signal, onReport });
    expect(done).toMatchObject({ windows: { failed: 1 }, failures: 3 });
    await simplemem.work({ once: true });
    expect(await provenOf(simplemem, "good")).toEqual(["good-0", "good-1"]);
    expect(await provenOf(simplemem, "bad")).toEqual(["bad-2", "bad-3", "bad-4", "bad-5"]);
    expect(await simplemem.stats()).toMatchObject({ windows: { failed: 1, pending: 0 } });
  });

  it("lets what is under way end when it is to end, and begins nothing new", async () => {
    const ending = new AbortController();
    const model = new ScriptedModel([
      async (prompt) => {
        ending.abort();
        await Promise.resolve();
        return honest(prompt);
      },
    ]);
    const simplemem = await open({ llm: model });
    await say(simplemem, "a", 3 * SIZE);
    const { stints: turns, windows } = await simplemem.work({ signal: ending.signal, windowsAtOnce: 1 });
    expect([turns, windows.stored]).toEqual([1, 1]);
    expect(await simplemem.stats()).toMatchObject({ windows: { stored: 1, pending: 2 } });
  });

  it("lets go of what takes too long when it is ended, and the next worker makes facts of it", async () => {
    const ending = new AbortController();
    const { model, asked } = stuckOnce();
    const simplemem = await open({ llm: model });
    await say(simplemem, "a", SIZE);
    const working = simplemem.work({ signal: ending.signal, graceMs: 5 });
    await asked;
    ending.abort();
    expect((await working).windows.stored).toBe(0);
    expect(await simplemem.stats()).toMatchObject({ windows: { pending: 1, failed: 0 } });
    expect((await simplemem.work({ once: true })).windows.stored).toBe(1);
    expect(await provenOf(simplemem, "a")).toEqual(["a-0", "a-1"]);
  });

  it("is ended by close", async () => {
    const { model, asked } = stuckOnce();
    const simplemem = await open({ llm: model });
    await say(simplemem, "a", SIZE);
    const working = simplemem.work({ graceMs: 5 });
    await asked;
    await simplemem.close({ flush: false });
    expect((await working).windows.stored).toBe(0);
  });

  it("rests while the model is away, instead of asking for one user after the other", async () => {
    const model = new ScriptedModel([httpError(503)]);
    const simplemem = await open({ llm: model, limits: { tries: 20 } });
    for (let user = 0; user < 8; user += 1) await say(simplemem, `${String.fromCharCode(97 + user)}`, SIZE);
    const done = await simplemem.work({ once: true, concurrency: 1 });
    expect(done.stints).toBeLessThan(8);
    expect(done.windows).toEqual({ stored: 0, failed: 0 });
  });

  it("ends with what its listener throws", async () => {
    const simplemem = await open();
    await say(simplemem, "a", SIZE);
    const thrown = new Error("the listener broke");
    const broken = simplemem.work({
      onReport: () => {
        throw thrown;
      },
    });
    await expect(broken).rejects.toBe(thrown);
  });

  it("ends when its embedder is not that of the store, which no later try can mend", async () => {
    const uri = freshFolder();
    const front = await open({ uri });
    await say(front, "a", SIZE);
    await front.work({ once: true });
    await say(front, "b", SIZE);
    const worker = await open({ uri, embeddings: new FakeEmbeddings(16) });
    await expect(worker.work(SOON)).rejects.toMatchObject({ name: "DimensionMismatchError" });
  });

  it("refuses wrong options", async () => {
    const simplemem = await open();
    await expect(simplemem.work({ concurrency: 0 })).rejects.toThrow(/the options of work, field concurrency/);
    const unknown: object = { pollMS: 5 };
    await expect(simplemem.work(unknown)).rejects.toThrow(/pollMS/);
  });

  it("leaves to others at the end what others add", async () => {
    const uri = freshFolder();
    const front = await open({ uri });
    await say(front, "a", SIZE);
    const worker = await open({ uri });
    expect((await worker.work({ once: true })).windows.stored).toBe(1);
    await front.scope({ userId: "a" }).add({ id: "a-7", speaker: "Ilse", content: sentence("a-7") });
    await worker.close();
    expect(await front.stats()).toMatchObject({ pendingTurns: 1, windows: { stored: 1 } });
  });
});
