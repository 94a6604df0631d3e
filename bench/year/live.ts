import { type Consolidator, type ScopedMemory, SimpleMem } from "../../src/index.js";
import { estimateTokens } from "../../src/models/index.js";
import type { Asked, Life } from "../../test/support/year.js";

/** How the memory stood after a month. */
export interface Month {
  readonly month: number;
  readonly turns: number;
  readonly active: number;
  readonly done: number;
  readonly superseded: number;
  readonly archived: number;
  readonly bytes: number;
  /** Tokens of what an answer was made of, on average. */
  readonly tokensPerAnswer: number;
  /** Share of questions about the present that were answered right, 0 to 1. */
  readonly right: number;
  /** Answers about the present that cite an entry which is history. */
  readonly fromHistory: number;
  /** Share of questions about the end of an earlier month that were answered right, 0 to 1; null in the first. */
  readonly rightThen: number | null;
}

export interface LiveOptions {
  readonly uri: string;
  readonly months: number;
  /** Off: every statement is added, and nothing is maintained. */
  readonly consolidation: boolean;
  /** Questions about an earlier month, each month. */
  readonly askedThen: number;
  readonly onMonth?: (month: Month) => void;
}

const ADD_ALL: Consolidator = {
  consolidate: async ({ items }) => ({ decisions: items.map(() => ({ op: "add" })), rejections: [] }),
};

/** Lives through the sessions, and looks at the memory after each month. The clock is that of the story. */
export async function live(life: Life, options: LiveOptions): Promise<readonly Month[]> {
  let now = Date.parse(life.sessions[0]?.at ?? "");
  await using simplemem = await SimpleMem.open({
    uri: options.uri,
    clock: () => now,
    window: { idleMs: 0 },
    ...(options.consolidation ? {} : { stages: { consolidate: ADD_ALL } }),
  });
  const memory = simplemem.scope({ userId: "ilse", userName: "Ilse" });
  const months: Month[] = [];
  for (const [index, session] of life.sessions.entries()) {
    now = Date.parse(session.at) + 3_600_000;
    await simplemem.scope({ userId: "ilse", userName: "Ilse", sessionId: session.id }).add(session.turns);
    await memory.flush();
    const ended = Math.floor(((index + 1) * options.months) / life.sessions.length);
    if (ended === months.length) continue;
    if (options.consolidation) await memory.maintain();
    const month = await lookedAt(memory, life, index + 1, { ...options, month: ended });
    months.push(month);
    options.onMonth?.(month);
  }
  return months;
}

async function lookedAt(
  memory: ScopedMemory,
  life: Life,
  sessions: number,
  { month, months, askedThen }: LiveOptions & { month: number },
): Promise<Month> {
  const { turns, entries, bytes } = await memory.stats();
  const asked = life.questions.filter(({ slot }) => life.truth(slot, sessions) !== null);
  let right = 0;
  let tokens = 0;
  let fromHistory = 0;
  for (const one of asked) {
    const { answer, citations, hits } = await memory.ask(one.question);
    right += Number(isRight(answer, one, life, sessions));
    tokens += estimateTokens(hits.map(({ text }) => text).join("\n"));
    const cited = await Promise.all(citations.map(({ id }) => memory.get(id)));
    fromHistory += Number(cited.some((entry) => entry?.status === "superseded"));
  }
  return {
    month,
    turns,
    active: entries.active ?? 0,
    done: entries.done ?? 0,
    superseded: entries.superseded ?? 0,
    archived: entries.archived ?? 0,
    bytes,
    tokensPerAnswer: tokens / Math.max(1, asked.length),
    right: right / Math.max(1, asked.length),
    fromHistory,
    rightThen: await rightThen(memory, life, Math.floor((life.sessions.length * (month - 1)) / months), askedThen),
  };
}

/** Asks what was true after so many sessions: of slots that have changed since, as far as there are any. */
async function rightThen(memory: ScopedMemory, life: Life, sessions: number, count: number): Promise<number | null> {
  const last = life.sessions[sessions - 1];
  if (last === undefined) return null;
  const asked = life.questions
    .filter(({ slot }) => life.truth(slot, sessions) !== null)
    .sort((left, right) => Number(hasChanged(life, right, sessions)) - Number(hasChanged(life, left, sessions)))
    .slice(0, count);
  let right = 0;
  const asOf = new Date(Date.parse(last.at) + 7_200_000).toISOString();
  for (const one of asked) {
    const { answer } = await memory.ask(one.question, { asOf });
    right += Number(isRight(answer, one, life, sessions));
  }
  return right / Math.max(1, asked.length);
}

function hasChanged(life: Life, { slot }: Asked, sessions: number): boolean {
  return life.truth(slot, life.sessions.length) !== life.truth(slot, sessions);
}

function isRight(answer: string, { slot }: Asked, life: Life, sessions: number): boolean {
  const truth = life.truth(slot, sessions);
  return truth !== null && answer.includes(truth) && !life.former(slot, sessions).some((old) => answer.includes(old));
}
