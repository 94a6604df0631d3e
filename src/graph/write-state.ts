import { ReducedValue, StateSchema } from "@langchain/langgraph";
import { z } from "zod/v4";
import type { ChangeAuthor, Rejection, WindowRecord, WriteFailure } from "../records/index.js";
import type { ConsolidationItem, Decision } from "../stages/consolidate/consolidator.js";
import type { AppliedCounts } from "./apply-decisions.js";
import type { Share } from "./share.js";
import { exactScopeSchema, list, usageSum } from "./state-parts.js";

export interface WriteTally extends AppliedCounts {
  rejected: number;
  windowsStored: number;
  /** For the fidelity of the run: numbers, dates, names and negations kept, of those there were. */
  kept: number;
  total: number;
  tokensIn: number;
  tokensOut: number;
}

export const EMPTY_TALLY: WriteTally = {
  added: 0,
  merged: 0,
  superseded: 0,
  skipped: 0,
  conflicted: 0,
  rejected: 0,
  windowsStored: 0,
  kept: 0,
  total: 0,
  tokensIn: 0,
  tokensOut: 0,
};

function addTally(left: WriteTally, right: Partial<WriteTally>): WriteTally {
  const sum = { ...left };
  for (const key of Object.keys(EMPTY_TALLY) as (keyof WriteTally)[]) sum[key] = left[key] + (right[key] ?? 0);
  return sum;
}

/** What the consolidate node hands to the store node. */
export interface ConsolidatedWindows {
  readonly windows: readonly Omit<WindowRecord, "items">[];
  /** The items of all of them, in the order of speech. */
  readonly items: readonly ConsolidationItem[];
  /** For each item the place of its window. */
  readonly windowOf: readonly number[];
  /** Ids of those that an earlier try stored. */
  readonly replayed: readonly string[];
  readonly decisions: readonly Decision[];
  readonly decidedBy: readonly ChangeAuthor[];
  readonly vectors: readonly (readonly number[])[];
  readonly chunkVectors: { readonly [chunkId: string]: readonly number[] };
  readonly mergedVectors: { readonly [text: string]: readonly number[] };
  readonly rejections: readonly Rejection[];
}

/** All of it is plain JSON. */
export const WriteState = new StateSchema({
  /** Whose pending turns are processed. */
  scope: exactScopeSchema,
  /** Token of this run: what it locks is known by it. */
  runId: z.string(),
  /** False: windows that may still grow are left alone. */
  final: z.boolean().default(true),
  retryFailed: z.boolean().default(false),
  /** How much of what waits is taken; null: all. */
  share: z.custom<Share | null>().default(null),
  /** Claimed windows, in the order of speech. */
  claimed: z.custom<{ windowId: string; sessionId: string; attempts: number }[]>().default(() => []),
  /** Windows whose items wait to be consolidated, in the order of speech. */
  queue: z.custom<string[]>().default(() => []),
  extracted: list<string>(),
  /** Windows at the head of the queue that are taken one by one, since together they failed. */
  alone: z.number().default(0),
  consolidated: z.custom<ConsolidatedWindows | null>().default(null),
  failures: list<WriteFailure>(),
  rejections: list<Rejection>(),
  openQuestions: list<string>(),
  tally: new ReducedValue(
    z.custom<WriteTally>().default(() => EMPTY_TALLY),
    {
      inputSchema: z.custom<Partial<WriteTally>>(),
      reducer: addTally,
    },
  ),
  usage: usageSum(),
});

export type WriteStateType = typeof WriteState.State;
export type WriteUpdate = typeof WriteState.Update;
