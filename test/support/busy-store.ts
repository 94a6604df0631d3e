import { SimpleMem } from "../../src/index.js";
import { FakeEmbeddings } from "./fakes.js";

/** The embedder that made the vectors of a busy store last. */
export function busyEmbeddings(): FakeEmbeddings {
  return new FakeEmbeddings(24);
}

const DAY_MS = 86_400_000;
const START = Date.parse("2025-01-06T09:00:00Z");

type Memory = ReturnType<SimpleMem["scope"]>;

/** Says each sentence, and lets it be extracted before the next. */
async function say(memory: Memory, time: { now: number }, sentences: { readonly [id: string]: string }): Promise<void> {
  for (const [id, content] of Object.entries(sentences)) {
    time.now += 60_000;
    await memory.add({ id, speaker: "Ilse", content, metadata: { channel: "mail" } });
    await memory.flush();
  }
}

async function idOf(memory: Memory, text: RegExp): Promise<string> {
  const { items } = await memory.list({ status: ["active", "superseded", "conflicted", "done", "archived"] });
  const found = items.find(({ losslessRestatement }) => text.test(losslessRestatement));
  if (found === undefined) throw new Error(`no entry says ${text}`);
  return found.entryId;
}

const SAID = {
  "t-home": "I live in Graz.",
  "t-ane": "My sister Ane repairs clocks.",
  "t-thanks": "Thanks!",
  "t-quokka": "My quokka sleeps in the harbour of Zwettl.",
  "t-dentist": "My dentist appointment is on 3 June 2031 at 10 am.",
  "t-moved": "I moved to Linz.",
  "t-hike-1": "I like hiking in the hills.",
  "t-hike-2": "I enjoy hiking in the hills.",
  "t-hike-3": "I love hiking in the hills.",
  "t-bike": "The blue bike has a flat tyre.",
  "t-bees": "My brother Jon keeps bees.",
};

async function corrected(memory: Memory): Promise<void> {
  const bike = await idOf(memory, /bike/);
  await memory.update(bike, { text: "Ilse's blue bike had a flat tyre.", topic: "bike" });
  await memory.restore(bike, 1);
  await memory.pin(bike);
  await memory.facts.remember("home.city", "Graz");
  await memory.facts.remember("home.city", "Linz");
  await memory.facts.remember("diet", "vegan");
  await memory.facts.forget("diet");
}

async function withAgents(simplemem: SimpleMem, time: { now: number }): Promise<void> {
  const cook = { userId: "u-ilse", agentId: "cook", tenantId: "acme" };
  await say(simplemem.scope({ ...cook, sharing: "shared" }), time, { a1: "I am allergic to sesame." });
  await say(simplemem.scope(cook), time, { a2: "My knives are dull.", a3: "I am allergic to sesame." });
}

async function moved(simplemem: SimpleMem, memory: Memory): Promise<void> {
  const lines: string[] = [];
  for await (const line of memory.export()) lines.push(line);
  await simplemem.scope({ userId: "u-bram" }).import(lines);
  await memory.import(lines);
}

async function withItems(simplemem: SimpleMem): Promise<void> {
  const items = await simplemem.store({ index: { fields: ["text"] } });
  await items.put(["docs"], "k", { text: "The heron nests in the mill." });
  await items.put(["docs"], "k", { text: "The heron left the mill." });
  await items.delete(["docs"], "gone");
}

/**
 * A folder in which much happened: turns of several users, agents and sessions, changes of mind, corrections, a forget and a purge,
 * maintenance, export and import, another embedder, a rebuild, items; and one turn that still waits.
 */
export async function fillBusyStore(uri: string): Promise<void> {
  const time = { now: START };
  const options = { uri, clock: () => time.now, window: { idleMs: 0 } };
  const former = await SimpleMem.open({ ...options, embeddings: new FakeEmbeddings(16) });
  const before = former.scope({ userId: "u-ilse", sessionId: "s1", userName: "Ilse" });
  await say(before, time, SAID);
  await corrected(before);
  await before.forget({ ids: ["t-quokka"], purge: true });
  await before.forget({ ids: [await idOf(before, /bees/)] });
  await former.close();
  const simplemem = await SimpleMem.open({ ...options, embeddings: busyEmbeddings() });
  await simplemem.reembed();
  const memory = simplemem.scope({ userId: "u-ilse", sessionId: "s1", userName: "Ilse" });
  await withAgents(simplemem, time);
  await moved(simplemem, memory);
  await withItems(simplemem);
  await memory.maintain();
  time.now += 200 * DAY_MS;
  await simplemem.maintain();
  await memory.rebuild({ with: { instructions: "names" }, apply: true });
  await say(simplemem.scope({ userId: "u-ilse", sessionId: "s2" }), time, { "t-late": "My cat Momo is grey." });
  await memory.add({ id: "t-waits", speaker: "Ilse", content: "My aunt Rosa lives in Steyr." });
  await simplemem.close({ flush: false });
}
