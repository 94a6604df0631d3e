import type { z } from "zod/v4";
import { check } from "../memory/options.js";
import type { ScopedMemory } from "../records/index.js";

/** What a host may know of a tool before it runs it. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** False: it reaches nothing but the memory. */
  readonly openWorldHint: false;
}

export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** What a tool gives: the same as text for a model, with what is remembered in its fence, and as data. */
export interface ToolResult {
  readonly text: string;
  readonly data: Record<string, unknown>;
}

/** A tool over one memory. Whose memory it is stands in no argument. */
export interface MemoryTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly hints: ToolHints;
  call(memory: ScopedMemory, input: unknown, signal: AbortSignal): Promise<ToolResult>;
}

interface Draft<T> extends Omit<MemoryTool, "input" | "call"> {
  readonly input: z.ZodType<T> & z.ZodObject;
  readonly run: (memory: ScopedMemory, input: T, signal: AbortSignal) => Promise<ToolResult>;
}

export function memoryTool<T>({ run, ...tool }: Draft<T>): MemoryTool {
  return {
    ...tool,
    call: async (memory, input, signal) =>
      run(memory, check<T>(tool.input, input, `the arguments of ${tool.name}`), signal),
  };
}
