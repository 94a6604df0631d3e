import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type MemoryEntry, type ScopedMemory, type SimpleMem, SimpleMemStore } from "../../src/index.js";
import { embeddings, sentence } from "./store.js";
import { BYSTANDER, BYSTANDER_TURNS, NOTHING, type Tally, VICTIM } from "./tally.js";

const EVERY_STATUS = ["active", "done", "superseded", "conflicted", "doubtful", "pending_review", "archived"] as const;
/** Namespace of the items that are set. */
export const ITEMS = ["torture"];
/** Session of the facts that are set. */
export const FACTS = { ...VICTIM, sessionId: "facts" };
/** Of what was forgotten, so many are searched for: those that came last. */
const SEARCHED = 2;

/** A scope, as its export and its list of entries tell it. */
interface Seen {
  readonly turns: readonly { readonly dialogueId: string; readonly content: string }[];
  readonly ids: ReadonlySet<string>;
  readonly entries: readonly MemoryEntry[];
  /** Turns that prove an entry, of whatever status. */
  readonly proof: ReadonlySet<string>;
}

async function seenOf(memory: ScopedMemory): Promise<Seen> {
  const turns: { dialogueId: string; content: string }[] = [];
  for await (const line of memory.export()) {
    const record: { type: string; turn?: { dialogueId: string; content: string } } = JSON.parse(line);
    if (record.type === "turn" && record.turn !== undefined) turns.push(record.turn);
  }
  const { items: entries } = await memory.list({ status: EVERY_STATUS });
  return {
    turns,
    ids: new Set(turns.map(({ dialogueId }) => dialogueId)),
    entries,
    proof: new Set(entries.flatMap(({ sourceIds }) => sourceIds)),
  };
}

function named(what: string, ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`${ids.length} ${what}: ${ids.slice(0, 5).join(", ")}`];
}

function twice(values: readonly string[]): readonly string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

function lostAndBack({ turns, ids, entries, proof }: Seen, tally: Tally): string[] {
  const active = entries.filter(({ status }) => status === "active");
  return [
    ...named(
      "lost",
      tally.due.filter((id) => !ids.has(id)),
    ),
    ...named(
      "forgotten and back",
      [...tally.forgotten].filter((id) => ids.has(id) || proof.has(id)),
    ),
    ...named("twice in the log", twice(turns.map(({ dialogueId }) => dialogueId))),
    ...named("twice an entry", twice(active.map(({ losslessRestatement }) => losslessRestatement))),
    ...named(
      "in other words than were said",
      turns
        .filter(({ dialogueId, content }) => content !== sentence(dialogueId).content)
        .map(({ dialogueId }) => dialogueId),
    ),
  ];
}

/** Of the other user everything is there, and nothing of one is seen by the other. */
function leaks(victim: Seen, other: Seen): string[] {
  const own = new Set(BYSTANDER_TURNS);
  return [
    ...named(
      "of another user",
      [...victim.ids, ...victim.proof].filter((id) => own.has(id)),
    ),
    ...named(
      "in another user's memory",
      [...other.ids, ...other.proof].filter((id) => !own.has(id)),
    ),
    ...named(
      "lost of another user",
      BYSTANDER_TURNS.filter((id) => !other.ids.has(id) || !other.proof.has(id)),
    ),
  ];
}

function corrections({ entries }: Seen, tally: Tally): string[] {
  const topics = new Map(entries.map(({ entryId, topic }) => [entryId, topic ?? ""]));
  const kept = [...tally.corrected].filter(([, { sourceIds }]) => !sourceIds.some((id) => tally.doomed.has(id)));
  return [
    ...named(
      "corrected and gone",
      kept.filter(([id]) => !topics.has(id)).map(([id]) => id),
    ),
    ...named(
      "corrected and not so",
      kept
        .filter(([id, corrected]) => !corrected.topics.includes(topics.get(id) ?? corrected.topics[0] ?? ""))
        .map(([id, corrected]) => `${id} (${topics.get(id)}, not ${corrected.topics.join(" or ")})`),
    ),
  ];
}

async function itemOf(folder: string, key: string): Promise<string> {
  const store = await SimpleMemStore.open({ uri: folder, embeddings: embeddings() });
  try {
    const item = await store.get([...ITEMS], key);
    return String(item?.value.text ?? NOTHING);
  } finally {
    await store.stop();
  }
}

async function values(simplemem: SimpleMem, tally: Tally, folder: string): Promise<string[]> {
  const facts = new Map((await simplemem.scope(FACTS).facts.list()).map(({ key, value }) => [key, value]));
  const wrong: string[] = [];
  for (const [name, possible] of tally.values) {
    const [kind, key = ""] = name.split(" ");
    const value = kind === "fact" ? (facts.get(key) ?? NOTHING) : await itemOf(folder, key);
    if (!possible.includes(value)) wrong.push(`${name} (${value}, not ${possible.join(" or ")})`);
  }
  return named("set and not so", wrong);
}

async function found(memory: ScopedMemory, tally: Tally): Promise<string[]> {
  const back: string[] = [];
  for (const id of [...tally.forgotten].slice(-SEARCHED)) {
    const { hits } = await memory.search(sentence(id).content, { planning: "never", includeArchived: true });
    const { content } = sentence(id);
    if (hits.some(({ sourceIds, text }) => sourceIds.includes(id) || text.includes(content))) back.push(id);
  }
  return named("forgotten and found", back);
}

/** Of these turns, those whose words any file holds. */
async function inFiles(folder: string, ids: readonly string[]): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  const held = new Set<string>();
  for (const path of paths) {
    const bytes = await readFile(path);
    for (const id of ids) if (bytes.includes(` ${id} is `)) held.add(id);
  }
  return [...held];
}

async function bytes(simplemem: SimpleMem, tally: Tally, folder: string): Promise<string[]> {
  const users = new Set((await simplemem.users.list()).map(({ userId }) => userId));
  const back = [...tally.deleted].filter((userId) => users.has(userId));
  const gone = [...tally.purged, ...tally.deleted];
  if (gone.length === 0) return named("deleted and back", back);
  const [kept = ""] = BYSTANDER_TURNS;
  const held = new Set(await inFiles(folder, [...gone, kept]));
  // Where not even what is kept can be read in the files, looking into them proves nothing.
  const blind = held.has(kept) ? [] : ["the words of what is kept were found in no file"];
  return [
    ...named("deleted and back", back),
    ...named(
      "purged and in a file",
      gone.filter((id) => held.has(id)),
    ),
    ...blind,
  ];
}

/** What does not agree with what was acknowledged, in words; empty when all does. Looks at the files too. */
export async function differences(simplemem: SimpleMem, tally: Tally, folder: string): Promise<readonly string[]> {
  const memory = simplemem.scope(VICTIM);
  const [victim, other] = [await seenOf(memory), await seenOf(simplemem.scope(BYSTANDER))];
  return [
    ...lostAndBack(victim, tally),
    ...leaks(victim, other),
    ...corrections(victim, tally),
    ...(await values(simplemem, tally, folder)),
    ...(await found(memory, tally)),
    ...(await bytes(simplemem, tally, folder)),
  ];
}

/** After a flush every turn that was accepted proves an entry: each is a statement of its own. */
export async function unproven(simplemem: SimpleMem, tally: Tally): Promise<readonly string[]> {
  const { proof } = await seenOf(simplemem.scope(VICTIM));
  return named(
    "accepted, flushed and without an entry",
    tally.due.filter((id) => !proof.has(id)),
  );
}
