import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SimpleMem, type SimpleMemOptions } from "../../src/index.js";
import { FakeEmbeddings } from "../../test/support/fakes.js";
import { BYSTANDER, BYSTANDER_TURNS, type Tally, VICTIM } from "./tally.js";

export function embeddings(): FakeEmbeddings {
  return new FakeEmbeddings(16);
}

export function open(uri: string, options: Partial<SimpleMemOptions> = {}): Promise<SimpleMem> {
  return SimpleMem.open({ uri, embeddings: embeddings(), window: { size: 10, idleMs: 0 }, ...options });
}

/** A sentence that is one statement, and no other's. */
export function sentence(id: string): { id: string; speaker: string; content: string } {
  let code = 0;
  for (const letter of id) code = (code * 31 + letter.charCodeAt(0)) % 90_000;
  return { id, speaker: "Ilse Corrin", content: `The locker code of room ${id} is ${10_000 + code}.` };
}

/** Turns and entries of two users. */
export async function fill(uri: string, tally: Tally, turns: number): Promise<void> {
  const simplemem = await open(uri);
  const ids = Array.from({ length: turns }, (_, index) => `base-${index}`);
  await simplemem.scope({ ...VICTIM, sessionId: "base" }).add(ids.map(sentence));
  for (const id of ids) tally.take(["accepted", id]);
  await simplemem.scope({ ...BYSTANDER, sessionId: "base" }).add(BYSTANDER_TURNS.map(sentence));
  await simplemem.scope(VICTIM).flush();
  await simplemem.scope(BYSTANDER).flush();
  await simplemem.close();
}

/** A folder for some work, removed afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "simplemem-torture-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function copyFolder(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true });
}
