import { bySession, type DialogueTurn, type WindowRecord } from "../records/index.js";
import type { ExactScope } from "../store/index.js";
import type { WriteServices } from "./services.js";

/** What a window reads, in the order of speech. */
export interface WindowTurns {
  readonly turns: readonly DialogueTurn[];
  readonly context: readonly DialogueTurn[];
}

type Reading = Pick<WindowRecord, "sessionId" | "turnIds" | "contextIds">;

/** The turns of a window and of its context. */
export async function turnsOf(services: WriteServices, scope: ExactScope, window: Reading): Promise<WindowTurns> {
  const [found = { turns: [], context: [] }] = await turnsOfAll(services, scope, [window]);
  return found;
}

/** As `turnsOf`, for several windows in one read. */
export async function turnsOfAll(
  services: WriteServices,
  scope: ExactScope,
  windows: readonly Reading[],
): Promise<readonly WindowTurns[]> {
  const names = windows.flatMap(({ sessionId, turnIds, contextIds }) =>
    [...contextIds, ...turnIds].map((dialogueId) => ({ sessionId, dialogueId })),
  );
  const sessions = bySession(await services.store.turns.findAll(scope, names));
  return windows.map(({ sessionId, turnIds, contextIds }) => {
    const said = sessions.get(sessionId) ?? [];
    const own = new Set(turnIds);
    const around = new Set(contextIds);
    return {
      turns: said.filter(({ dialogueId }) => own.has(dialogueId)),
      context: said.filter(({ dialogueId }) => around.has(dialogueId) && !own.has(dialogueId)),
    };
  });
}
