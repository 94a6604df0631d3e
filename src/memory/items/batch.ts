import type { Item, SearchItem } from "@langchain/langgraph-checkpoint";
import type { ItemRow, ItemTable, ItemWrite } from "../../store/index.js";
import { plainFields } from "./filter.js";
import { toJsonText } from "./json.js";
import type { Lifetime } from "./lifetime.js";
import { knownPrefix, type ListRequest, listNamespaces } from "./namespaces.js";
import type { DeleteStep, GetStep, ListStep, PutStep, SearchStep, Step } from "./operations.js";
import { findItems } from "./search.js";
import type { TextIndex } from "./text-index.js";

type WriteStep = PutStep | DeleteStep;

/** Steps that are done together: writes and gets in a row, one search, one list. */
type Group =
  | { readonly kind: "write"; readonly steps: WriteStep[] }
  | { readonly kind: "get"; readonly steps: GetStep[] }
  | { readonly kind: "search"; readonly step: SearchStep }
  | { readonly kind: "list"; readonly step: ListStep };

/** What the embedder gave for a batch. */
interface Vectors {
  readonly ofText: ReadonlyMap<string, readonly number[]>;
  readonly ofQuery: ReadonlyMap<string, readonly number[] | null>;
}

function grouped(steps: readonly Step[]): readonly Group[] {
  const groups: Group[] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (step.kind === "put" || step.kind === "delete") {
      if (last?.kind === "write") last.steps.push(step);
      else groups.push({ kind: "write", steps: [step] });
    } else if (step.kind === "get") {
      if (last?.kind === "get") last.steps.push(step);
      else groups.push({ kind: "get", steps: [step] });
    } else {
      groups.push(step.kind === "search" ? { kind: "search", step } : { kind: "list", step });
    }
  }
  return groups;
}

function placeKey({ place }: { readonly place: GetStep["place"] }): string {
  return JSON.stringify([place.namespace, place.key]);
}

/** The last write of each place: those before it are never seen. */
function lastWrites(steps: readonly WriteStep[]): readonly WriteStep[] {
  return [...new Map(steps.map((step) => [placeKey(step), step])).values()];
}

function putsOf(steps: readonly WriteStep[]): readonly PutStep[] {
  return lastWrites(steps).filter((step) => step.kind === "put");
}

function itemOf({ json, key, namespace, createdAt, updatedAt }: ItemRow): Item {
  const value: Item["value"] = JSON.parse(json);
  return { value, key, namespace: [...namespace], createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
}

/** Does the operations of a batch one after another: each sees what those before it wrote. */
export class BatchRunner {
  readonly #items: ItemTable;
  readonly #index: TextIndex | null;
  readonly #lifetime: Lifetime;
  readonly #clock: () => number;

  /** @param index null: nothing is searched by meaning */
  constructor(items: ItemTable, index: TextIndex | null, lifetime: Lifetime, clock: () => number) {
    this.#items = items;
    this.#index = index;
    this.#lifetime = lifetime;
    this.#clock = clock;
  }

  /** Results in the order of the steps. When the embedder fails, nothing of the batch was written. */
  async run(steps: readonly Step[]): Promise<unknown[]> {
    const groups = grouped(steps);
    const vectors = await this.#embed(groups);
    const results: unknown[] = [];
    for (const group of groups) results.push(...(await this.#perform(group, vectors)));
    return results;
  }

  async #perform(group: Group, vectors: Vectors): Promise<readonly unknown[]> {
    switch (group.kind) {
      case "write":
        await this.#write(group.steps, vectors);
        return group.steps.map(() => undefined);
      case "get":
        return this.#get(group.steps);
      case "search":
        return [await this.#search(group.step, vectors)];
      case "list":
        return [await this.#list(group.step.request)];
    }
  }

  async #embed(groups: readonly Group[]): Promise<Vectors> {
    const index = this.#index;
    if (index === null) return { ofText: new Map(), ofQuery: new Map() };
    const puts = groups.flatMap((group) => (group.kind === "write" ? putsOf(group.steps) : []));
    const texts = new Set(puts.flatMap((put) => index.textsOf(put.value, put.index)));
    const searches = groups.flatMap((group) => (group.kind === "search" ? [group.step.query] : []));
    const queries = [...new Set(searches)].filter((query) => query !== "");
    const ofText = await index.embed([...texts]);
    const ofQuery = await Promise.all(queries.map(async (query) => [query, await index.embedQuery(query)] as const));
    return { ofText, ofQuery: new Map(ofQuery) };
  }

  async #write(steps: readonly WriteStep[], { ofText }: Vectors): Promise<void> {
    const doomed = lastWrites(steps).filter((step) => step.kind === "delete");
    if (doomed.length > 0) await this.#items.remove(doomed.map(({ place }) => place));
    const writes = putsOf(steps).map((put) => this.#writeOf(put, ofText));
    if (writes.length > 0) await this.#items.put(writes, this.#clock());
  }

  #writeOf({ place, value, index, ttl }: PutStep, ofText: Vectors["ofText"]): ItemWrite {
    const texts = this.#index?.textsOf(value, index) ?? [];
    return {
      ...place,
      json: toJsonText(value, "the value of an item"),
      fields: plainFields(value),
      vectors: texts.flatMap((text) => [ofText.get(text)].filter((vector) => vector !== undefined)),
      ttlMs: this.#lifetime.ttlMs(ttl),
    };
  }

  async #get(steps: readonly GetStep[]): Promise<readonly (Item | null)[]> {
    const now = this.#clock();
    const rows = await this.#items.get(
      steps.map(({ place }) => place),
      now,
    );
    await this.#refresh(rows, now);
    const found = new Map(rows.map((row) => [placeKey({ place: row }), row]));
    return steps.map((step) => {
      const row = found.get(placeKey(step));
      return row === undefined ? null : itemOf(row);
    });
  }

  async #search(step: SearchStep, { ofQuery }: Vectors): Promise<readonly SearchItem[]> {
    const now = this.#clock();
    const found = await findItems(this.#items, { ...step, vector: ofQuery.get(step.query) ?? null }, now);
    const rows = found.map(({ row }) => row);
    await this.#refresh(rows, now);
    return found.map(({ row, score }) => (score === undefined ? itemOf(row) : { ...itemOf(row), score }));
  }

  async #list(request: ListRequest): Promise<string[][]> {
    const prefix = knownPrefix(request.conditions);
    return listNamespaces(await this.#items.namespaces({ prefix, now: this.#clock() }), request);
  }

  async #refresh(rows: readonly ItemRow[], now: number): Promise<void> {
    const due = this.#lifetime.toRefresh(rows, now);
    if (due.length > 0) await this.#items.refresh(due, now);
  }
}
