import type { DialogueTurn } from "../records/index.js";
import type { ExactScope, MemoryStore } from "../store/index.js";

/**
 * The last turns of each session before the first of those given. Most sessions that come together, as in an import, begin with
 * what was given: one count then spares a read for each.
 */
export async function turnsBefore(
  { turns }: Pick<MemoryStore, "turns">,
  scope: ExactScope,
  sessions: ReadonlyMap<string, readonly DialogueTurn[]>,
  limit: number,
): Promise<ReadonlyMap<string, readonly DialogueTurn[]>> {
  const firsts = [...sessions.values()].flatMap((said) => said.slice(0, 1));
  if (firsts.length > 1 && !(await turns.haveEarlier(scope, firsts))) return new Map();
  const before = firsts.map(
    async ({ sessionId, sequence }) => [sessionId, await turns.before(scope, sessionId, sequence, limit)] as const,
  );
  return new Map(await Promise.all(before));
}
