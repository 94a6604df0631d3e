import { LEDGER_RULES } from "./ledger-rules.js";
import { CLAIM_RULES, ENTRY_COLUMN_RULES, FACT_RULES, PIECE_RULES } from "./record-rules.js";
import type { RowRules, RuleText } from "./rule.js";
import { SOURCE_RULES } from "./source-rules.js";
import { STORE_RULES } from "./store-rules.js";
import { SUCCESSION_RULES } from "./succession-rules.js";
import { INBOX_RULES, TURN_RULES } from "./turn-rules.js";
import { ENTRY_VECTOR_RULES, ITEM_VECTOR_RULES, PIECE_VECTOR_RULES } from "./vector-rules.js";

/** What must hold of the rows of each table. */
export const ROW_RULES: RowRules = Object.freeze({
  meta: [],
  turns: TURN_RULES,
  inbox: INBOX_RULES,
  ledger: LEDGER_RULES,
  entries: [...ENTRY_COLUMN_RULES, ...SOURCE_RULES, ...SUCCESSION_RULES, ...ENTRY_VECTOR_RULES],
  chunks: [...PIECE_RULES, ...PIECE_VECTOR_RULES],
  facts: FACT_RULES,
  tombstones: [],
  claims: CLAIM_RULES,
  items: [],
  item_vectors: ITEM_VECTOR_RULES,
});

/** A row that this library never writes. */
export const DAMAGED: RuleText = {
  name: "row_damaged",
  severity: "fault",
  meaning: "Every row holds what this library writes.",
  remedy: "Restore the folder from a backup.",
};

/** A row that lies under the key of other ids, or of another scope. */
export const MISPLACED: RuleText = {
  name: "row_misplaced",
  severity: "fault",
  meaning: "Every row lies under the key of its own scope and ids, so that no scope sees another's.",
  remedy: "It may be another user's: look whose it is, then forget it there, or restore the folder from a backup.",
};

/** Several rows of one key. In the inbox a turn may wait twice, since an `add` may have been repeated. */
export const TWICE: RuleText = {
  name: "row_twice",
  severity: "fault",
  meaning: "No two rows of a table have one key.",
  remedy: "Export the scope and import it elsewhere: an import takes each once.",
};

/** A rule that could not be judged. */
export const UNJUDGED: RuleText = {
  name: "not_judged",
  severity: "fault",
  meaning: "What the rules look up can be read.",
  remedy: "Restore the folder from a backup, then verify again.",
};

/** Every rule, for the docs and their test. */
export const ALL_RULES: readonly RuleText[] = [
  ...STORE_RULES,
  DAMAGED,
  MISPLACED,
  TWICE,
  UNJUDGED,
  ...Object.values(ROW_RULES).flat(),
];
