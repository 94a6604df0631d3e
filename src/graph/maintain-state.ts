import { ReducedValue, StateSchema } from "@langchain/langgraph";
import { z } from "zod/v4";
import type { MaintenanceFailure, MaintenanceReport, Rejection, Upkeep } from "../records/index.js";
import { exactScopeSchema, list, usageSum } from "./state-parts.js";

/** Counts of one run, for its report. */
export interface MaintainTally {
  accesses: number;
  expiredEntries: number;
  expiredFacts: number;
  fading: number;
  archived: number;
  revived: number;
  joined: number;
  made: number;
  parts: number;
  refused: number;
}

export const EMPTY_COUNTS: MaintainTally = Object.freeze({
  accesses: 0,
  expiredEntries: 0,
  expiredFacts: 0,
  fading: 0,
  archived: 0,
  revived: 0,
  joined: 0,
  made: 0,
  parts: 0,
  refused: 0,
});

export function addCounts(left: MaintainTally, right: MaintainTally): MaintainTally {
  return {
    accesses: left.accesses + right.accesses,
    expiredEntries: left.expiredEntries + right.expiredEntries,
    expiredFacts: left.expiredFacts + right.expiredFacts,
    fading: left.fading + right.fading,
    archived: left.archived + right.archived,
    revived: left.revived + right.revived,
    joined: left.joined + right.joined,
    made: left.made + right.made,
    parts: left.parts + right.parts,
    refused: left.refused + right.refused,
  };
}

/** All of it is plain JSON. */
export const MaintainState = new StateSchema({
  /** Whose memory. */
  scope: exactScopeSchema,
  /** False: the tables are left alone, since the run is one of many. */
  upkeep: z.boolean().default(true),
  /** True: alerts stand in the report alone, since a run over all scopes tells them. */
  quiet: z.boolean().default(false),
  /** When the run began, milliseconds since the epoch: by this time it decides. */
  now: z.number().default(0),
  runId: z.string().default(""),
  /** Entries that did not change since then were compared by an earlier run, ISO 8601; null: none were. */
  since: z.string().nullable().default(null),
  examined: z.number().default(0),
  bytesBefore: z.number().default(0),
  upkeepDone: z.custom<Upkeep | null>().default(null),
  tally: new ReducedValue(
    z.custom<MaintainTally>().default(() => EMPTY_COUNTS),
    { inputSchema: z.custom<MaintainTally>(), reducer: addCounts },
  ),
  rejections: list<Rejection>(),
  failures: list<MaintenanceFailure>(),
  usage: usageSum(),
  report: z.custom<MaintenanceReport | null>().default(null),
});

export type MaintainStateType = typeof MaintainState.State;
export type MaintainUpdate = typeof MaintainState.Update;
