import { ReducedValue } from "@langchain/langgraph";
import { z } from "zod/v4";
import { addUsage, emptyUsage, type Usage } from "../records/index.js";

/** A scope as plain state. */
export const exactScopeSchema = z.object({ tenantId: z.string(), userId: z.string(), agentId: z.string() });

/** Values that the nodes add, in the order in which they come. */
export function list<T>() {
  return new ReducedValue(
    z.custom<T[]>().default(() => []),
    { inputSchema: z.custom<T[]>(), reducer: (left: T[], right: T[]) => left.concat(right) },
  );
}

/** What the nodes have used, together. */
export function usageSum() {
  return new ReducedValue(
    z.custom<Usage>().default(() => emptyUsage()),
    { inputSchema: z.custom<Usage>(), reducer: addUsage },
  );
}
