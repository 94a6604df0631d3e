import type { Callbacks } from "@langchain/core/callbacks/manager";
import { detached, isTraced, type ReadInput, withRelayed } from "../graph/index.js";
import type { Engine } from "./engine.js";

/** A read as the handle asks for it. */
export interface ReadCall {
  readonly input: ReadInput & { readonly wantsAnswer: boolean; readonly streamsAnswer: boolean };
  readonly signal: AbortSignal | undefined;
  readonly callbacks: Callbacks;
}

function isWatched({ callbacks }: ReadCall): boolean {
  return isTraced() || !Array.isArray(callbacks) || callbacks.length > 0;
}

/** Runs the read graph; where nothing is judged and nobody watches, its nodes alone. */
export function runRead(engine: Engine, call: ReadCall) {
  const { input, signal, callbacks } = call;
  const isStraight = input.options.planning === "never" && !input.wantsAnswer;
  return isStraight && !isWatched(call)
    ? engine.straightRead(input, signal)
    : withRelayed(signal, (config) => detached(() => engine.readGraph.invoke(input, { ...config, callbacks })));
}
