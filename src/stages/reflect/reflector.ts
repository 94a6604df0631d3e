import type { Hit, Plan } from "../../records/index.js";
import type { StageRun } from "../run.js";

/** Whether what was found suffices. */
export interface Reflection {
  /** True: the search is over. */
  readonly sufficient: boolean;
  /** What is missing, in words; empty when sufficient. */
  readonly missing: readonly string[];
  /** Queries for exactly that. */
  readonly queries: readonly string[];
}

/** Judges whether the hits cover what the plan asks for. */
export interface Reflector {
  /** Judges one round. @throws when it could not: what was found is taken as it is */
  reflect(input: { readonly plan: Plan; readonly hits: readonly Hit[] }, run: StageRun): Promise<Reflection>;
}
