import { setTimeout as pause } from "node:timers/promises";
import type { VerifyOptions, VerifyReport } from "../../records/index.js";
import type {
  HeldRow,
  InspectedPage,
  InspectedRows,
  InspectedTable,
  StoreNotes,
  TableState,
} from "../../store/index.js";
import type { Engine } from "../engine.js";
import { Findings, type Group } from "./findings.js";
import type { RowRule, RuleText, Suspect, VerifyContext } from "./rule.js";
import { DAMAGED, MISPLACED, ROW_RULES, TWICE, UNJUDGED } from "./rules.js";
import { STORE_RULES } from "./store-rules.js";

/** After these what was found is looked at again: somebody may have been between two of his writes. */
const PAUSES_MS = [100, 400];
const SHOWN_ERROR = 300;

const NOTHING_NOTED: StoreNotes = Object.freeze({
  schemaVersion: null,
  knownVersion: 0,
  memoryVectors: null,
  itemVectors: null,
  strays: [],
  isMoving: false,
});

function lineOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return (text.split("\n")[0] ?? "").slice(0, SHOWN_ERROR);
}

function about(key: string, detail: string): Suspect {
  return { key, scope: null, ids: [], detail };
}

/** Reads the whole store once, and what seems wrong again. It writes nothing. */
export class Verification {
  readonly #engine: Engine;
  readonly #options: VerifyOptions;
  readonly #findings = new Findings();
  readonly #checked: { [table: string]: number } = {};
  #context: VerifyContext;
  #done = 0;
  #total = 0;

  constructor(engine: Engine, options: VerifyOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#context = this.#contextWith(NOTHING_NOTED);
  }

  async run(): Promise<VerifyReport> {
    const tables = await this.#checkStore(this.#findings);
    this.#total = tables.reduce((sum, { rows }) => sum + rows, 0);
    for (const { table, exists, error } of tables) {
      this.#checked[table] = 0;
      if (exists && error === null) await this.#readable(table, () => this.#checkTable(table));
    }
    for (const milliseconds of this.#findings.groups.length === 0 ? [] : PAUSES_MS) {
      await pause(milliseconds, undefined, this.#flow());
      await this.#confirm();
    }
    const { findings, omitted } = this.#findings.report();
    const { schemaVersion } = this.#context.notes;
    const ok = findings.every(({ severity }) => severity !== "fault");
    return { ok, schemaVersion, checked: this.#checked, findings, omitted };
  }

  #flow(): { signal?: AbortSignal } {
    return this.#options.signal === undefined ? {} : { signal: this.#options.signal };
  }

  #contextWith(notes: StoreNotes): VerifyContext {
    const { store, owner, options } = this.#engine;
    return { store, notes, now: options.clock(), isDead: owner.isDead, review: options.review };
  }

  /** The store as a whole; what is noted of it is read anew each time. */
  async #checkStore(findings: Findings): Promise<readonly TableState[]> {
    const { inspection } = this.#engine.store;
    const states = await inspection.tables();
    const noted = await inspection.notes().catch((error: unknown) => lineOf(error));
    const isRead = typeof noted !== "string";
    this.#context = this.#contextWith(isRead ? noted : NOTHING_NOTED);
    const isNews = ({ table, error }: TableState): boolean => table === "meta" && error === null;
    const tables = isRead ? states : states.map((state) => (isNews(state) ? { ...state, error: noted } : state));
    for (const rule of STORE_RULES) {
      const suspects = await this.#judged(rule, "meta", findings, async () => rule.suspects(tables, this.#context));
      for (const suspect of suspects) findings.add(rule, suspect.table, [suspect]);
    }
    return tables;
  }

  /** A table that cannot be read to its end is a finding; the others are read all the same. */
  async #readable(table: InspectedTable, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      const [rule] = STORE_RULES;
      if (rule !== undefined) this.#findings.add(rule, table, [about(table, lineOf(error))]);
    }
  }

  async #checkTable<K extends InspectedTable>(table: K): Promise<void> {
    const { inspection } = this.#engine.store;
    let rows = 0;
    await inspection.scan(table, async (page) => {
      this.#options.signal?.throwIfAborted();
      await this.#checkPage(table, page);
      const read = page.held.length + page.damaged.length;
      rows += read;
      this.#done += read;
      this.#checked[table] = rows;
      this.#options.onProgress?.({ table, done: Math.min(this.#done, this.#total), total: this.#total });
    });
    if (table !== "inbox") this.#findings.add(TWICE, table, (await inspection.twice(table)).map(twice));
  }

  async #checkPage<K extends InspectedTable>(table: K, page: InspectedPage<InspectedRows[K]>): Promise<void> {
    this.#findings.add(DAMAGED, table, damagedIn(page));
    this.#findings.add(MISPLACED, table, misplaced(page.held));
    for (const rule of ROW_RULES[table]) {
      const suspects = await this.#suspects(rule, table, page.held);
      if (suspects.length === 0) continue;
      // At once: who was between two writes is past them most often, and takes no place among what is kept.
      this.#findings.add(
        rule,
        table,
        await this.#again(
          rule,
          table,
          suspects.map(({ key }) => key),
        ),
      );
    }
  }

  #suspects<T>(rule: RowRule<T>, table: InspectedTable, rows: readonly HeldRow<T>[]): Promise<readonly Suspect[]> {
    return this.#judged(rule, table, this.#findings, async () => rule.suspects(rows, this.#context));
  }

  /** What looks up in a damaged table cannot be judged, and says so. */
  async #judged<S extends Suspect>(
    rule: RuleText,
    table: InspectedTable,
    findings: Findings,
    judge: () => Promise<readonly S[]>,
  ): Promise<readonly S[]> {
    try {
      return await judge();
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      findings.add(UNJUDGED, table, [about(rule.name, `${rule.name} could not be judged: ${lineOf(error)}`)]);
      return [];
    }
  }

  async #again<K extends InspectedTable>(
    rule: RowRule<InspectedRows[K]>,
    table: K,
    keys: readonly string[],
  ): Promise<readonly Suspect[]> {
    const { held } = await this.#engine.store.inspection.byKeys(table, keys);
    return this.#suspects(rule, table, held);
  }

  async #confirm(): Promise<void> {
    this.#options.signal?.throwIfAborted();
    const wholes = new Findings();
    await this.#checkStore(wholes);
    for (const group of this.#findings.groups) {
      const again = await this.#found(group, wholes).catch(() => [...group.rows.values()]);
      this.#findings.keep(group, again);
    }
  }

  /** What a group finds now. What cannot be read a second time stays found. */
  async #found(group: Group, wholes: Findings): Promise<readonly Suspect[]> {
    const { inspection } = this.#engine.store;
    const { rule, table } = group;
    const keys = [...group.rows.keys()];
    if (rule === UNJUDGED) return [...group.rows.values()];
    if (STORE_RULES.some((one) => one === rule)) return this.#stillWhole(group, wholes);
    if (rule === TWICE)
      return [...(await inspection.counts(table, keys))].filter(([, count]) => count > 1).map(([key]) => twice(key));
    const page = await inspection.byKeys(table, keys);
    if (rule === DAMAGED) return damagedIn(page);
    if (rule === MISPLACED) return misplaced(page.held);
    return this.#ruled(table, rule, keys);
  }

  #ruled<K extends InspectedTable>(table: K, rule: RuleText, keys: readonly string[]): Promise<readonly Suspect[]> {
    const known = ROW_RULES[table].find((one) => one === rule);
    return known === undefined ? Promise.resolve([]) : this.#again(known, table, keys);
  }

  /** Of a table whose end was not reached a second look at its state says nothing: it is read to its end again. */
  async #stillWhole({ rule, table, rows }: Group, wholes: Findings): Promise<readonly Suspect[]> {
    const found = wholes.groups.find((one) => one.rule === rule && one.table === table);
    if (found !== undefined || rule !== STORE_RULES[0]) return [...(found?.rows.values() ?? [])];
    const error = await this.#engine.store.inspection
      .scan(table, async () => {})
      .then(
        () => null,
        (reason: unknown) => lineOf(reason),
      );
    return error === null ? [] : [...rows.values()];
  }
}

function twice(key: string): Suspect {
  return { key, scope: null, ids: [key], detail: "several rows have one key" };
}

function damagedIn({ damaged }: InspectedPage<unknown>): readonly Suspect[] {
  return damaged.map(({ key, damage }) => ({
    key,
    scope: null,
    ids: [key],
    detail: `a row cannot be read: ${damage}`,
  }));
}

function misplaced(rows: readonly HeldRow<unknown>[]): readonly Suspect[] {
  return rows
    .filter(({ key, ownKey }) => key !== ownKey)
    .map(({ key, scope, ids }) => ({
      key,
      scope,
      ids,
      detail: "it lies under the key of another scope or of other ids",
    }));
}
