import { z } from "zod/v4";
import { check } from "../memory/options.js";
import type { ScopedMemory } from "../records/index.js";

/** What a request may do: use the memory of its token's scope, in one session, until the client goes away. */
export interface Call {
  readonly memory: ScopedMemory;
  readonly signal: AbortSignal;
}

/** One server-sent event. */
export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
}

/** One call of the public API as it is served: a body in, JSON out. */
export interface Endpoint {
  readonly path: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** What the body may hold. Nothing in it can name whose memory is meant. */
  readonly body: z.ZodType;
  /** True: the body may name the session whose handle is used. */
  readonly inSession: boolean;
  /** @throws InvalidInputError for a body that does not fit, and what the call throws */
  answer(call: Call, body: unknown): Promise<unknown>;
  /** The same in pieces, for a client that asks for `text/event-stream`; absent where there are none. */
  readonly events?: (call: Call, body: unknown) => AsyncGenerator<ServerEvent>;
  /** Lines in place of one JSON value; absent everywhere else. */
  readonly lines?: (call: Call, body: unknown) => AsyncGenerator<string>;
}

interface Draft<T> {
  readonly path: string;
  readonly summary: string;
  readonly body: z.ZodType<T>;
  readonly run: (memory: ScopedMemory, body: T, signal: AbortSignal) => Promise<unknown>;
  readonly events?: (memory: ScopedMemory, body: T, signal: AbortSignal) => AsyncGenerator<ServerEvent>;
}

const sessionId = z
  .string()
  .refine((value) => value.trim() !== "", "must not be blank")
  .optional()
  .describe("The session of the call. Default: the token's.");

/** The session that a body names, of an endpoint that lets it. */
export function sessionIn(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("sessionId" in body)) return undefined;
  return check(sessionId, body.sessionId, "the body, field sessionId");
}

/** An endpoint of the draft: its body is checked before anything runs. */
export function endpoint<T>({ path, summary, body, run, events }: Draft<T>): Endpoint {
  const read = (value: unknown) => check(body, value, `the body of ${path}`);
  return {
    path,
    summary,
    body,
    inSession: false,
    answer: async ({ memory, signal }, value) => run(memory, read(value), signal),
    ...(events === undefined ? {} : { events: ({ memory, signal }, value) => events(memory, read(value), signal) }),
  };
}

function withoutSession(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("sessionId" in value)) return value;
  const { sessionId: _session, ...own } = value;
  return own;
}

/** As `endpoint`, for a call that depends on the session: its body may name one. */
export function sessionEndpoint<T>(draft: Draft<T> & { readonly body: z.ZodObject }): Endpoint {
  const made = endpoint(draft);
  return {
    ...made,
    body: draft.body.extend({ sessionId }),
    inSession: true,
    answer: (call, value) => made.answer(call, withoutSession(value)),
  };
}
