import type { Context } from "hono";
import type { ScopedHandle, ScopeOptions, SimpleMem } from "../index.js";
import { check } from "../memory/options.js";
import { whoseQuery } from "./requests.js";

/** Finds out whose memory a request is about. */
export interface Whose {
  /** The scope that the operator fixed; null when the page may choose. */
  readonly fixed: ScopeOptions | null;
  /** @throws InvalidInputError when the choice is open and the request names no user */
  memoryOf(context: Context): ScopedHandle;
}

/** Where the operator fixed a scope, nothing that a request says chooses another. */
export function whose(memory: SimpleMem, scope: ScopeOptions | undefined): Whose {
  return {
    fixed: scope ?? null,
    memoryOf(context) {
      if (scope !== undefined) return memory.scope(scope);
      const { user, agent, tenant } = check(whoseQuery, context.req.query(), "the user to look into");
      return memory.scope({
        userId: user,
        ...(agent === undefined ? {} : { agentId: agent }),
        ...(tenant === undefined ? {} : { tenantId: tenant }),
      });
    },
  };
}
