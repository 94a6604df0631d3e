import { indexWords } from "../language/index.js";
import {
  type DialogueTurn,
  type ExtractedItem,
  type MemoryEntry,
  type Metadata,
  provingSources,
  TRUST_OF_ROLE,
} from "../records/index.js";
import type { EntryRow } from "../store/index.js";

/** The row that an item becomes when it is new. */
export function freshEntry(
  id: string,
  item: ExtractedItem,
  input: {
    readonly sessionId: string;
    readonly now: string;
    readonly embeddingModel: string;
    readonly metadata?: Metadata;
  },
): MemoryEntry {
  return {
    ...item,
    entryId: id,
    sessionId: input.sessionId,
    trust: TRUST_OF_ROLE[item.sourceRole],
    status: "active",
    pinned: false,
    validFrom: item.timestamp ?? item.mentionedAt,
    validTo: null,
    expiresAt: null,
    supersedes: [],
    supersededBy: null,
    derivedFrom: [],
    accessCount: 0,
    lastAccessedAt: null,
    metadata: input.metadata ?? {},
    createdAt: input.now,
    updatedAt: input.now,
    embeddingModel: input.embeddingModel,
  };
}

/** The words of the lexical view, made from an entry. */
export function lexicalColumns(entry: MemoryEntry): Pick<EntryRow, "words" | "personWords" | "keywordWords"> {
  return {
    words: indexWords(entry.losslessRestatement),
    personWords: indexWords([...entry.persons, entry.speaker].join(" ")),
    keywordWords: indexWords([...entry.keywords, ...entry.entities, entry.topic ?? "", entry.location ?? ""].join(" ")),
  };
}

/** The metadata of the turns that prove an item; where two have a key, the turn that states it first counts. */
export function metadataOf(item: ExtractedItem, turns: ReadonlyMap<string, DialogueTurn>): Metadata {
  const proving = provingSources(item).map((id) => turns.get(id)?.metadata ?? {});
  return Object.fromEntries(proving.reverse().flatMap((metadata) => Object.entries(metadata)));
}
