import type { DialogueTurn } from "../../records/index.js";
import { chunkId, type HeldRow, type InspectedRows, type ScopedTurn, turnKey } from "../../store/index.js";
import { contentHash } from "../accept.js";
import { type RowRule, type ScopedRow, scoped, suspect, suspectsAmong, type VerifyContext } from "./rule.js";
import { byScope, whereNothingIsForgotten, whereNothingIsImported } from "./under-way.js";

type TurnRow = ScopedRow<DialogueTurn>;

function placeOf({ scope, value }: TurnRow): ScopedTurn {
  return { scope, sessionId: value.sessionId, dialogueId: value.dialogueId };
}

/** Those of the turns whose keys are not in a set. */
function outside(rows: readonly TurnRow[], keys: ReadonlySet<string>): readonly TurnRow[] {
  return rows.filter(({ key }) => !keys.has(key));
}

const content: RowRule<DialogueTurn> = {
  name: "turn_content",
  severity: "fault",
  meaning: "The content of a turn is the one that was accepted: it has the hash that was taken then.",
  remedy: "Restore the folder from a backup, or forget the turn and add it again.",
  suspects: (rows) =>
    suspectsAmong(rows, (turn) => (contentHash(turn) === turn.contentHash ? null : "its content has another hash")),
};

/** Turns that prove an entry need no window: what other programs remembered comes with its own proof. */
async function proving(rows: readonly TurnRow[], { store }: VerifyContext): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const [scope, own] of byScope(rows)) {
    const ids = own.map(({ value }) => value.dialogueId);
    const named = new Set((await store.entries.bySources(scope, ids)).flatMap(({ sourceIds }) => sourceIds));
    for (const { key, value } of own) if (named.has(value.dialogueId)) keys.add(key);
  }
  return keys;
}

const fellBetween: RowRule<DialogueTurn> = {
  name: "turn_fell_between",
  severity: "fault",
  meaning: "Every turn of the log waits in the inbox, is in a window, or proves an entry.",
  remedy: 'It will never be extracted: export the scope, and import it elsewhere with { entries: "anew" }.',
  suspects: async (rows, context) => {
    const { inspection } = context.store;
    const turns = scoped(rows);
    // In this order: a turn leaves the inbox when its window is in the ledger.
    const unasked = outside(turns, await inspection.waiting(turns.map(placeOf), "extract"));
    const bare = outside(unasked, await inspection.windowed(unasked.map(placeOf)));
    const unproving = outside(bare, await proving(bare, context));
    const left = await whereNothingIsImported(await whereNothingIsForgotten(unproving, context), context);
    return left.map((row) => suspect(row, "it is in the log alone"));
  },
};

function firstPiece({ scope, value }: TurnRow): string {
  return chunkId(scope, value.sessionId, value.dialogueId, 0);
}

const withoutPieces: RowRule<DialogueTurn> = {
  name: "turn_without_pieces",
  severity: "fault",
  meaning: "Every turn of the log is searchable as it was said, or waits to be.",
  remedy: "Its words are found by no search: export the scope and import it elsewhere.",
  suspects: async (rows, context) => {
    if (context.notes.memoryVectors === null) return [];
    const { inspection } = context.store;
    const turns = scoped(rows);
    const pieces = await inspection.existing("chunks", turns.map(firstPiece));
    const bare = turns.filter((row) => !pieces.has(firstPiece(row)));
    const left = outside(bare, await inspection.waiting(bare.map(placeOf), "index"));
    return (await whereNothingIsForgotten(left, context)).map((row) => suspect(row, "no piece of it is indexed"));
  },
};

const BACK = {
  severity: "fault",
  meaning: "What was forgotten stays away.",
  remedy: "Forget it again, with { purge: true }.",
} as const;

const turnIsBack: RowRule<DialogueTurn> = {
  ...BACK,
  name: "forgotten_turn_is_back",
  suspects: async (rows, context) => {
    const turns = scoped(rows);
    const buried = await context.store.inspection.buriedTurns(turns.map(placeOf));
    const back = turns.filter(({ value, scope }) => buried.has(turnKey(scope, value.sessionId, value.dialogueId)));
    return (await whereNothingIsForgotten(back, context)).map((row) => suspect(row, "it was forgotten"));
  },
};

type InboxRow = InspectedRows["inbox"];

function waitingTurns(rows: readonly HeldRow<InboxRow>[]): readonly TurnRow[] {
  return scoped(rows).map((row) => ({ ...row, value: row.value.turn }));
}

const waitingIsBack: RowRule<InboxRow> = {
  ...BACK,
  name: "forgotten_turn_waits",
  suspects: (rows, context) => turnIsBack.suspects(waitingTurns(rows), context),
};

const waitingContent: RowRule<InboxRow> = {
  ...content,
  name: "waiting_turn_content",
  suspects: (rows, context) => content.suspects(waitingTurns(rows), context),
};

export const TURN_RULES: readonly RowRule<DialogueTurn>[] = [content, fellBetween, withoutPieces, turnIsBack];

export const INBOX_RULES: readonly RowRule<InboxRow>[] = [waitingContent, waitingIsBack];
