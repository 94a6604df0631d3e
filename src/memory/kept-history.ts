import {
  type ChangeOperation,
  type EntryVersion,
  type MemoryEntry,
  type Metadata,
  replayed,
} from "../records/index.js";

/** What is forgotten of one entry's proof. */
export interface Loss {
  /** Ids of its turns that go. */
  readonly gone: ReadonlySet<string>;
  /** The metadata without what only these turns gave. */
  readonly keeps: (metadata: Metadata) => Metadata;
}

/** What is left of an entry. */
export interface Kept {
  readonly entry: MemoryEntry;
  readonly versions: readonly EntryVersion[];
}

/** By these a turn gives an entry something. */
const GIVING: ReadonlySet<ChangeOperation> = new Set(["joined", "merged"]);

export function keptIds(ids: readonly string[], gone: ReadonlySet<string>): readonly string[] {
  return ids.filter((id) => !gone.has(id));
}

function keptEntry(entry: MemoryEntry, { gone, keeps }: Loss): MemoryEntry {
  return { ...entry, sourceIds: keptIds(entry.sourceIds, gone), metadata: keeps(entry.metadata) };
}

/** Whether a version is what forgotten turns gave, or brings that back. */
function isLost({ op, turnIds, entry }: EntryVersion, { gone }: Loss, lostTexts: ReadonlySet<string>): boolean {
  if (op === "restored") return lostTexts.has(entry.losslessRestatement);
  return GIVING.has(op) && turnIds.length > 0 && turnIds.every((id) => gone.has(id));
}

/**
 * The history as it would be had these turns given nothing but the words with which the entry began: versions that they alone
 * brought about go, the later ones are without what came from them, and versions that nothing else proves are not shown.
 */
export function keptHistory(versions: readonly EntryVersion[], loss: Loss): Kept {
  const [first, ...later] = versions;
  if (first === undefined) throw new RangeError("an entry has at least one version");
  const texts = new Set([first.entry.losslessRestatement]);
  const lostTexts = new Set<string>();
  const shown: EntryVersion[] = [];
  let state = first.entry;
  let former = first.entry;
  const show = (version: EntryVersion): void => {
    const entry = keptEntry(state, loss);
    if (entry.sourceIds.length > 0) shown.push({ ...version, turnIds: keptIds(version.turnIds, loss.gone), entry });
  };
  show(first);
  for (const version of later) {
    const text = version.entry.losslessRestatement;
    if (isLost(version, loss, lostTexts)) {
      if (!texts.has(text)) lostTexts.add(text);
    } else {
      state = replayed(state, former, version);
      texts.add(state.losslessRestatement);
      show(version);
    }
    former = version.entry;
  }
  return { entry: keptEntry(state, loss), versions: shown };
}
