import { oneOf } from "./filter.js";
import { hashOf } from "./keys.js";
import type { Meta } from "./meta.js";
import type { ExactScope, MadeKind, Tombstones, TurnName } from "./store.js";
import type { StoreTable, TableDesign } from "./table.js";

/** No scope columns: after a purge not even the user's id may be left. */
export const TOMBSTONES: TableDesign = {
  name: "tombstones",
  key: "row_key",
  wordColumns: [],
  columns: { row_key: "key", kind: "text" },
};

/** Salted hashes of what was forgotten, over LanceDB. */
export class LanceTombstones implements Tombstones {
  readonly #table: StoreTable;
  readonly #meta: Meta;

  constructor(table: StoreTable, meta: Meta) {
    this.#table = table;
    this.#meta = meta;
  }

  async bury(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<void> {
    if (dialogueIds.length === 0) return;
    const salt = await this.#meta.settleSalt();
    await this.#table.insertNew(
      dialogueIds.map((id) => ({ row_key: tombstoneKey(salt, scope, sessionId, id), kind: "turn" })),
    );
  }

  async buryMade(scope: ExactScope, kind: MadeKind, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const salt = await this.#meta.settleSalt();
    await this.#table.insertNew(ids.map((id) => ({ row_key: madeKey(salt, scope, kind, id), kind })));
  }

  buriedMade(scope: ExactScope, kind: MadeKind, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#buried(ids, (salt, id) => madeKey(salt, scope, kind, id));
  }

  buried(scope: ExactScope, sessionId: string, dialogueIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#buried(dialogueIds, (salt, id) => tombstoneKey(salt, scope, sessionId, id));
  }

  async buriedAmong<T extends TurnName>(scope: ExactScope, turns: readonly T[]): Promise<readonly T[]> {
    const nameOf = ({ sessionId, dialogueId }: TurnName): string => JSON.stringify([sessionId, dialogueId]);
    const names = new Map(turns.map((turn) => [nameOf(turn), turn]));
    const buried = await this.#buried([...names.keys()], (salt, name) => {
      const turn = names.get(name);
      return tombstoneKey(salt, scope, turn?.sessionId ?? "", turn?.dialogueId ?? "");
    });
    return turns.filter((turn) => buried.has(nameOf(turn)));
  }

  async #buried(ids: readonly string[], keyOf: (salt: string, id: string) => string): Promise<ReadonlySet<string>> {
    const salt = ids.length === 0 ? null : await this.#meta.salt();
    if (salt === null) return new Set();
    const idOf = new Map(ids.map((id) => [keyOf(salt, id), id]));
    const rows = await this.#table.read(oneOf("row_key", [...idOf.keys()]));
    return new Set(rows.flatMap((row) => idOf.get(row.text("row_key")) ?? []));
  }
}

/** Of another number of parts than a turn's: a session may bear any name. */
export function madeKey(salt: string, scope: ExactScope, kind: MadeKind, id: string): string {
  return hashOf(salt, scope.tenantId, scope.userId, scope.agentId, kind, "", id);
}

export function tombstoneKey(salt: string, scope: ExactScope, sessionId: string, dialogueId: string): string {
  return hashOf(salt, scope.tenantId, scope.userId, scope.agentId, sessionId, dialogueId);
}
