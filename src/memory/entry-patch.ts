import { type EntryPatch, InvalidInputError, type MemoryEntry, parseInstant } from "../records/index.js";

const TIMES = ["timestamp", "timestampEnd", "validFrom", "validTo", "expiresAt"] as const;
/** Fields that a patch sets as they are. */
const PLAIN = [
  "persons",
  "entities",
  "keywords",
  "location",
  "topic",
  "kind",
  "status",
  "trust",
  "importance",
  "confidence",
] as const satisfies (keyof EntryPatch & keyof MemoryEntry)[];

/** Key by key; a key that is set to undefined goes. */
function joined<T>(known: { readonly [key: string]: T }, patch: { readonly [key: string]: T | undefined }) {
  const values = new Map<string, T>(Object.entries(known));
  for (const [key, value] of Object.entries<T | undefined>(patch)) {
    if (value === undefined) values.delete(key);
    else values.set(key, value);
  }
  return Object.fromEntries(values);
}

function timesOf(patch: EntryPatch, timeZone: string): Partial<MemoryEntry> {
  const given = TIMES.flatMap((field) => {
    const value = patch[field];
    if (value === undefined) return [];
    return [[field, value === null ? null : parseInstant(value, timeZone).instant] as const];
  });
  return Object.fromEntries(given);
}

function checkOrder(entry: MemoryEntry): void {
  const { timestamp, timestampEnd, validFrom, validTo } = entry;
  if (timestampEnd !== null && (timestamp === null || timestampEnd <= timestamp)) {
    throw new InvalidInputError(`timestampEnd ${timestampEnd} must be after timestamp ${timestamp}.`);
  }
  if (validFrom !== null && validTo !== null && validTo < validFrom) {
    throw new InvalidInputError(`validTo ${validTo} must not be before validFrom ${validFrom}.`);
  }
}

function checkStatus({ status }: MemoryEntry, patch: EntryPatch): void {
  if (patch.status === undefined || patch.status === status) return;
  if (status === "superseded") {
    throw new InvalidInputError("the entry was superseded; restore() makes a former version current again.");
  }
  if (status === "pending_review" || status === "conflicted") {
    throw new InvalidInputError(`the entry is ${status}; review.approve() or review.reject() decides on it.`);
  }
}

/**
 * What a patch changes of this entry. Lists are replaced; metadata and attributes are joined key by key.
 * @throws InvalidInputError for times that are none or in the wrong order, and for a status that others decide on
 */
export function patchOf(
  entry: MemoryEntry,
  patch: EntryPatch,
  timeZone: string,
  redact: (text: string) => string,
): Partial<MemoryEntry> {
  checkStatus(entry, patch);
  const plain: Partial<MemoryEntry> = Object.fromEntries(
    PLAIN.flatMap((field) => (patch[field] === undefined ? [] : [[field, patch[field]] as const])),
  );
  const change: Partial<MemoryEntry> = {
    ...plain,
    ...timesOf(patch, timeZone),
    ...(patch.text === undefined ? {} : { losslessRestatement: redact(patch.text.toWellFormed()).trim() }),
    ...(patch.metadata === undefined ? {} : { metadata: joined(entry.metadata, patch.metadata) }),
    ...(patch.attributes === undefined ? {} : { attributes: joined(entry.attributes, patch.attributes) }),
  };
  checkOrder({ ...entry, ...change });
  return change;
}
