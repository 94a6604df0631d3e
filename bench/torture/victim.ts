/**
 * A process that does one thing to a store again and again, until it is killed. Arguments: folder, what, name. It prints "ready", and what was
 * acknowledged in the lines that `Tally.take` reads.
 */
import { readFile } from "node:fs/promises";
import type { SimpleMem } from "../../src/index.js";
import { FakeEmbeddings } from "../../test/support/fakes.js";
import { formerEmbeddings } from "../../test/support/former-files.js";
import { open, sentence } from "./store.js";
import { VICTIM } from "./tally.js";

const [folder = "", what = "", name = "", file = ""] = process.argv.slice(2);

/** Not buffered: what was printed was acknowledged before the process died. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function memoryOf(simplemem: SimpleMem) {
  return simplemem.scope({ ...VICTIM, sessionId: name });
}

async function opened(): Promise<SimpleMem> {
  const simplemem = await open(folder);
  say("ready");
  return simplemem;
}

async function added(simplemem: SimpleMem, from: number, count: number): Promise<void> {
  for (let index = from; index < from + count; index += 1) {
    await memoryOf(simplemem).add(sentence(`${name}-${index}`));
    say(`+ ${name}-${index}`);
  }
}

async function forgets(purge: boolean): Promise<void> {
  const simplemem = await opened();
  const memory = memoryOf(simplemem);
  for (;;) {
    const { items } = await memory.list({ limit: 200 });
    const [id] = items[Math.floor(Math.random() * items.length)]?.sourceIds ?? [];
    if (id === undefined) return;
    say(`? ${id}`);
    await memory.forget({ ids: [id], purge });
    say(`- ${id}`);
  }
}

const WORK: { readonly [what: string]: () => Promise<unknown> } = {
  add: async () => {
    const simplemem = await opened();
    for (let from = 0; ; from += 10) await added(simplemem, from, 10);
  },
  flush: async () => {
    const simplemem = await opened();
    for (let from = 0; ; from += 3) {
      await added(simplemem, from, 3);
      await memoryOf(simplemem).flush();
    }
  },
  update: async () => {
    const simplemem = await opened();
    const memory = memoryOf(simplemem);
    for (let round = 0; ; round += 1) {
      for (const { entryId, topic } of (await memory.list({ limit: 20 })).items) {
        say(`~ ${entryId} ${name}-${round} ${topic}`);
        await memory.update(entryId, { topic: `${name}-${round}` });
        say(`= ${entryId} ${name}-${round}`);
      }
    }
  },
  maintain: async () => {
    const simplemem = await opened();
    for (let from = 0; ; from += 2) {
      await simplemem.maintain();
      await added(simplemem, from, 2);
    }
  },
  forget: () => forgets(false),
  purge: () => forgets(true),
  migration: async () => {
    say("ready");
    await open(folder, { embeddings: formerEmbeddings() });
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  },
  reembed: async () => {
    const simplemem = await open(folder, { embeddings: new FakeEmbeddings(24) });
    say("ready");
    await simplemem.reembed();
    say("done");
  },
  import: async () => {
    const simplemem = await opened();
    await simplemem.scope(VICTIM).import(await readFile(file, "utf8"));
    say("done");
  },
};

await WORK[what]?.();
