import type { ReviewRule, VerifySeverity } from "../../records/index.js";
import type {
  ExactScope,
  HeldRow,
  InspectableStore,
  InspectedRows,
  InspectedTable,
  StoreNotes,
} from "../../store/index.js";

/** What rules look things up with. */
export interface VerifyContext {
  readonly store: InspectableStore;
  readonly notes: StoreNotes;
  /** Milliseconds since the epoch, by the engine's clock. */
  readonly now: number;
  readonly isDead: (owner: string) => boolean;
  readonly review: Omit<ReviewRule, "hold">;
}

/** A row that seems to break a rule. */
export interface Suspect {
  /** Names the row within its table. */
  readonly key: string;
  readonly scope: ExactScope | null;
  readonly ids: readonly string[];
  /** What is wrong with it, in a few words without any text that was said. */
  readonly detail: string;
}

/** What must hold, and what to do where it does not. */
export interface RuleText {
  /** Names the rule, for programs and the docs. */
  readonly name: string;
  readonly severity: VerifySeverity;
  /** What must hold. */
  readonly meaning: string;
  /** What to do when it does not. */
  readonly remedy: string;
}

/** A rule over the rows of one table. Asked once more about the same rows, it answers by what is there then. */
export interface RowRule<T> extends RuleText {
  readonly suspects: (
    rows: readonly HeldRow<T>[],
    context: VerifyContext,
  ) => Promise<readonly Suspect[]> | readonly Suspect[];
}

export type RowRules = { readonly [table in InspectedTable]: readonly RowRule<InspectedRows[table]>[] };

/** A row that belongs to somebody. */
export type ScopedRow<T> = HeldRow<T> & { readonly scope: ExactScope };

export function scoped<T>(rows: readonly HeldRow<T>[]): readonly ScopedRow<T>[] {
  return rows.flatMap((row) => (row.scope === null ? [] : [{ ...row, scope: row.scope }]));
}

export function suspect({ key, scope, ids }: HeldRow<unknown>, detail: string): Suspect {
  return { key, scope, ids, detail };
}

/** Those of the rows about which something can be said. */
export function suspectsAmong<T>(
  rows: readonly HeldRow<T>[],
  detailOf: (value: T, row: HeldRow<T>) => string | null,
): readonly Suspect[] {
  return rows.flatMap((row) => {
    const detail = detailOf(row.value, row);
    return detail === null ? [] : [suspect(row, detail)];
  });
}
