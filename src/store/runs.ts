import type { MaintenanceReport } from "../records/index.js";
import { equals } from "./filter.js";
import { hashOf, scopedKey } from "./keys.js";
import type { ExactScope, MaintenanceRuns } from "./store.js";
import type { StoreTable } from "./table.js";

/** Reports that are kept of one scope. */
const KEPT_REPORTS = 20;

/** Ids of users become no name. */
function nameOf(scope: ExactScope | null): string {
  return `maintenance:${scope === null ? hashOf("store") : scopedKey(scope)}`;
}

function parsed(value: string): readonly MaintenanceReport[] {
  const reports: readonly MaintenanceReport[] = JSON.parse(value);
  return reports;
}

/** Reports as named values of the store, beside its version. They hold no scope: who asks knows it. */
export class LanceRuns implements MaintenanceRuns {
  constructor(private readonly meta: StoreTable) {}

  async list(scope: ExactScope | null): Promise<readonly MaintenanceReport[]> {
    const [row] = await this.meta.read(equals("name", nameOf(scope)), { limit: 1 });
    return row === undefined ? [] : parsed(row.text("value"));
  }

  async add(scope: ExactScope | null, report: MaintenanceReport): Promise<void> {
    const reports = [{ ...report, scope: null }, ...(await this.list(scope))].slice(0, KEPT_REPORTS);
    await this.meta.upsert([{ name: nameOf(scope), value: JSON.stringify(reports) }]);
  }

  async removeAll(scope: ExactScope): Promise<void> {
    await this.meta.remove(equals("name", nameOf(scope)));
  }
}
