import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import {
  type AddInput,
  bySession,
  type DialogueTurn,
  DuplicateTurnError,
  isInputList,
  parseInstant,
  type SpeakerNames,
  type TurnInput,
  toTurnInput,
  turnPlace,
  withoutEmbeddedFiles,
} from "../records/index.js";
import type { ExactScope, MemoryStore } from "../store/index.js";

/** What is needed to turn a caller's input into a row of the log. */
export interface AcceptContext {
  readonly sessionId: string;
  readonly names: SpeakerNames;
  readonly timeZone: string;
  readonly clock: () => number;
  readonly redact: (text: string) => string;
  /** Grows with every call. */
  readonly nextSequence: () => number;
  /** The agent that writes what all agents share; noted in the metadata of each turn. */
  readonly writtenBy?: string;
}

/** SHA-256 of who said what, so that the same id with other content is noticed. */
export function contentHash(turn: Pick<DialogueTurn, "role" | "speaker" | "content">): string {
  return createHash("sha256")
    .update(JSON.stringify([turn.role, turn.speaker, turn.content]))
    .digest("hex");
}

function toDialogueTurn(input: TurnInput, context: AcceptContext): DialogueTurn {
  const time = parseInstant(input.timestamp ?? new Date(context.clock()), context.timeZone);
  const said = {
    role: input.role ?? ("user" as const),
    speaker: input.speaker.toWellFormed(),
    // A lone surrogate would be changed by the store, and the text would no longer equal its hash.
    content: context.redact(withoutEmbeddedFiles(input.content.toWellFormed())),
  };
  return {
    ...said,
    dialogueId: input.id ?? uuidv7(),
    sessionId: input.sessionId ?? context.sessionId,
    timestamp: time.instant,
    offsetMinutes: time.offsetMinutes,
    timestampIsAssumed: input.timestamp === undefined,
    contentHash: contentHash(said),
    sequence: context.nextSequence(),
    metadata: { ...input.metadata, ...(context.writtenBy === undefined ? {} : { writtenBy: context.writtenBy }) },
  };
}

/** A turn that is about to be stored. */
export interface Accepted {
  readonly turn: DialogueTurn;
  /** Its id was made here, so that nothing can be stored or forgotten under it. */
  readonly idIsMade: boolean;
  /** A re-sent history may hold it: a LangChain message without an id. */
  readonly mayBeResent: boolean;
}

/** Reads everything that `add` was given. Nothing is written when one of them is wrong. */
export function readInputs(input: AddInput | readonly AddInput[], context: AcceptContext): Accepted[] {
  const inputs = isInputList(input) ? input : [input];
  return inputs.flatMap((one) => {
    const turnInput = toTurnInput(one, context.names);
    if (turnInput === null) return [];
    const isMessage = turnInput !== one;
    const idIsMade = turnInput.id === undefined;
    return [{ turn: toDialogueTurn(turnInput, context), idIsMade, mayBeResent: isMessage && idIsMade }];
  });
}

/**
 * How many of the first `sent` hashes the log already ends with (a history sent again, with new turns after it), or all of
 * them when the log holds the whole run (an older history that arrives late).
 */
export function resentPrefix(sent: readonly string[], log: readonly string[]): number {
  const equalFrom = (start: number, length: number): boolean => {
    for (let index = 0; index < length; index++) if (log[start + index] !== sent[index]) return false;
    return true;
  };
  for (let start = 0; start + sent.length <= log.length; start++) if (equalFrom(start, sent.length)) return sent.length;
  for (let length = Math.min(sent.length, log.length); length > 0; length--) {
    if (equalFrom(log.length - length, length)) return length;
  }
  return 0;
}

/** Drops the part of a re-sent history that the log has. One message alone is always news. */
export async function withoutResent(
  store: MemoryStore,
  scope: ExactScope,
  accepted: readonly Accepted[],
): Promise<{ news: readonly Accepted[]; duplicates: number }> {
  const turns = accepted.map(({ turn }) => turn);
  const first = turns[0];
  if (first === undefined || turns.length < 2 || !accepted.every(({ mayBeResent }) => mayBeResent)) {
    return { news: accepted, duplicates: 0 };
  }
  const log = await store.turns.before(scope, first.sessionId, first.sequence, turns.length * 2 + 100);
  const duplicates = resentPrefix(
    turns.map((turn) => turn.contentHash),
    log.map((turn) => turn.contentHash),
  );
  return { news: accepted.slice(duplicates), duplicates };
}

function sameIdOtherContent(turn: DialogueTurn): DuplicateTurnError {
  return new DuplicateTurnError(
    `the turn id ${JSON.stringify(turn.dialogueId)} is taken by other content in session ${JSON.stringify(turn.sessionId)}; ` +
      "the log is append-only, so give the new turn an id of its own. Nothing of this call was stored.",
  );
}

/** Sorts turns into new ones, duplicates and forgotten ones. @throws DuplicateTurnError before anything is written */
export async function sortOut(
  store: MemoryStore,
  scope: ExactScope,
  accepted: readonly Accepted[],
): Promise<{ fresh: DialogueTurn[]; duplicates: number; refused: number }> {
  const named = accepted.filter(({ idIsMade }) => !idIsMade).map(({ turn }) => turn);
  const known = new Map((await store.turns.findAll(scope, named)).map((turn) => [turnPlace(turn), turn]));
  const sessions = await Promise.all(
    [...bySession(named)].map(async ([sessionId, turns]) => {
      const ids = turns.map((turn) => turn.dialogueId);
      // After the log: `forget` buries before it removes, so a turn that is no longer found is found here.
      return sortSession(turns, known, await store.tombstones.buried(scope, sessionId, ids));
    }),
  );
  const fresh = new Set(sessions.flatMap((session) => session.fresh));
  const total = (key: "duplicates" | "refused"): number => sessions.reduce((sum, session) => sum + session[key], 0);
  return {
    fresh: accepted.filter(({ turn, idIsMade }) => idIsMade || fresh.has(turn)).map(({ turn }) => turn),
    duplicates: total("duplicates"),
    refused: total("refused"),
  };
}

/**
 * Takes turns back that a `forget` named while they were written: it may have found them in the inbox, before they were in the
 * log. Asked after the write, since `forget` buries before it removes.
 * @returns how many were taken back
 */
export async function withdrawForgotten(
  store: MemoryStore,
  scope: ExactScope,
  turns: readonly DialogueTurn[],
): Promise<number> {
  const buried = await store.tombstones.buriedAmong(scope, turns);
  for (const [sessionId, group] of bySession(buried)) {
    const ids = group.map((turn) => turn.dialogueId);
    await store.inbox.remove(scope, sessionId, ids);
    await store.turns.remove(scope, sessionId, ids);
  }
  return buried.length;
}

function sortSession(
  turns: readonly DialogueTurn[],
  inLog: ReadonlyMap<string, DialogueTurn>,
  buried: ReadonlySet<string>,
): { fresh: DialogueTurn[]; duplicates: number; refused: number } {
  const known = new Map<string, DialogueTurn>();
  const fresh: DialogueTurn[] = [];
  let duplicates = 0;
  let refused = 0;
  for (const turn of turns) {
    const other = known.get(turn.dialogueId) ?? inLog.get(turnPlace(turn));
    if (buried.has(turn.dialogueId)) refused += 1;
    else if (other === undefined) {
      known.set(turn.dialogueId, turn);
      fresh.push(turn);
    } else if (other.contentHash === turn.contentHash) duplicates += 1;
    else throw sameIdOtherContent(turn);
  }
  return { fresh, duplicates, refused };
}
