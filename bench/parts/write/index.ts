import type { Part } from "../../suite/part.js";
import { freshStore } from "./fresh.js";
import { growingStores } from "./growing.js";
import { severalProcesses } from "./processes.js";

/** Writing without a model, and with vectors that cost nothing. */
export const writing: Part = async (options) => {
  const fresh = await freshStore(options);
  const processes = options.together ? [] : [await severalProcesses(options)];
  const growing = await growingStores(options);
  return {
    tables: [...fresh.tables, ...processes, ...growing.tables],
    targets: [...fresh.targets, ...growing.targets],
    plots: growing.plots,
  };
};
