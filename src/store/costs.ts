import type { CostDay } from "../records/index.js";
import { equals } from "./filter.js";
import { scopedKey } from "./keys.js";
import type { Costs, ExactScope } from "./store.js";
import type { StoreTable } from "./table.js";

/** Days that are told apart; what was spent before them counts as spent on the first. */
const KEPT_DAYS = 1_000;

/** Ids of users become no name. */
function nameOf(scope: ExactScope): string {
  return `costs:${scopedKey(scope)}`;
}

function sumOf(day: string, costs: readonly CostDay[]): CostDay {
  const sum = (count: (cost: CostDay) => number) => costs.reduce((total, cost) => total + count(cost), 0);
  return {
    day,
    modelCalls: sum(({ modelCalls }) => modelCalls),
    promptTokens: sum(({ promptTokens }) => promptTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
  };
}

/** Costs of the same day as one, oldest day first. */
export function costsByDay(costs: readonly CostDay[]): readonly CostDay[] {
  const days = [...new Set(costs.map(({ day }) => day))].sort();
  return days.map((day) =>
    sumOf(
      day,
      costs.filter((cost) => cost.day === day),
    ),
  );
}

function bounded(days: readonly CostDay[]): readonly CostDay[] {
  const kept = days.slice(-KEPT_DAYS);
  const [first] = kept;
  if (first === undefined || kept.length === days.length) return kept;
  const older = days.slice(0, days.length - kept.length);
  return [sumOf(first.day, [...older, first]), ...kept.slice(1)];
}

/** Costs as named values of the store. They hold no scope and no text: who asks knows it. */
export class LanceCosts implements Costs {
  constructor(private readonly meta: StoreTable) {}

  async list(scope: ExactScope): Promise<readonly CostDay[]> {
    const [row] = await this.meta.read(equals("name", nameOf(scope)), { limit: 1 });
    if (row === undefined) return [];
    const days: readonly CostDay[] = JSON.parse(row.text("value"));
    return days;
  }

  async add(scope: ExactScope, costs: readonly CostDay[]): Promise<void> {
    const days = bounded(costsByDay([...(await this.list(scope)), ...costs]));
    await this.meta.upsert([{ name: nameOf(scope), value: JSON.stringify(days) }]);
  }

  async removeAll(scope: ExactScope): Promise<void> {
    await this.meta.remove(equals("name", nameOf(scope)));
  }
}
