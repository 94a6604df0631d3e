import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** What a client reads in place of a result: the name of the error and what to do about it, never a stack. */
export interface RefusalBody {
  readonly error: { readonly name: string; readonly message: string };
}

/** Why a request was turned away before anything was done. */
export interface Refusal {
  readonly status: ContentfulStatusCode;
  readonly name: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function refuse(context: Context, { status, name, message, headers }: Refusal): Response {
  const body: RefusalBody = { error: { name, message } };
  return context.json(body, status, headers);
}
