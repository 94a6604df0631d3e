import { CallBudget } from "../models/index.js";

/** What the graphs tell a listener of `streamMode: "custom"`. No event but a piece of the answer holds any text. */
export type ProgressEvent =
  | { readonly type: "windows_claimed"; readonly windows: number }
  | { readonly type: "window_extracted"; readonly windowId: string; readonly items: number }
  | { readonly type: "window_stored"; readonly windowId: string; readonly remaining: number }
  | { readonly type: "window_failed"; readonly windowId: string; readonly stage: "extract" | "consolidate" | "store" }
  | { readonly type: "planned"; readonly depth: number; readonly source: "rules" | "model" }
  | { readonly type: "retrieved"; readonly round: number; readonly hits: number }
  | { readonly type: "answer_piece"; readonly text: string };

/** The part of LangGraph's runtime that the nodes use. */
export interface NodeRuntime {
  readonly signal?: AbortSignal;
  readonly writer?: (event: unknown) => void;
  readonly configurable?: { readonly [key: string]: unknown };
}

/** Key of `configurable` under which a run of the write graph is told how many calls of models it may make. */
export const CALL_BUDGET = "simplemem_call_budget";

/** The calls that the run has left; nothing when they are not counted. */
export function budgetOf(runtime: NodeRuntime | undefined): { budget?: CallBudget } {
  const budget = runtime?.configurable?.[CALL_BUDGET];
  return budget instanceof CallBudget ? { budget } : {};
}

export function report(runtime: NodeRuntime | undefined, event: ProgressEvent): void {
  runtime?.writer?.(event);
}
