import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { z } from "zod/v4";
import { type ScopedHandle, SimpleMem } from "../memory/index.js";
import type { WriteReport } from "../records/index.js";
import { type EvalConversation, turnsOf } from "./conversation.js";

/** Conversations that share one user's memory: one of them, or all. */
export interface Space {
  readonly name: string;
  readonly conversations: readonly EvalConversation[];
}

export interface SpaceOptions {
  /** The stores lie here, one folder per space; one that is filled already is used as it is. */
  readonly folder: string;
  readonly embeddings?: EmbeddingsInterface;
  readonly llm?: BaseChatModel;
}

const ingestSchema = z.object({
  turns: z.number(),
  ms: z.number(),
  entries: z.number(),
  rejected: z.number(),
  fidelity: z.number(),
  compression: z.number(),
  modelCalls: z.number(),
  modelTokens: z.number(),
});

/** What writing a space took and gave. */
export type Ingest = z.infer<typeof ingestSchema>;

export interface OpenSpace {
  readonly memory: ScopedHandle;
  readonly ingest: Ingest;
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** One space per conversation, or one for all. */
export function spacesOf(conversations: readonly EvalConversation[], oneScope: boolean): Space[] {
  if (!oneScope)
    return conversations.map((conversation) => ({ name: conversation.name, conversations: [conversation] }));
  return [{ name: conversations.map(({ name }) => name).join("+"), conversations }];
}

/** Time goes on from the day after the last turn, so that what is asked is asked when it would have been. */
function clockAfter(space: Space): () => number {
  const times = space.conversations.flatMap(turnsOf).map(({ timestamp }) => Date.parse(timestamp));
  const startsAt = times.reduce((latest, time) => Math.max(latest, time), 0) + DAY_MS;
  const openedAt = performance.now();
  return () => startsAt + Math.round(performance.now() - openedAt);
}

async function fill(memory: ScopedHandle, space: Space): Promise<Ingest> {
  const sessions = space.conversations.flatMap((conversation) => conversation.sessions);
  const startedAt = performance.now();
  for (const { id, turns } of sessions) await memory.add(turns.map((turn) => ({ ...turn, sessionId: id })));
  const report = await memory.flush();
  const ms = performance.now() - startedAt;
  for (const { key, value } of space.conversations.flatMap(({ facts }) => facts))
    await memory.facts.remember(key, value);
  return toIngest(report, space.conversations.flatMap(turnsOf).length, ms);
}

function toIngest(report: WriteReport, turns: number, ms: number): Ingest {
  const { failures, entries, fidelity, compression, usage } = report;
  const [failure] = failures;
  if (failure !== undefined) {
    throw new Error(
      `${failures.length} windows failed; the first in ${failure.sessionId}, ${failure.stage}: ${failure.error}`,
    );
  }
  return {
    turns,
    ms,
    entries: entries.added,
    rejected: entries.rejected,
    fidelity,
    compression,
    modelCalls: usage.modelCalls,
    modelTokens: usage.promptTokens + usage.completionTokens,
  };
}

/**
 * The memory of a space, filled through the public API (add → flush) unless its folder has been filled before.
 * @throws Error when a window failed to be written
 */
export async function openSpace(space: Space, options: SpaceOptions): Promise<OpenSpace> {
  const uri = join(options.folder, space.name);
  const receipt = `${uri}.ingest.json`;
  const simplemem = await SimpleMem.open({
    uri,
    clock: clockAfter(space),
    window: { idleMs: 0 },
    ...(options.embeddings === undefined ? {} : { embeddings: options.embeddings }),
    ...(options.llm === undefined ? {} : { llm: options.llm }),
  });
  const memory = simplemem.scope({ userId: space.name });
  const close = () => simplemem.close();
  try {
    if (existsSync(receipt)) {
      return { memory, ingest: ingestSchema.parse(JSON.parse(readFileSync(receipt, "utf8"))), close };
    }
    const ingest = await fill(memory, space);
    writeFileSync(receipt, `${JSON.stringify(ingest)}\n`);
    return { memory, ingest, close };
  } catch (error) {
    await close();
    throw error;
  }
}
