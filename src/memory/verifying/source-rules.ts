import { type InspectedEntry, type ScopedTurn, scopedIdKey, turnKey } from "../../store/index.js";
import { type RowRule, type ScopedRow, scoped, suspect } from "./rule.js";
import { byScope, whereNothingIsForgotten } from "./under-way.js";

type Row = ScopedRow<InspectedEntry>;

/** The sources of an entry as turns of its own session. */
function ownSources({ scope, value: { entry } }: Row): readonly (ScopedTurn & { readonly key: string })[] {
  return entry.sourceIds.map((dialogueId) => {
    const key = turnKey(scope, entry.sessionId, dialogueId);
    return { scope, sessionId: entry.sessionId, dialogueId, key };
  });
}

const withoutSource: RowRule<InspectedEntry> = {
  name: "entry_without_source",
  severity: "fault",
  meaning: "Every entry stands on turns of the log of its own scope.",
  remedy: "Nothing proves it: forget it, or restore the folder from a backup.",
  suspects: async (rows, context) => {
    const { store } = context;
    const entries = scoped(rows);
    const named = entries.flatMap(ownSources);
    const there = await store.inspection.existing(
      "turns",
      named.map(({ key }) => key),
    );
    const buried = await store.inspection.buriedTurns(named.filter(({ key }) => !there.has(key)));
    const open = (row: Row) => ownSources(row).filter(({ key }) => !there.has(key) && !buried.has(key));
    const missing = new Map<Row, string>();
    for (const [scope, own] of byScope(entries.filter((row) => open(row).length > 0))) {
      // What was said again is proved by a turn of another session.
      const ids = [...new Set(own.flatMap((row) => open(row).map(({ dialogueId }) => dialogueId)))];
      const elsewhere = new Set((await store.turns.byIds(scope, ids)).map(({ dialogueId }) => dialogueId));
      for (const row of own) {
        const lost = open(row).filter(({ dialogueId }) => !elsewhere.has(dialogueId));
        if (lost.length > 0) missing.set(row, `${lost.length} of its sources are not in the log`);
      }
    }
    for (const row of entries) if (row.value.entry.sourceIds.length === 0) missing.set(row, "it names no source");
    const left = await whereNothingIsForgotten([...missing.keys()], context);
    return left.map((row) => suspect(row, missing.get(row) ?? ""));
  },
};

const onForgotten: RowRule<InspectedEntry> = {
  name: "entry_on_forgotten_turn",
  severity: "fault",
  meaning: "No entry stands on a turn that was forgotten.",
  remedy: "Forget the entry, with { purge: true }.",
  suspects: async (rows, context) => {
    const { inspection } = context.store;
    const entries = scoped(rows);
    const buried = await inspection.buriedTurns(entries.flatMap(ownSources));
    const stands = entries.filter((row) => ownSources(row).some(({ key }) => buried.has(key)));
    return (await whereNothingIsForgotten(stands, context)).map((row) => suspect(row, "a source of it was forgotten"));
  },
};

const isBack: RowRule<InspectedEntry> = {
  name: "forgotten_entry_is_back",
  severity: "fault",
  meaning: "What was forgotten stays away.",
  remedy: "Forget it again, with { purge: true }.",
  suspects: async (rows, context) => {
    const entries = scoped(rows).map((row) => ({ ...row, id: row.value.entry.entryId }));
    const buried = await context.store.inspection.buriedMade("entry", entries);
    const back = entries.filter((row) => buried.has(scopedIdKey(row)));
    return (await whereNothingIsForgotten(back, context)).map((row) => suspect(row, "it was forgotten"));
  },
};

export const SOURCE_RULES: readonly RowRule<InspectedEntry>[] = [withoutSource, onForgotten, isBack];
