/**
 * A process that does one thing to a store again and again, until it is killed. Arguments: folder, what, name, file. It prints "ready", when
 * each operation begins and ends, and what was acknowledged, in the lines that `Tally.take` reads.
 */
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { type SimpleMem, SimpleMemStore } from "../../src/index.js";
import { FakeEmbeddings } from "../../test/support/fakes.js";
import { formerEmbeddings } from "../../test/support/former-files.js";
import { marked, say } from "./lines.js";
import { embeddings, open, sentence } from "./store.js";
import { NOTHING, VICTIM } from "./tally.js";
import { FACTS, ITEMS } from "./witness.js";

const [folder = "", what = "", name = "", file = ""] = process.argv.slice(2);
/** Facts and items that are set again and again. */
const KEYS = 5;
const GUEST_TURNS = 3;

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
    await marked("add", () => memoryOf(simplemem).add(sentence(`${name}-${index}`)));
    say("accepted", `${name}-${index}`);
  }
}

async function forgets(purge: boolean): Promise<void> {
  const simplemem = await opened();
  const memory = memoryOf(simplemem);
  for (;;) {
    const { items } = await memory.list({ limit: 200 });
    const [id] = items[Math.floor(Math.random() * items.length)]?.sourceIds ?? [];
    if (id === undefined) {
      // Everything is forgotten: others may add more.
      await setTimeout(100);
      continue;
    }
    say("forgetting", id);
    await marked(what, () => memory.forget({ ids: [id], purge }));
    say("forgotten", id);
    if (purge) say("purged", id);
  }
}

/** Sets values one after the other, and removes every third. */
async function sets(
  kind: string,
  set: (key: string, value: string) => Promise<unknown>,
  remove: (key: string) => Promise<unknown>,
): Promise<void> {
  for (let round = 0; ; round += 1) {
    const key = `key-${round % KEYS}`;
    const value = round % 3 === 2 ? NOTHING : `${name}-${round}`;
    say("setting", `${kind} ${key}`, value);
    await marked(what, () => (value === NOTHING ? remove(key) : set(key, value)));
    say("set", `${kind} ${key}`, value);
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
      await marked("flush", () => memoryOf(simplemem).flush());
    }
  },
  update: async () => {
    const simplemem = await opened();
    const memory = memoryOf(simplemem);
    for (let round = 0; ; round += 1) {
      for (const { entryId, topic, sourceIds } of (await memory.list({ limit: 20 })).items) {
        const next = `${name}-${round}`;
        say("correcting", entryId, next, topic ?? "", ...sourceIds);
        await marked("update", () => memory.update(entryId, { topic: next }));
        say("corrected", entryId, next);
      }
    }
  },
  facts: async () => {
    const { facts } = (await opened()).scope(FACTS);
    await sets(
      "fact",
      (key, value) => facts.remember(key, value),
      (key) => facts.forget(key),
    );
  },
  items: async () => {
    const store = await SimpleMemStore.open({ uri: folder, embeddings: embeddings() });
    say("ready");
    await sets(
      "item",
      (key, text) => store.put([...ITEMS], key, { text }),
      (key) => store.delete([...ITEMS], key),
    );
  },
  maintain: async () => {
    const simplemem = await opened();
    for (let from = 0; ; from += 2) {
      await marked("maintain", () => simplemem.maintain());
      await added(simplemem, from, 2);
    }
  },
  forget: () => forgets(false),
  purge: () => forgets(true),
  "delete user": async () => {
    const simplemem = await opened();
    for (let round = 0; ; round += 1) {
      const userId = `guest-${name}-${round}`;
      const guest = simplemem.scope({ userId, sessionId: name });
      // Their turns hold the name of the user, by which the files are searched.
      await guest.add(
        Array.from({ length: GUEST_TURNS }, (_, index) => ({ ...sentence(userId), id: `${userId}-${index}` })),
      );
      await guest.flush();
      await marked(what, () => simplemem.users.delete(userId, { purge: true }));
      say("deleted", userId);
    }
  },
  migration: async () => {
    say("ready");
    await marked(what, () => open(folder, { embeddings: formerEmbeddings() }));
    say("done");
  },
  reembed: async () => {
    const simplemem = await open(folder, { embeddings: new FakeEmbeddings(24) });
    say("ready");
    await marked(what, () => simplemem.reembed());
    say("done");
  },
  rebuild: async () => {
    const simplemem = await opened();
    await marked(what, () => simplemem.scope(VICTIM).rebuild({ apply: true }));
    say("done");
  },
  import: async () => {
    const simplemem = await opened();
    const lines = await readFile(file, "utf8");
    await marked(what, () => simplemem.scope(VICTIM).import(lines));
    say("done");
  },
};

await WORK[what]?.();
// What is done waits for its end, which comes from outside.
await setTimeout(60_000);
