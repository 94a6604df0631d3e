import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { freshFolder } from "../support/folders.js";
import { type ObjectStorage, startObjectStorage } from "../support/object-storage.js";
import { ended, startChild } from "../support/processes.js";
import { sharedOptions, turnOf, WINDOW_SIZE } from "../support/shared-memory.js";

const ILSE = { userId: "u-ilse" };
const TURNS = [
  { id: "1", speaker: "Ilse", content: "I moved to Graz on 3 March 2025.", timestamp: "2025-03-10T09:00:00Z" },
  { id: "2", speaker: "Ilse", content: "My sister Ane repairs clocks there.", timestamp: "2025-03-10T09:01:00Z" },
];
const open: SimpleMem[] = [];

afterEach(async () => {
  for (const simplemem of open.splice(0)) await simplemem.close({ flush: false });
});

describe("object storage that ignores conditional writes", () => {
  let storage: ObjectStorage;
  beforeAll(async () => {
    storage = await startObjectStorage({ conditional: false });
  });
  afterAll(() => storage.close());

  async function start(options: { singleWriter?: boolean; warned?: string[] } = {}): Promise<SimpleMem> {
    const { warned = [], ...rest } = options;
    const note = (_message: string, details?: object): void => {
      warned.push(JSON.stringify(details));
    };
    const logger = { debug: () => {}, info: () => {}, warn: note, error: note };
    const { uri, storageOptions } = storage;
    const simplemem = await SimpleMem.open({ uri, storageOptions, logger, window: { idleMs: 0 }, ...rest });
    open.push(simplemem);
    return simplemem;
  }

  it("is opened read-only, and says why when it is opened and when something is written", async () => {
    const warned: string[] = [];
    const memory = (await start({ warned })).scope(ILSE);
    expect(warned.join()).toMatch(/does not keep writers apart.*If-None-Match.*singleWriter: true/);
    await expect(memory.add(TURNS)).rejects.toMatchObject({
      name: "NotWritableError",
      message: expect.stringMatching(/does not keep writers apart/),
    });
    expect((await memory.search("Who repairs clocks?")).hits).toEqual([]);
  });

  it("with singleWriter takes everything, one commit of a table at a time, and others may read", async () => {
    const simplemem = await start({ singleWriter: true });
    const memory = simplemem.scope(ILSE);
    await memory.add(TURNS);
    await memory.flush();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => memory.facts.remember(`boat.${index}`, `${index} oars`)),
    );
    expect((await memory.facts.list()).length).toBe(20);
    const reader = (await start()).scope(ILSE);
    expect((await reader.ask("Who repairs clocks?")).answer).toMatch(/Ane/);
    await memory.forget({ all: true, purge: true });
    expect((await reader.search("clocks")).hits).toEqual([]);
  });
});

describe("object storage that honours conditional writes", () => {
  it("is written by several processes at once, and no accepted turn is lost", async () => {
    const storage = await startObjectStorage({ conditional: true });
    const { uri, storageOptions } = storage;
    const simplemem = await SimpleMem.open({ uri, storageOptions, window: { idleMs: 0 } });
    open.push(simplemem);
    const options = JSON.stringify(storageOptions);
    const ends = await Promise.all(
      ["a", "b"].map((name) => ended(startChild("object-worker", [uri, options, name, "4"]))),
    );
    for (const end of ends) expect(end.code, end.errors).toBe(0);
    const memory = simplemem.scope(ILSE);
    await memory.flush();
    const known = new Set((await memory.list()).items.flatMap(({ sourceIds }) => sourceIds));
    expect([...known].sort()).toEqual(ends.flatMap(({ lines }) => lines).sort());
    expect(known.size).toBe(8);
    await simplemem.close();
    await storage.close();
  }, 180_000);

  it("is worked on by several workers, which read each window once", async () => {
    const storage = await startObjectStorage({ conditional: true });
    const { uri, storageOptions } = storage;
    const calls = join(freshFolder(), "calls");
    const front = await SimpleMem.open({ uri, storageOptions, ...sharedOptions(null) });
    open.push(front);
    const users = ["a", "b"];
    for (const userId of users) {
      await front.scope({ userId }).add(Array.from({ length: WINDOW_SIZE }, (_, index) => turnOf(userId, index + 1)));
    }
    const task = JSON.stringify({ task: "work", uri, storageOptions, calls, once: true });
    const ends = await Promise.all([1, 2].map(() => ended(startChild("shared-memory-child", [task]))));
    for (const end of ends) expect(end.code, end.errors).toBe(0);
    for (const userId of users) {
      const { items } = await front.scope({ userId }).list();
      const proven = items.flatMap(({ sourceIds }) => sourceIds).sort();
      expect(proven).toEqual(Array.from({ length: WINDOW_SIZE }, (_, index) => `${userId}-${index + 1}`));
    }
    expect(readFileSync(calls, "utf8").trim().split("\n").length).toBe(users.length);
    await front.close({ flush: false });
    await storage.close();
  }, 180_000);
});
