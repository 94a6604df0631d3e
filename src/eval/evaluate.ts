import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { addUsage, emptyUsage, type SearchOptions, type View } from "../records/index.js";
import {
  type AblationRow,
  askByViews,
  type DualRow,
  dualRows,
  type FloorRow,
  featureRows,
  floorRows,
  viewRows,
} from "./ablation.js";
import { type Asked, askAll, percentile } from "./ask.js";
import { meanOf } from "./bootstrap.js";
import type { EvalConversation } from "./conversation.js";
import { judgeAnswers } from "./judge.js";
import { tokensOf, turnsInOrder } from "./measures.js";
import { type Ingest, openSpace, type Space, spacesOf } from "./space.js";
import { type Abstention, abstentionOf, answerRows, type Row, retrievalRows } from "./summary.js";

export interface EvalOptions {
  /** All conversations in one user's memory instead of one each. Default false. */
  readonly oneScope?: boolean;
  /** Also answers every question. Default false. */
  readonly asks?: boolean;
  /** Also leaves out and keeps alone each view and each feature, sweeps a floor of the score, and compares kinds of memory. */
  readonly ablates?: boolean;
  /** Default: all. */
  readonly views?: readonly View[];
  /** Hits per question, 1 to 1,000; 50 fill the largest budget that is measured. Default 50. */
  readonly k?: number;
  readonly planning?: "auto" | "always" | "never";
  /** Filled stores are kept here and used again. Absent: a temporary folder. */
  readonly store?: string;
  readonly embeddings?: EmbeddingsInterface;
  /** Runs the stages. Absent: rules. */
  readonly llm?: BaseChatModel;
  /** Judges the answers. */
  readonly judge?: BaseChatModel;
  /** Seed of the intervals. Default 1. */
  readonly seed?: number;
  /** Is told what is being done. */
  readonly progress?: (message: string) => void;
}

/** What a question costs. */
export interface Costs {
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Tokens of the first ten hits, words × 1.33: what a prompt would grow by. */
  readonly tokensOfTen: number;
  readonly modelCalls: number;
  readonly modelTokens: number;
  /** Mean milliseconds of `ask`, by stage. */
  readonly askMs: { readonly [stage: string]: number };
}

/** One question, for those who look for the reason of a figure. */
export interface QuestionReport {
  readonly conversation: string;
  readonly category: string;
  readonly question: string;
  readonly evidence: readonly string[];
  /** The first twenty turns that were found. */
  readonly found: readonly string[];
  readonly gold: string | null;
  /** "" after an abstention; absent when answers were not asked for. */
  readonly given?: string;
}

export interface EvalReport {
  readonly ingest: readonly (Ingest & { readonly space: string })[];
  readonly retrieval: readonly Row[];
  readonly questions: readonly QuestionReport[];
  readonly costs: Costs;
  readonly answers?: readonly Row[];
  readonly abstention?: Abstention;
  readonly views?: readonly AblationRow[];
  readonly features?: readonly AblationRow[];
  readonly floors?: readonly FloorRow[];
  readonly memories?: readonly DualRow[];
}

const DEFAULT_K = 50;
const TEN = 10;
const TWENTY = 20;

interface Collected {
  readonly ingest: (Ingest & { space: string })[];
  readonly asked: Asked[];
  readonly byViews: Map<string, Asked[]>;
}

function costsOf(asked: readonly Asked[]): Costs {
  const count = Math.max(1, asked.length);
  const searches = asked.reduce((sum, { usage }) => addUsage(sum, usage), emptyUsage());
  const answers = asked.reduce(
    (sum, { answer }) => (answer === undefined ? sum : addUsage(sum, answer.usage)),
    emptyUsage(),
  );
  const both = addUsage(searches, answers);
  return {
    p50Ms: percentile(
      asked.map(({ ms }) => ms),
      0.5,
    ),
    p95Ms: percentile(
      asked.map(({ ms }) => ms),
      0.95,
    ),
    tokensOfTen: meanOf(asked.map(({ hits }) => hits.slice(0, TEN).reduce((sum, { text }) => sum + tokensOf(text), 0))),
    modelCalls: both.modelCalls / count,
    modelTokens: (both.promptTokens + both.completionTokens) / count,
    askMs: Object.fromEntries(Object.entries(answers.ms).map(([stage, ms]) => [stage, ms / count])),
  };
}

function questionReport({ conversation, question, hits, answer }: Asked): QuestionReport {
  return {
    conversation,
    category: question.category,
    question: question.question,
    evidence: question.evidence,
    found: turnsInOrder(hits).slice(0, TWENTY),
    gold: question.answer,
    ...(answer === undefined ? {} : { given: answer.answer }),
  };
}

async function collect(space: Space, folder: string, options: EvalOptions, into: Collected): Promise<void> {
  options.progress?.(`${space.name}: opening or filling its memory`);
  const { memory, ingest, close } = await openSpace(space, { ...options, folder });
  const search: SearchOptions = {
    k: options.k ?? DEFAULT_K,
    ...(options.views === undefined ? {} : { views: options.views }),
    ...(options.planning === undefined ? {} : { planning: options.planning }),
  };
  try {
    into.ingest.push({ space: space.name, ...ingest });
    options.progress?.(`${space.name}: asking`);
    into.asked.push(...(await askAll(memory, space, search, options.asks ?? false)));
    if (options.ablates !== true) return;
    options.progress?.(`${space.name}: asking again with other views`);
    for (const [label, asked] of await askByViews(memory, space, search)) {
      into.byViews.set(label, [...(into.byViews.get(label) ?? []), ...asked]);
    }
  } finally {
    await close();
  }
}

async function report({ ingest, asked, byViews }: Collected, options: EvalOptions): Promise<EvalReport> {
  const seed = options.seed ?? 1;
  const judged = options.judge === undefined ? new Map<Asked, boolean>() : await judgeAnswers(asked, options.judge);
  return {
    ingest,
    retrieval: retrievalRows(asked, seed),
    questions: asked.map(questionReport),
    costs: costsOf(asked),
    ...(options.asks === true ? { answers: answerRows(asked, seed, judged), abstention: abstentionOf(asked) } : {}),
    ...(options.ablates === true
      ? {
          views: viewRows(asked, byViews),
          features: featureRows(asked),
          floors: floorRows(asked),
          memories: dualRows(asked, byViews),
        }
      : {}),
  };
}

/**
 * Measures memory on conversations, through the public API only: add → flush → search and ask. Plain JSON.
 * @example await evaluate(readLocomo("../shared/locomo", ["30"]), { asks: true })
 */
export async function evaluate(
  conversations: readonly EvalConversation[],
  options: EvalOptions = {},
): Promise<EvalReport> {
  const folder = options.store ?? mkdtempSync(join(tmpdir(), "simplemem-eval-"));
  const collected: Collected = { ingest: [], asked: [], byViews: new Map() };
  try {
    for (const space of spacesOf(conversations, options.oneScope ?? false)) {
      await collect(space, folder, options, collected);
    }
    return await report(collected, options);
  } finally {
    if (options.store === undefined) rmSync(folder, { recursive: true, force: true });
  }
}
