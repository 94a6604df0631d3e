/** What the graphs tell a listener of `streamMode: "custom"`. No event holds the text of a turn or an entry. */
export type ProgressEvent =
  | { readonly type: "windows_claimed"; readonly windows: number }
  | { readonly type: "window_extracted"; readonly windowId: string; readonly items: number }
  | { readonly type: "window_stored"; readonly windowId: string; readonly remaining: number }
  | { readonly type: "window_failed"; readonly windowId: string; readonly stage: "extract" | "consolidate" | "store" }
  | { readonly type: "planned"; readonly depth: number; readonly source: "rules" | "model" }
  | { readonly type: "retrieved"; readonly round: number; readonly hits: number };

/** The part of LangGraph's runtime that the nodes use. */
export interface NodeRuntime {
  readonly signal?: AbortSignal;
  readonly writer?: (event: unknown) => void;
}

export function report(runtime: NodeRuntime | undefined, event: ProgressEvent): void {
  runtime?.writer?.(event);
}
