import { endedAt } from "../graph/index.js";
import {
  EntryConflictError,
  type EntryPatch,
  type EntryStatus,
  type EntryVersion,
  InvalidInputError,
  type MemoryEntry,
  type ReasonOptions,
  type RestoreOptions,
  type UpdateOptions,
  versionsOf,
} from "../records/index.js";
import type { EntryRow } from "../store/index.js";
import {
  checkId,
  patchSchema,
  reasonSchema,
  restoreSchema,
  updateSchema,
  versionSchema,
} from "./correction-schemas.js";
import { type EditContext, EntryEditor, notFound } from "./entry-editor.js";
import { patchOf } from "./entry-patch.js";
import { check } from "./options.js";

/** What the corrections of one handle are made with. */
export interface CorrectionContext extends EditContext {
  readonly timeZone: string;
  readonly redact: (text: string) => string;
  /** Runs a change alone, so that no window is consolidated meanwhile. */
  readonly exclusive: <T>(work: () => Promise<T>) => Promise<T>;
  readonly ensureOpen: () => void;
  readonly ensureWritable: () => void;
}

/** Statuses in which an entry holds the place of the one that it superseded. */
const STANDING: ReadonlySet<EntryStatus> = new Set(["active", "conflicted", "doubtful", "done"]);
/** Statuses that a review decides on. */
const UNDECIDED: ReadonlySet<EntryStatus> = new Set(["conflicted", "pending_review"]);
/** Statuses that a version brings back. */
const RESTORED: ReadonlySet<EntryStatus> = new Set(["active", "done", "doubtful"]);
const SHOWN_TEXT = 120;

/** The reason as it is stored. */
export function reasonOf({ redact }: CorrectionContext, { reason }: ReasonOptions): string | null {
  return reason === undefined ? null : redact(reason.toWellFormed());
}

/** @throws EntryConflictError when the entry has another version by now */
export function checkVersionOf({ entry, changes }: EntryRow, { ifVersion }: UpdateOptions): void {
  const version = Math.max(1, changes.length);
  if (ifVersion === undefined || ifVersion === version) return;
  throw new EntryConflictError(
    `the entry ${entry.entryId} has version ${version} by now, not ${ifVersion}; nothing was changed. Read it again, then decide.`,
    [entry.entryId],
  );
}

function statusAfter(now: EntryStatus, then: EntryStatus): EntryStatus {
  if (UNDECIDED.has(now)) return now;
  return RESTORED.has(then) ? then : "active";
}

/** What stands in the place of a superseded entry: its successor, or the successor's successor. */
async function successorOf(editor: EntryEditor, entry: MemoryEntry): Promise<EntryRow | null> {
  const seen = new Set([entry.entryId]);
  let next = entry.supersededBy;
  while (next !== null && !seen.has(next)) {
    seen.add(next);
    const [row] = await editor.rows([next]);
    if (row === undefined) return null;
    if (STANDING.has(row.entry.status)) return row;
    next = row.entry.supersededBy;
  }
  return null;
}

function chosenVersion({ entry, changes }: EntryRow, version: number): EntryVersion {
  const versions = versionsOf(entry, changes);
  const chosen = versions[version - 1];
  if (chosen !== undefined) return chosen;
  throw new InvalidInputError(
    `the entry ${entry.entryId} has the versions 1 to ${versions.length}, got ${version}; history() lists them.`,
  );
}

async function restoreWithin(
  editor: EntryEditor,
  row: EntryRow,
  version: number,
  options: { readonly force: boolean; readonly reason: string | null },
): Promise<readonly EntryRow[]> {
  const { entry } = row;
  const then = chosenVersion(row, version).entry;
  const successor = entry.status === "superseded" ? await successorOf(editor, entry) : null;
  if (successor !== null && !options.force) throw superseded(entry, successor.entry);
  const replaced = successor === null ? [] : [successor.entry.entryId];
  const wasRetired = then.status === "superseded";
  const restored = await editor.changed(
    row,
    {
      ...then,
      pinned: entry.pinned,
      status: statusAfter(entry.status, then.status),
      validTo: wasRetired ? null : then.validTo,
      supersededBy: null,
      supersedes: [...new Set([...entry.supersedes, ...replaced])],
      accessCount: entry.accessCount,
      lastAccessedAt: entry.lastAccessedAt,
      embeddingModel: entry.embeddingModel,
    },
    { op: "restored", reason: options.reason ?? `version ${version}`, related: replaced },
  );
  const retired =
    successor === null ? [] : [await retire(editor, successor, entry.entryId, "a former one was restored")];
  return [restored, ...retired];
}

function superseded({ entryId }: MemoryEntry, successor: MemoryEntry): EntryConflictError {
  const text = successor.losslessRestatement.slice(0, SHOWN_TEXT);
  return new EntryConflictError(
    `the entry ${entryId} was superseded by ${successor.entryId} (${JSON.stringify(text)}); nothing was changed. With { force: true } that one becomes history instead.`,
    [successor.entryId],
  );
}

/** The row as history of another entry, from now on. */
export function retire(editor: EntryEditor, row: EntryRow, by: string, reason: string): Promise<EntryRow> {
  return editor.changed(
    row,
    {
      status: "superseded",
      supersededBy: by,
      validTo: endedAt(row.entry, editor.now),
      supersedes: row.entry.supersedes.filter((id) => id !== by),
    },
    { op: "superseded", reason, related: [by] },
  );
}

/**
 * Corrects one entry while no window is consolidated, and writes what came of it in one commit.
 * @param work gives the rows that changed, the entry's own first; a row that it gives back as it was is not written
 */
export function correctAlone(
  context: CorrectionContext,
  id: string,
  work: (editor: EntryEditor, row: EntryRow) => Promise<readonly EntryRow[]>,
): Promise<MemoryEntry> {
  return context.exclusive(async () => {
    const editor = new EntryEditor(context);
    const row = await editor.row(id);
    const rows = await work(editor, row);
    await editor.put(rows.filter((one) => one !== row));
    return rows[0]?.entry ?? row.entry;
  });
}

/** Corrections by hand. What was before stays in the history, and no consolidation runs meanwhile. */
export class Corrections {
  constructor(private readonly context: CorrectionContext) {}

  async history(id: string): Promise<readonly EntryVersion[]> {
    const { store, reads, ensureOpen } = this.context;
    ensureOpen();
    checkId(id);
    const [found] = await store.entries.histories(reads, [id]);
    if (found === undefined) throw notFound(id);
    return versionsOf(found.entry, found.changes);
  }

  async update(id: string, patch: EntryPatch, options: UpdateOptions = {}): Promise<MemoryEntry> {
    this.context.ensureWritable();
    checkId(id);
    check(patchSchema, patch, "the patch of update");
    check(updateSchema, options, "the options of update");
    return correctAlone(this.context, id, async (editor, row) => {
      const change = patchOf(row.entry, patch, this.context.timeZone, this.context.redact);
      checkVersionOf(row, options);
      return [await editor.changed(row, change, { op: "updated", reason: reasonOf(this.context, options) })];
    });
  }

  async restore(id: string, version: number, options: RestoreOptions = {}): Promise<MemoryEntry> {
    this.context.ensureWritable();
    checkId(id);
    check(versionSchema, version, "the version to restore");
    const { force = false } = check(restoreSchema, options, "the options of restore");
    return correctAlone(this.context, id, (editor, row) =>
      restoreWithin(editor, row, version, { force, reason: reasonOf(this.context, options) }),
    );
  }

  async pin(id: string, pinned: boolean, options: ReasonOptions = {}): Promise<MemoryEntry> {
    this.context.ensureWritable();
    checkId(id);
    check(reasonSchema, options, "the options of pin");
    const op = pinned ? "pinned" : "unpinned";
    return correctAlone(this.context, id, async (editor, row) => [
      await editor.changed(row, { pinned }, { op, reason: reasonOf(this.context, options) }),
    ]);
  }
}
