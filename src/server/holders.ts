import { z } from "zod/v4";
import type { ScopedHandle, ScopeOptions, SimpleMem } from "../index.js";
import type { Holder } from "./tokens.js";

/** A token, and whose memory it opens. */
export interface ScopeToken extends ScopeOptions {
  /** What a client sends as `Authorization: Bearer …`: 16 characters or more of A-Z a-z 0-9 - . _ ~ + /. */
  readonly token: string;
}

export const scopeTokenSchema = z.strictObject({
  token: z.string(),
  userId: z.string(),
  agentId: z.string().optional(),
  tenantId: z.string().optional(),
  sessionId: z.string().optional(),
  sharing: z.enum(["private", "shared"]).optional(),
  userName: z.string().optional(),
  assistantName: z.string().optional(),
});

/** The memory that a token opens: of its own scope and no other, in its own session unless another is named. */
export function memoryOf(simplemem: SimpleMem, holder: Holder & ScopeOptions, sessionId?: string): ScopedHandle {
  const { token: _token, ...scope } = holder;
  return simplemem.scope({ ...scope, ...(sessionId === undefined ? {} : { sessionId }) });
}
