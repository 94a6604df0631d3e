import { indexWords } from "../language/index.js";
import {
  type DialogueTurn,
  type EntryKind,
  type ExtractedItem,
  type MemoryEntry,
  type Metadata,
  provingSources,
  TRUST_OF_ROLE,
} from "../records/index.js";
import { attributeToken } from "../stages/consolidate/index.js";
import type { EntryRow } from "../store/index.js";

const DAY_MS = 86_400_000;

/** After how many days entries of a kind expire; of a kind that is not named, none does. */
export type KeptDays = { readonly [kind in EntryKind]?: number };

/** The days count from when it was said, or from the event's end where that comes later. */
function expiryOf({ kind, mentionedAt, timestamp, timestampEnd }: ExtractedItem, days: KeptDays = {}): string | null {
  const kept = days[kind];
  if (kept === undefined) return null;
  const from = Math.max(Date.parse(mentionedAt), Date.parse(timestampEnd ?? timestamp ?? mentionedAt));
  return new Date(from + kept * DAY_MS).toISOString();
}

/** The row that an item becomes when it is new. */
export function freshEntry(
  id: string,
  item: ExtractedItem,
  input: {
    readonly sessionId: string;
    readonly now: string;
    readonly embeddingModel: string;
    readonly metadata?: Metadata;
    readonly expireAfterDays?: KeptDays;
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
    expiresAt: expiryOf(item, input.expireAfterDays),
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

/** The words of the lexical view, made from an entry; one of them stands for the attribute that it states. */
export function lexicalColumns(entry: MemoryEntry): Pick<EntryRow, "words" | "personWords" | "keywordWords"> {
  const named = [...entry.keywords, ...entry.entities, entry.topic ?? "", entry.location ?? ""];
  return {
    words: indexWords(entry.losslessRestatement),
    personWords: indexWords([...entry.persons, entry.speaker].join(" ")),
    keywordWords: [indexWords(named.join(" ")), attributeToken(entry.losslessRestatement) ?? ""].join(" ").trim(),
  };
}

/** The metadata of the turns that prove an item; where two have a key, the turn that states it first counts. */
export function metadataOf(item: ExtractedItem, turns: ReadonlyMap<string, DialogueTurn>): Metadata {
  const proving = provingSources(item).map((id) => turns.get(id)?.metadata ?? {});
  return Object.fromEntries(proving.reverse().flatMap((metadata) => Object.entries(metadata)));
}
