import { endedAt } from "../graph/index.js";
import {
  type EntryPatch,
  InvalidInputError,
  type MemoryEntry,
  type Page,
  type ReasonOptions,
  type Review,
  type ReviewItem,
  type ReviewListOptions,
  type ReviewRule,
  reviewReasons,
  type UpdateOptions,
} from "../records/index.js";
import type { EntryRow, ReadFilter } from "../store/index.js";
import { checkId, editSchema, reasonSchema, reviewListSchema, updateSchema } from "./correction-schemas.js";
import { type CorrectionContext, checkVersionOf, correctAlone, reasonOf, retire } from "./corrections.js";
import type { EntryEditor } from "./entry-editor.js";
import { patchOf } from "./entry-patch.js";
import { check } from "./options.js";

/** What `reviewReasons` asks of an entry, as a filter. */
function waitingFor({ belowConfidence, untrusted }: ReviewRule): ReadFilter {
  const seen = ["active", "doubtful"] as const;
  return {
    anyOf: [
      { status: ["pending_review", "conflicted"] },
      { status: seen, belowConfidence },
      { status: seen, trust: untrusted },
    ],
  };
}

function partnerIds({ changes }: EntryRow): readonly string[] {
  return [...new Set(changes.filter(({ op }) => op === "conflicted").flatMap(({ related }) => related))];
}

/** The entries that contradict this one still. */
async function partnersOf(editor: EntryEditor, row: EntryRow): Promise<readonly EntryRow[]> {
  if (row.entry.status !== "conflicted") return [];
  return (await editor.rows(partnerIds(row))).filter(({ entry }) => entry.status === "conflicted");
}

/** What an approved entry replaces: what it was held back from, and what contradicted it. */
async function replacedBy(editor: EntryEditor, row: EntryRow): Promise<readonly EntryRow[]> {
  const partners = await partnersOf(editor, row);
  if (row.entry.status !== "pending_review") return partners;
  const replaced = await editor.rows(row.entry.supersedes);
  return [...partners, ...replaced.filter(({ entry }) => entry.supersededBy === null && entry.status !== "archived")];
}

/** The queue of one handle. */
export class ScopedReview implements Review {
  constructor(
    private readonly context: CorrectionContext,
    private readonly rule: ReviewRule,
  ) {}

  async list(options: ReviewListOptions = {}): Promise<Page<ReviewItem>> {
    const { store, reads, ensureOpen } = this.context;
    ensureOpen();
    const { limit, cursor } = check(reviewListSchema, options, "the options of review.list");
    const page = await store.entries.list(reads, {
      filter: waitingFor(this.rule),
      ...(limit === undefined ? {} : { limit }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    return { ...page, items: page.items.map((entry) => ({ entry, reasons: reviewReasons(entry, this.rule) })) };
  }

  async approve(id: string, options: ReasonOptions = {}): Promise<MemoryEntry> {
    this.context.ensureWritable();
    check(reasonSchema, options, "the options of review.approve");
    return this.#decide(id, (editor, row) => this.#approve(editor, row, {}, reasonOf(this.context, options)));
  }

  async edit(id: string, patch: Omit<EntryPatch, "status">, options: UpdateOptions = {}): Promise<MemoryEntry> {
    this.context.ensureWritable();
    check(editSchema, patch, "the patch of review.edit");
    check(updateSchema, options, "the options of review.edit");
    return this.#decide(id, (editor, row) => {
      checkVersionOf(row, options);
      const change = patchOf(row.entry, patch, this.context.timeZone, this.context.redact);
      return this.#approve(editor, row, change, reasonOf(this.context, options));
    });
  }

  async reject(id: string, options: ReasonOptions = {}): Promise<MemoryEntry> {
    this.context.ensureWritable();
    check(reasonSchema, options, "the options of review.reject");
    return this.#decide(id, async (editor, row) => {
      const isHeld = row.entry.status === "pending_review";
      const rejected = await editor.changed(
        row,
        { status: "archived", validTo: endedAt(row.entry, editor.now), ...(isHeld ? { supersedes: [] } : {}) },
        { op: "rejected", reason: reasonOf(this.context, options) },
      );
      return [rejected, ...(await this.#freed(editor, row))];
    });
  }

  async #approve(
    editor: EntryEditor,
    row: EntryRow,
    change: Partial<MemoryEntry>,
    reason: string | null,
  ): Promise<readonly EntryRow[]> {
    const replaced = await replacedBy(editor, row);
    const ids = replaced.map(({ entry }) => entry.entryId);
    const approved = await editor.changed(
      row,
      {
        confidence: 1,
        trust: "user",
        ...change,
        status: "active",
        supersedes: [...new Set([...row.entry.supersedes, ...ids])],
      },
      { op: "approved", reason, related: ids },
    );
    const retired: EntryRow[] = [];
    for (const one of replaced) retired.push(await retire(editor, one, row.entry.entryId, "another was approved"));
    return [approved, ...retired];
  }

  /** What contradicted a rejected entry and nothing else that stands. */
  async #freed(editor: EntryEditor, row: EntryRow): Promise<readonly EntryRow[]> {
    const { entryId } = row.entry;
    const freed: EntryRow[] = [];
    for (const partner of await partnersOf(editor, row)) {
      const others = (await partnersOf(editor, partner)).filter(({ entry }) => entry.entryId !== entryId);
      if (others.length > 0) continue;
      const reason = "what contradicted it was rejected";
      freed.push(await editor.changed(partner, { status: "active" }, { op: "approved", reason, related: [entryId] }));
    }
    return freed;
  }

  async #decide(
    id: string,
    decide: (editor: EntryEditor, row: EntryRow) => Promise<readonly EntryRow[]>,
  ): Promise<MemoryEntry> {
    checkId(id);
    return correctAlone(this.context, id, (editor, row) => {
      if (reviewReasons(row.entry, this.rule).length === 0) {
        throw new InvalidInputError(`the entry ${id} does not wait for a review; review.list() gives those that do.`);
      }
      return decide(editor, row);
    });
  }
}
