import { indexPendingTurns } from "../../graph/index.js";
import { bySession, type DialogueTurn, type ImportCounts, ImportError, turnPlace } from "../../records/index.js";
import { contentHash } from "../accept.js";
import { embedAll } from "./embed-batches.js";
import type { Batch, ImportContext } from "./import-context.js";
import type { MovedTurn } from "./lines.js";

function logged(turn: MovedTurn, redact: ImportContext["redact"]): DialogueTurn {
  const content = redact(turn.content);
  const { dialogueId, sessionId, speaker, role, ...rest } = turn;
  return {
    dialogueId,
    sessionId,
    speaker,
    role,
    ...rest,
    content,
    contentHash: contentHash({ role, speaker, content }),
  };
}

/** Places (`turnPlace`) of those of the turns that were forgotten in the scope. */
async function forgottenPlaces(
  { services, scope }: ImportContext,
  turns: readonly DialogueTurn[],
): Promise<ReadonlySet<string>> {
  const places = new Set<string>();
  for (const [sessionId, group] of bySession(turns)) {
    const ids = group.map((turn) => turn.dialogueId);
    const buried = await services.store.tombstones.buried(scope, sessionId, ids);
    for (const dialogueId of buried) places.add(turnPlace({ sessionId, dialogueId }));
  }
  return places;
}

async function knownHashes({ services, scope }: ImportContext, turns: readonly DialogueTurn[]) {
  const hashes = new Map<string, string>();
  for (const [sessionId, group] of bySession(turns)) {
    const ids = group.map((turn) => turn.dialogueId);
    for (const turn of await services.store.turns.find(scope, sessionId, ids)) {
      hashes.set(turnPlace(turn), turn.contentHash);
    }
  }
  return hashes;
}

/** @throws ImportError for a turn whose id is taken by other content */
function checkSame(known: ReadonlyMap<string, string>, turn: DialogueTurn, line: number): void {
  if (known.get(turnPlace(turn)) === turn.contentHash) return;
  throw new ImportError(
    `the turn id ${JSON.stringify(turn.dialogueId)} is taken by other content in session ${JSON.stringify(turn.sessionId)}; the log is append-only. Import into another scope.`,
    line,
  );
}

/** The inbox first, as `add` does: a death between the two writes is made good by whoever indexes next. */
async function store({ services, scope }: ImportContext, fresh: readonly DialogueTurn[], pending: ReadonlySet<string>) {
  const waits = (turn: DialogueTurn): boolean => pending.has(turnPlace(turn));
  const waiting = fresh.filter(waits);
  const done = fresh.filter((turn) => !waits(turn));
  if (waiting.length > 0) await services.store.inbox.push(scope, waiting, ["extract", "index"]);
  if (done.length > 0) await services.store.inbox.push(scope, done, ["index"]);
  await services.store.turns.insert(scope, fresh);
}

/** Pieces of turns that no window will embed. Those of turns that are there already too: an import may have been broken off. */
async function embedPieces({ services, scope }: ImportContext, turns: readonly DialogueTurn[]): Promise<void> {
  const { chunks } = services.store;
  for (const [sessionId, group] of bySession(turns)) {
    const ids = group.map((turn) => turn.dialogueId);
    const bare = await chunks.unembedded(scope, sessionId, ids);
    const vectors = await embedAll(
      services.embedder,
      bare.map((chunk) => chunk.text),
    );
    const rows = bare.map((chunk, index) => ({ ...chunk, vector: vectors[index] ?? null }));
    if (rows.length > 0) await chunks.put(scope, rows);
  }
}

/**
 * Stores turns that the scope does not have, and makes them searchable.
 * @param anew every turn waits for extraction, whatever the export says
 * @throws ImportError for an id that is taken by other content; nothing of the batch is stored then
 */
export async function importTurns(
  context: ImportContext,
  batch: Batch<"turn">,
  anew: boolean,
): Promise<Partial<ImportCounts>> {
  const turns = batch.map(({ record }) => logged(record.turn, context.redact));
  const pending = new Set(turns.filter((_, index) => anew || batch[index]?.record.pending).map(turnPlace));
  const counts = await context.alone(async () => {
    const known = await knownHashes(context, turns);
    const forgotten = await forgottenPlaces(context, turns);
    const fresh = new Map<string, DialogueTurn>();
    for (const [index, turn] of turns.entries()) {
      const place = turnPlace(turn);
      if (forgotten.has(place)) continue;
      if (known.has(place)) checkSame(known, turn, batch[index]?.line ?? 0);
      else {
        known.set(place, turn.contentHash);
        fresh.set(place, turn);
      }
    }
    if (fresh.size > 0) await store(context, [...fresh.values()], pending);
    const refused = turns.filter((turn) => forgotten.has(turnPlace(turn))).length;
    return { added: fresh.size, known: turns.length - refused - fresh.size, refused };
  });
  await indexPendingTurns(context.services, context.scope);
  await embedPieces(
    context,
    turns.filter((turn) => !pending.has(turnPlace(turn))),
  );
  return counts;
}
