import type { RunnableConfig } from "@langchain/core/runnables";
import { InvalidInputError } from "./errors.js";
import type { SessionScope } from "./scope.js";
import type { ScopedMemory } from "./scoped-memory.js";

/** What a run may say of its user in `context`. All of it comes from the program, none from the model. */
export interface MemoryContext {
  /** Whose memory is meant. */
  readonly userId?: string | undefined;
  /** The agent that asks, when its memories are kept apart. */
  readonly agentId?: string | undefined;
  /** The customer that the user belongs to. */
  readonly tenantId?: string | undefined;
  /** The conversation. */
  readonly sessionId?: string | undefined;
}

/** The part of a run by which its user is known: LangChain hands it to middleware, tools and nodes alike. */
export interface MemoryRuntime {
  /** The run's `context`, as the program gave it. */
  readonly context?: MemoryContext;
  /** The run's `configurable`: `thread_id`, and what else the program put in. */
  readonly configurable?: RunnableConfig["configurable"];
}

/** Whose memory a door uses: one handle, or one per run for a server of many users. */
export type MemorySource =
  | { readonly memory: ScopedMemory; readonly scopeFrom?: never }
  | {
      /**
       * The handle of the calling user, made from what the program said of the run: never from what the model writes.
       * @example createMemoryTools({ scopeFrom: ({ context }) => simplemem.scope({ userId: context?.userId ?? "" }) })
       */
      readonly scopeFrom: (runtime: MemoryRuntime) => ScopedMemory;
      readonly memory?: never;
    };

/** @throws InvalidInputError unless exactly one of `memory` and `scopeFrom` is given */
export function checkSource(source: MemorySource, door: string): void {
  if ((source.memory === undefined) === (source.scopeFrom === undefined)) {
    throw new InvalidInputError(`${door} needs exactly one of { memory } and { scopeFrom }.`);
  }
}

/** The handle for one run. @throws what `scopeFrom` throws, and InvalidInputError when it gives nothing */
export function memoryOf(source: MemorySource, runtime: MemoryRuntime): ScopedMemory {
  const memory = source.memory ?? source.scopeFrom?.(runtime);
  if (memory === undefined) throw new InvalidInputError("scopeFrom must return the handle of a user, got undefined.");
  return memory;
}

/** A text that is equal for equal scopes only. */
export function scopeText(scope: SessionScope): string {
  return JSON.stringify([scope.tenantId ?? null, scope.userId, scope.agentId ?? null, scope.sessionId]);
}
