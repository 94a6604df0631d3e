import type { Fact } from "../../records/index.js";
import {
  type ChunkRow,
  factId,
  type InspectedEntry,
  type InspectedRows,
  scopedIdKey,
  turnKey,
} from "../../store/index.js";
import { leaseFault } from "./ledger-rules.js";
import { type RowRule, scoped, suspect, suspectsAmong } from "./rule.js";
import { whereNothingIsForgotten } from "./under-way.js";

const columns: RowRule<InspectedEntry> = {
  name: "entry_columns",
  severity: "fault",
  meaning: "The columns by which an entry is found say what its record says.",
  remedy: "Reads find it wrongly: any update of the entry writes them anew.",
  suspects: (rows) =>
    suspectsAmong(rows, ({ differing }) => (differing.length === 0 ? null : `these differ: ${differing.join(", ")}`)),
};

const piece: RowRule<ChunkRow> = {
  name: "piece_without_turn",
  severity: "fault",
  meaning: "Every piece that is searched is part of a turn of the log.",
  remedy: "Forget the turn by its id, with { purge: true }: that removes its pieces.",
  suspects: async (rows, context) => {
    const pieces = scoped(rows).map((row) => {
      const { sessionId, dialogueId } = row.value;
      return { ...row, turn: turnKey(row.scope, sessionId, dialogueId) };
    });
    const { held } = await context.store.inspection.byKeys(
      "turns",
      pieces.map(({ turn }) => turn),
    );
    const said = new Map(held.map(({ key, value }) => [key, value.content]));
    const left = await whereNothingIsForgotten(
      pieces.filter(({ turn, value }) => said.get(turn)?.includes(value.text) !== true),
      context,
    );
    return left.map((row) =>
      suspect(
        row,
        said.has(turnKey(row.scope, row.value.sessionId, row.value.dialogueId))
          ? "its turn says something else"
          : "its turn is not in the log",
      ),
    );
  },
};

function isTime(value: unknown): value is string {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

/** What is wrong with the former values of a fact; null when nothing is. */
function historyFault({ history }: Fact): string | null {
  if (!Array.isArray(history)) return "its history is no list";
  const isLegal = history.every((one) => typeof one?.value === "string" && isTime(one?.until));
  return isLegal ? null : "a former value has no text or no time";
}

function isInOrder({ history, createdAt }: Fact): boolean {
  const times = [createdAt, ...history.map(({ until }) => until)];
  return times.every((time, index) => (times[index - 1] ?? time) <= time);
}

const factHistory: RowRule<Fact> = {
  name: "fact_history",
  severity: "fault",
  meaning: "The former values of a fact are texts with the times until which they stood.",
  remedy: "asOf answers wrongly for it: facts.forget(key), then facts.remember(key, value).",
  suspects: (rows) => suspectsAmong(rows, historyFault),
};

const factTimes: RowRule<Fact> = {
  name: "fact_times",
  severity: "warning",
  meaning: "The former values of a fact stood one after the other.",
  remedy: "A clock went back between two of them: asOf may answer wrongly for these times.",
  suspects: (rows) =>
    suspectsAmong(rows, (fact) =>
      historyFault(fact) === null && !isInOrder(fact) ? "its former values are not in the order of their times" : null,
    ),
};

const factIsBack: RowRule<Fact> = {
  name: "forgotten_fact_is_back",
  severity: "fault",
  meaning: "What was forgotten stays away.",
  remedy: "Forget it again, with { purge: true }.",
  suspects: async (rows, context) => {
    const facts = scoped(rows).map((row) => ({ ...row, id: factId(row.value) }));
    const buried = await context.store.inspection.buriedMade("fact", facts);
    const back = facts.filter((row) => buried.has(scopedIdKey(row)));
    return (await whereNothingIsForgotten(back, context)).map((row) => suspect(row, "it was forgotten"));
  },
};

const claim: RowRule<InspectedRows["claims"]> = {
  name: "claim_left",
  severity: "warning",
  meaning: "Who holds a scope or the upkeep of the store works on it.",
  remedy: "Nothing is lost: whoever needs it next takes it over when the lease has ended.",
  suspects: (rows, context) => suspectsAmong(rows, (value) => leaseFault(value, context)),
};

export const ENTRY_COLUMN_RULES: readonly RowRule<InspectedEntry>[] = [columns];
export const PIECE_RULES: readonly RowRule<ChunkRow>[] = [piece];
export const FACT_RULES: readonly RowRule<Fact>[] = [factHistory, factTimes, factIsBack];
export const CLAIM_RULES: readonly RowRule<InspectedRows["claims"]>[] = [claim];
