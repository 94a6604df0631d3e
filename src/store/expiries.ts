import { all, EVERY_ROW, isNotNull, notEndedBy, type Predicate } from "./filter.js";
import type { StoreTable } from "./table.js";
import { UntilWritten } from "./until-written.js";

/** Scopes whose expiries are kept until someone writes. */
const KEPT_SCOPES = 200;
const COLUMN = "expires_at";

/**
 * Leaves out what has expired. A predicate that held the clock's time would be another text with each read, and nothing that
 * is kept by its predicate would be used twice: this one names the last expiry that has passed, and none when none has.
 */
export class Expiries {
  readonly #table: StoreTable;
  readonly #times: UntilWritten<readonly number[]>;

  constructor(table: StoreTable) {
    this.#table = table;
    this.#times = new UntilWritten(table, KEPT_SCOPES);
  }

  /** Rows of the scope that had not expired at `now`, in ms. */
  async notEnded(scope: Predicate, now: number): Promise<Predicate> {
    const times = await this.#times.of(scope, () => this.#read(scope));
    const last = times.findLast((time) => time <= now);
    return last === undefined ? EVERY_ROW : notEndedBy(COLUMN, last);
  }

  async #read(scope: Predicate): Promise<readonly number[]> {
    const rows = await this.#table.read(all(scope, isNotNull(COLUMN)), { columns: [COLUMN] });
    return [...new Set(rows.map((row) => row.number(COLUMN)))].sort((left, right) => left - right);
  }
}
