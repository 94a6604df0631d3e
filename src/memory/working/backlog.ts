import { dueAt, isHeldByOthers, type Look } from "../../graph/index.js";
import { type ExactScope, type OpenWindow, scopeKey, type WaitingTurns } from "../../store/index.js";
import { SEQUENCES_PER_MS } from "../sequences.js";

/** What waits in a store. */
export interface Backlog {
  readonly turns: readonly WaitingTurns[];
  readonly windows: readonly OpenWindow[];
}

/** When what waits is ripe, in milliseconds and turns. */
export interface Ripeness {
  readonly windowSize: number;
  /** Infinite: turns wait for a full window. */
  readonly idleMs: number;
  readonly retryMs: number;
}

/** A scope in which there is something to do. */
export interface Job {
  readonly scope: ExactScope;
  /** Its last turn is old enough for a window that is not full. */
  readonly final: boolean;
}

/** What can be done now, and when something more can, by what is known now; infinite: when something comes. */
export interface Outlook {
  readonly jobs: readonly Job[];
  readonly nextAt: number;
}

interface ScopeBacklog {
  readonly scope: ExactScope;
  turns: WaitingTurns | undefined;
  readonly windows: OpenWindow[];
}

function byScope({ turns, windows }: Backlog): readonly ScopeBacklog[] {
  const scopes = new Map<string, ScopeBacklog>();
  const of = (scope: ExactScope): ScopeBacklog => {
    const known = scopes.get(scopeKey(scope)) ?? { scope, turns: undefined, windows: [] };
    scopes.set(scopeKey(scope), known);
    return known;
  };
  for (const waiting of turns) of(waiting.scope).turns = waiting;
  for (const window of windows) of(window.scope).windows.push(window);
  return [...scopes.values()];
}

/** When nothing new was said for long enough. */
function silentAt(turns: WaitingTurns | undefined, { idleMs }: Ripeness): number {
  return turns === undefined ? Number.POSITIVE_INFINITY : turns.newest / SEQUENCES_PER_MS + idleMs;
}

/** When there is something to do in the scope, milliseconds since the epoch. */
function ripeAt({ turns, windows }: ScopeBacklog, rule: Ripeness, look: Look): number {
  const held = windows.filter((window) => isHeldByOthers(window, look));
  if (held.length > 0) return Math.max(...held.map(({ leaseExpiresAt }) => leaseExpiresAt));
  const full = turns !== undefined && turns.count >= rule.windowSize ? 0 : silentAt(turns, rule);
  return windows.reduce((soonest, window) => Math.min(soonest, dueAt(window, rule.retryMs)), full);
}

/** Looks through what waits. */
export function outlookOf(backlog: Backlog, rule: Ripeness, look: Look): Outlook {
  const scopes = byScope(backlog).map((one) => ({ ...one, ripeAt: ripeAt(one, rule, look) }));
  const isRipe = (at: number): boolean => at <= look.now;
  return {
    jobs: scopes
      .filter((one) => isRipe(one.ripeAt))
      .map(({ scope, turns }) => ({ scope, final: isRipe(silentAt(turns, rule)) })),
    nextAt: scopes.reduce(
      (next, one) => (isRipe(one.ripeAt) ? next : Math.min(next, one.ripeAt)),
      Number.POSITIVE_INFINITY,
    ),
  };
}
