import { type ScopedMemory, SimpleMem, type SimpleMemStore } from "../../src/index.js";

/** Turns that a user keeps; older ones are forgotten. */
const KEPT_TURNS = 24;
const TURNS_A_ROUND = 3;
const ROUNDS_A_SESSION = 20;
const VISITED_EVERY = 6;
const FACT_LIFE_MS = 60_000;
const NAMES = ["Ane", "Bram", "Cleo", "Dries", "Esra", "Femke", "Gijs", "Hanna"];
const PLACES = ["Dunmore", "Zwettl", "Ghent", "Aveiro", "Turku", "Split", "Lugo"];
const THINGS = ["boat", "locker", "bicycle", "piano", "garden", "loom", "kiln", "telescope", "beehive"];

/** What the rounds go on with: a few users for ever, and many who come, and are deleted. */
export interface Load {
  readonly uri: string;
  /** One without and one with a model, on the same folder. */
  readonly engines: readonly SimpleMem[];
  readonly items: SimpleMemStore;
  /** One for the whole life: what listens to it must let go of it. */
  readonly signal: AbortSignal;
  readonly users: number;
}

function pick<T>(values: readonly T[], at: number): T | undefined {
  return values[at % values.length];
}

function said(number: number): string {
  const [name, thing, place] = [pick(NAMES, number), pick(THINGS, number * 5), pick(PLACES, number * 3)];
  return `The ${thing} of ${name} stands in ${place} behind house ${10 + (number % 890)}.`;
}

function turnsOf(round: number): { speaker: string; content: string }[] {
  return Array.from({ length: TURNS_A_ROUND }, (_, index) => ({
    speaker: "Ilse Corrin",
    content: said(round * TURNS_A_ROUND + index),
  }));
}

function memoryOf({ engines, users }: Load, round: number): ScopedMemory {
  const engine = pick(engines, Math.floor(round / users));
  if (engine === undefined) throw new Error("there is no engine");
  const sessionId = `s-${Math.floor(round / ROUNDS_A_SESSION)}`;
  return engine.scope({ userId: `u-${round % users}`, userName: "Ilse Corrin", sessionId });
}

async function reads(memory: ScopedMemory, round: number, signal: AbortSignal): Promise<void> {
  await memory.search(`Where does the ${pick(THINGS, round)} of ${pick(NAMES, round)} stand?`, { signal });
  await memory.context(`the ${pick(THINGS, round + 1)}`, { maxTokens: 300 });
  if (round % 3 === 0) await memory.ask(`What stands in ${pick(PLACES, round)}?`, { signal });
  if (round % 3 === 1) {
    // Left after the first piece, as by a user who closes the page.
    for await (const _piece of memory.streamAsk(`What does ${pick(NAMES, round)} have?`, { signal })) break;
  }
  if (round % 5 === 0) await memory.timeline({ person: pick(NAMES, round) ?? "" });
  if (round % 7 === 0) await memory.stats();
}

async function facts(memory: ScopedMemory, round: number): Promise<void> {
  const expiresAt = new Date(Date.now() + FACT_LIFE_MS).toISOString();
  await memory.facts.remember(`room-${round % 10}`, said(round), { expiresAt });
  await memory.facts.recall("room");
}

async function corrects(memory: ScopedMemory, round: number): Promise<void> {
  const [entry] = (await memory.list({ limit: 1 })).items;
  if (entry !== undefined) await memory.update(entry.entryId, { topic: `topic-${round % 10}` });
}

/** Keeps the store as large as it is. */
async function forgets(memory: ScopedMemory, round: number): Promise<void> {
  const { items } = await memory.log({ order: "oldest", limit: 200 });
  const old = items.slice(0, Math.max(0, items.length - KEPT_TURNS)).map(({ turn }) => turn.dialogueId);
  if (old.length > 0) await memory.forget({ ids: old, purge: round % 4 === 0 });
}

/** A user who is never seen again. */
async function visits({ engines, signal }: Load, round: number): Promise<void> {
  const engine = pick(engines, Math.floor(round / VISITED_EVERY));
  const userId = `visitor-${round}`;
  const memory = engine?.scope({ userId });
  await memory?.add(turnsOf(round));
  await memory?.flush();
  await memory?.search("Where is the loom?", { signal });
  await engine?.users.delete(userId, { purge: round % 2 === 0 });
}

/** Another engine on the folder, opened and closed again. */
async function opensAnother({ uri }: Load, round: number): Promise<void> {
  await using other = await SimpleMem.open({ uri, readOnly: true });
  await other.scope({ userId: "u-0" }).search(said(round));
}

async function keepsItems({ items }: Load, round: number): Promise<void> {
  const key = `item-${round % 20}`;
  await items.put(["soak"], key, { text: said(round) });
  await items.search(["soak"], { query: said(round - 3), limit: 3 });
  if (round % 3 === 0) await items.delete(["soak"], `item-${(round + 10) % 20}`);
}

/** One round of everything that an agent does with a memory. Answers the turns that it added. */
export async function round(load: Load, number: number): Promise<number> {
  const memory = memoryOf(load, number);
  await memory.add(turnsOf(number));
  if (number % 3 !== 0) await memory.flush({ retryFailed: true, signal: load.signal });
  await reads(memory, number, load.signal);
  await facts(memory, number);
  await corrects(memory, number);
  await forgets(memory, number);
  await keepsItems(load, number);
  const isVisited = number % VISITED_EVERY === 5;
  if (isVisited) await visits(load, number);
  if (number % 25 === 24) await opensAnother(load, number);
  return TURNS_A_ROUND * (isVisited ? 2 : 1);
}
