import type { VerifyFinding } from "../../records/index.js";
import type { ExactScope, InspectedTable } from "../../store/index.js";
import { scopeKey } from "../../store/index.js";
import { scopeOf } from "../forgetting/receipt.js";
import type { RuleText, Suspect } from "./rule.js";

/** Rows of which a finding names the ids; of more it tells how many. */
const KEPT_ROWS = 100;
/** Findings of a report. */
const KEPT_FINDINGS = 1_000;

/** What one rule found in one scope. */
export interface Group {
  readonly rule: RuleText;
  readonly table: InspectedTable;
  readonly scope: ExactScope | null;
  readonly rows: Map<string, Suspect>;
  /** Rows beyond those that are kept. */
  more: number;
}

function nameOf(rule: RuleText, table: InspectedTable, { scope }: Suspect): string {
  return `${rule.name} ${table} ${scope === null ? "" : scopeKey(scope)}`;
}

/** What was found, bounded however much is broken: of each rule and scope a hundred rows, and a thousand of these. */
export class Findings {
  readonly #groups = new Map<string, Group>();
  #omitted = new Set<string>();

  add(rule: RuleText, table: InspectedTable, suspects: readonly Suspect[]): void {
    for (const suspect of suspects) {
      const name = nameOf(rule, table, suspect);
      const group = this.#groups.get(name) ?? this.#opened(name, rule, table, suspect);
      if (group === undefined) continue;
      if (group.rows.size < KEPT_ROWS || group.rows.has(suspect.key)) group.rows.set(suspect.key, suspect);
      else group.more += 1;
    }
  }

  get groups(): readonly Group[] {
    return [...this.#groups.values()];
  }

  /** Leaves of a group what was found again. */
  keep({ rule, table, scope, rows, more }: Group, again: readonly Suspect[]): void {
    const name = `${rule.name} ${table} ${scope === null ? "" : scopeKey(scope)}`;
    const kept = new Map(again.filter(({ key }) => rows.has(key)).map((one) => [one.key, one]));
    if (kept.size === 0) this.#groups.delete(name);
    else this.#groups.set(name, { rule, table, scope, rows: kept, more });
  }

  /** The faults first. */
  report(): { readonly findings: readonly VerifyFinding[]; readonly omitted: number } {
    const found = this.groups.map(findingOf);
    const faults = found.filter(({ severity }) => severity === "fault");
    const warnings = found.filter(({ severity }) => severity === "warning");
    return { findings: [...faults, ...warnings], omitted: this.#omitted.size };
  }

  #opened(name: string, rule: RuleText, table: InspectedTable, { scope }: Suspect): Group | undefined {
    if (this.#groups.size >= KEPT_FINDINGS) {
      if (this.#omitted.size < KEPT_FINDINGS) this.#omitted.add(name);
      return undefined;
    }
    const group = { rule, table, scope, rows: new Map<string, Suspect>(), more: 0 };
    this.#groups.set(name, group);
    return group;
  }
}

function findingOf({ rule, table, scope, rows, more }: Group): VerifyFinding {
  const [first] = rows.values();
  return {
    rule: rule.name,
    severity: rule.severity,
    table,
    scope: scope === null ? null : scopeOf(scope),
    ids: [...new Set([...rows.values()].flatMap(({ ids }) => ids))],
    count: rows.size + more,
    message: `${first?.detail ?? ""}. ${rule.meaning} ${rule.remedy}`.replace(/^\w/, (letter) => letter.toUpperCase()),
  };
}
