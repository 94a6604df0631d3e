import { maintainedRow, statusChange } from "../graph/index.js";
import { type ChangeOperation, type ExpandOptions, InvalidInputError, type MemoryEntry } from "../records/index.js";
import type { EntryRow, EntryWithChanges } from "../store/index.js";
import { type CorrectionContext, reasonOf } from "./corrections.js";
import { EntryEditor } from "./entry-editor.js";
import { activeTwin } from "./twin.js";

/** Changes that give an entry nothing which its parts do not have. */
const ADDING_NOTHING: ReadonlySet<ChangeOperation> = new Set(["pinned", "unpinned", "archived", "revived"]);

/** Whether a row was archived under this pattern, and nobody did anything else with it since. */
export function isPartOf(row: EntryWithChanges, patternId: string): boolean {
  const change = statusChange(row);
  return row.entry.status === "archived" && change?.op === "condensed" && change.related.includes(patternId);
}

function checkPattern({ entry }: EntryRow): void {
  if (entry.derivedFrom.length === 0) {
    throw new InvalidInputError(
      `the entry ${entry.entryId} is no pattern that maintenance made; list({ kind: "pattern" }) gives those.`,
    );
  }
  if (entry.status === "superseded") {
    throw new InvalidInputError(
      `the pattern ${entry.entryId} was superseded by ${entry.supersededBy}; its parts would be current again. restore() it first, when that is meant.`,
    );
  }
}

/** What was said again, merged or corrected since the pattern was made stands in no part: it stays, as an entry of its own. */
async function remains(
  context: CorrectionContext,
  pattern: EntryRow,
  reason: string | null,
  now: string,
): Promise<void> {
  const { store, scope } = context;
  const { entryId, derivedFrom } = pattern.entry;
  if (pattern.changes.slice(1).every(({ op }) => ADDING_NOTHING.has(op))) {
    await store.entries.remove(scope, [entryId]);
    return;
  }
  const cause = { op: "expanded", reason, related: derivedFrom } as const;
  await store.entries.put(scope, [maintainedRow(pattern, { derivedFrom: [] }, cause, now, "user")]);
}

/**
 * Makes the parts of a pattern active again, then lets the pattern go. A part stays archived when another entry says the same by
 * now.
 * @throws EntryNotFoundError, InvalidInputError; nothing was changed then
 */
export function expandPattern(
  context: CorrectionContext,
  id: string,
  options: ExpandOptions,
): Promise<readonly MemoryEntry[]> {
  return context.exclusive(async () => {
    const editor = new EntryEditor(context);
    const pattern = await editor.row(id);
    checkPattern(pattern);
    const reason = reasonOf(context, options);
    const parts: EntryRow[] = [];
    for (const part of await editor.rows(pattern.entry.derivedFrom)) {
      if (!isPartOf(part, id) || (await activeTwin(context.store, context.scope, part, [id])) !== null) continue;
      parts.push(
        maintainedRow(part, { status: "active" }, { op: "expanded", reason, related: [id] }, editor.now, "user"),
      );
    }
    // First the parts: a process that dies between the two leaves more than there should be, never less.
    await editor.put(parts);
    await remains(context, pattern, reason, editor.now);
    return parts.map(({ entry }) => entry);
  });
}
