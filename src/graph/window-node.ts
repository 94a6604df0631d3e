import { bySession, type DialogueTurn, emptyUsage, turnPlace, type WindowRecord } from "../records/index.js";
import type { TurnWindow } from "../stages/window/window.js";
import type { ExactScope } from "../store/index.js";
import { isCutOff } from "./cut-off.js";
import { completeLog, indexPendingTurns } from "./episodic-index.js";
import { windowIdOf } from "./ids.js";
import type { Owner } from "./owner.js";
import { type NodeRuntime, report } from "./progress.js";
import { cutKey } from "./scope-locks.js";
import type { WriteServices } from "./services.js";
import { shareOf } from "./share.js";
import { turnsBefore } from "./turns-before.js";
import type { WriteStateType, WriteUpdate } from "./write-state.js";

/** Turns before a window that are offered as its context; the windower takes as many as its overlap says. */
const CONTEXT_TURNS = 100;

function recordOf(scope: ExactScope, sessionId: string, window: TurnWindow, now: string): WindowRecord {
  const turnIds = window.turns.map((turn) => turn.dialogueId);
  return {
    windowId: windowIdOf(scope, sessionId, turnIds),
    sessionId,
    agentId: scope.agentId === "" ? null : scope.agentId,
    turnIds,
    contextIds: window.context.map((turn) => turn.dialogueId),
    state: "pending",
    owner: null,
    leaseExpiresAt: 0,
    attempts: 0,
    lastError: null,
    items: [],
    createdAt: now,
    updatedAt: now,
  };
}

/** What cutting a session comes to: its windows, and the turns that need no further cut. */
interface Cut {
  readonly windows: readonly WindowRecord[];
  readonly done: readonly DialogueTurn[];
}

/** The turns of one session that wait, those before them, and the places of those that a window holds already. */
interface Waiting {
  readonly turns: readonly DialogueTurn[];
  readonly before: readonly DialogueTurn[];
  readonly held: ReadonlySet<string>;
}

function cutSession(
  services: WriteServices,
  scope: ExactScope,
  sessionId: string,
  { turns, before, held }: Waiting,
  final: boolean,
): Cut {
  const pending = turns.filter((turn) => !held.has(turnPlace(turn)));
  const old = turns.slice(0, pending[0] === undefined ? turns.length : turns.indexOf(pending[0]));
  const windows = services.windower.cut({ pending, before: [...before, ...old].slice(-CONTEXT_TURNS), final });
  const now = new Date(services.clock()).toISOString();
  return {
    windows: windows.map((window) => recordOf(scope, sessionId, window, now)),
    done: [...turns.filter((turn) => held.has(turnPlace(turn))), ...windows.flatMap((window) => window.turns)],
  };
}

/** Windows of all sessions go to the ledger in one write, before their turns leave the inbox. */
async function cutPending(services: WriteServices, scope: ExactScope, final: boolean): Promise<void> {
  const { store } = services;
  const pending = await completeLog(services, scope, await store.inbox.pending(scope, "extract"));
  const sessions = bySession(pending);
  // A worker that died after writing its windows left their turns in the inbox.
  const [heldTurns, before] = await Promise.all([
    store.ledger.heldTurns(scope, pending),
    turnsBefore(store, scope, sessions, CONTEXT_TURNS),
  ]);
  const held = new Set(heldTurns.map(turnPlace));
  const cuts = [...sessions].map(([sessionId, turns]) =>
    cutSession(services, scope, sessionId, { turns, before: before.get(sessionId) ?? [], held }, final),
  );
  await store.ledger.insert(
    scope,
    cuts.flatMap((cut) => cut.windows),
  );
  await store.inbox.doneWith(
    scope,
    "extract",
    cuts.flatMap((cut) => cut.done),
  );
}

async function cutAll(services: WriteServices, state: WriteStateType, signal?: AbortSignal): Promise<void> {
  const { scope, final, runId } = state;
  if ((await services.store.inbox.count(scope, "extract")) === 0) return;
  await services.locks.with(cutKey(scope), `${runId}:cut`, () => cutPending(services, scope, final), signal);
}

async function firstSequences(services: WriteServices, scope: ExactScope, windows: readonly WindowRecord[]) {
  const firsts = windows.flatMap((window) => window.turnIds[0] ?? []);
  const turns = await services.store.turns.byIds(scope, firsts);
  return new Map(turns.map((turn) => [turnPlace(turn), turn]));
}

/** Windows in the order in which their first words were spoken. */
async function inOrderOfSpeech(services: WriteServices, scope: ExactScope, windows: readonly WindowRecord[]) {
  const turns = await firstSequences(services, scope, windows);
  const key = (window: WindowRecord): [string, number] => {
    const turn = turns.get(turnPlace({ sessionId: window.sessionId, dialogueId: window.turnIds[0] ?? "" }));
    return [turn?.timestamp ?? "", turn?.sequence ?? 0];
  };
  return [...windows].sort((left, right) => {
    const [a, b] = [key(left), key(right)];
    return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1];
  });
}

function isExtracted(window: WindowRecord): boolean {
  return window.items.length > 0 && !isCutOff(window);
}

/** Cuts the scope's pending turns into windows and claims every window that waits. */
export function createWindowNode(services: WriteServices, owner: Owner) {
  return async (state: WriteStateType, runtime?: NodeRuntime): Promise<WriteUpdate> => {
    const { share } = state;
    const started = services.clock();
    // Neither needs the other, and each waits for the store most of the time.
    await Promise.all([cutAll(services, state, runtime?.signal), indexPendingTurns(services, state.scope)]);
    const now = services.clock();
    const windows = await services.store.ledger.claim(state.scope, {
      owner: owner.id,
      now,
      leaseExpiresAt: now + services.limits.leaseMs,
      states: state.retryFailed ? ["pending", "extracted", "failed"] : ["pending", "extracted"],
      isDead: owner.isDead,
      ...(share === null ? {} : { choose: (open) => shareOf(open, share, { owner, now }) }),
    });
    const ordered = await inOrderOfSpeech(services, state.scope, windows);
    report(runtime, { type: "windows_claimed", windows: ordered.length });
    return {
      claimed: ordered.map(({ windowId, sessionId, attempts }) => ({ windowId, sessionId, attempts })),
      extracted: ordered.filter(isExtracted).map((window) => window.windowId),
      usage: { ...emptyUsage(), ms: { window: services.clock() - started } },
    };
  };
}
