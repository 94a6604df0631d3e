import type { InspectedTable, TableState } from "../../store/index.js";
import type { RuleText, Suspect, VerifyContext } from "./rule.js";
import { plansUnderWay } from "./under-way.js";

/** Of which table something is said; "meta" for what is noted of the store as a whole. */
export interface StoreSuspect extends Suspect {
  readonly table: InspectedTable;
}

/** A rule over the store as a whole. */
export interface StoreRule extends RuleText {
  readonly suspects: (
    tables: readonly TableState[],
    context: VerifyContext,
  ) => Promise<readonly StoreSuspect[]> | readonly StoreSuspect[];
}

/** Made with the first vector, and maybe not all of them when a process was killed just then. */
const WITH_VECTORS: ReadonlySet<InspectedTable> = new Set(["entries", "chunks", "item_vectors"]);

function about(table: InspectedTable, detail: string, key: string = table): StoreSuspect {
  return { table, key, scope: null, ids: [], detail };
}

const unreadable: StoreRule = {
  name: "table_unreadable",
  severity: "fault",
  meaning: "Every table can be read from its first row to its last.",
  remedy: "A file is damaged or gone: restore the folder from a backup. What other tables hold can be exported.",
  suspects: (tables) => tables.flatMap(({ table, error }) => (error === null ? [] : [about(table, error)])),
};

const missing: StoreRule = {
  name: "table_missing",
  severity: "fault",
  meaning: "Every table that a store is made with is there.",
  remedy: "It was removed by somebody else: restore the folder from a backup.",
  suspects: (tables, { notes }) => {
    const isMade = notes.schemaVersion !== null;
    return tables.flatMap(({ table, exists }) =>
      isMade && !exists && !WITH_VECTORS.has(table) ? [about(table, "it is not there")] : [],
    );
  },
};

const version: StoreRule = {
  name: "schema_version",
  severity: "fault",
  meaning: "The version of the store's schema is noted.",
  remedy: "Restore the folder from a backup.",
  suspects: (tables, { notes }) => {
    if (notes.schemaVersion === notes.knownVersion) return [];
    const isEmpty = tables.every(({ exists }) => !exists);
    return isEmpty ? [] : [about("meta", `version ${notes.schemaVersion} is noted, ${notes.knownVersion} is known`)];
  },
};

function spaceOf(table: InspectedTable, { notes }: VerifyContext) {
  return table === "item_vectors" ? notes.itemVectors : notes.memoryVectors;
}

const space: StoreRule = {
  name: "vector_space",
  severity: "fault",
  meaning: "Vectors have the length that is noted for them.",
  remedy: "Restore the folder from a backup.",
  suspects: (tables, context) =>
    tables.flatMap(({ table, dimension }) => {
      if (dimension === null) return [];
      const noted = spaceOf(table, context)?.dimension ?? null;
      return noted === dimension ? [] : [about(table, `its vectors have ${dimension} numbers, ${noted} are noted`)];
    }),
};

const strays: StoreRule = {
  name: "stray_table",
  severity: "warning",
  meaning: "No table is left that nobody reads.",
  remedy: "A reembed was broken off: call reembed() again, or forget something with { purge: true }.",
  suspects: (_tables, { notes }) =>
    notes.isMoving ? [] : notes.strays.map((name) => about("meta", `nobody reads the table ${name}`, name)),
};

const unfinished: StoreRule = {
  name: "forget_unfinished",
  severity: "warning",
  meaning: "What was begun to be forgotten is gone.",
  remedy: "Open the store once without readOnly: that ends it.",
  suspects: async (_tables, context) => {
    const left = (await plansUnderWay(context)).filter(({ owner }) => context.isDead(owner));
    return left.map(({ id, scope }) => ({ ...about("meta", "a process died while it forgot", id), scope }));
  },
};

export const STORE_RULES: readonly StoreRule[] = [unreadable, missing, version, space, strays, unfinished];
