import type { DialogueTurn, ExtractedItem, Rejection } from "../../records/index.js";
import type { StageRun } from "../run.js";

/** One window, and what is known around it. */
export interface ExtractInput {
  /** The window. */
  readonly windowId: string;
  /** The new turns, in the order of speech. */
  readonly turns: readonly DialogueTurn[];
  /** Turns before them: they explain, and nothing is extracted from them. */
  readonly context: readonly DialogueTurn[];
  /** Facts already known that lie near, as texts. */
  readonly neighbours: readonly string[];
  /** IANA zone in which days are meant, such as "Asia/Shanghai". */
  readonly timeZone: string;
  /** The caller's words on what to remember and what not. */
  readonly instructions?: string;
}

/** Plain JSON. */
export interface ExtractOutput {
  /** The facts, in the order of speech. */
  readonly items: readonly ExtractedItem[];
  /** Items that did not pass a check. */
  readonly rejections: readonly Rejection[];
  /** What could not be found out: a task without a date, a person without a name. */
  readonly openQuestions: readonly string[];
  /** True when the reply was cut off: the whole items are here, and the window must be taken up again. */
  readonly incomplete: boolean;
}

/**
 * Rewrites a window of turns into facts that stand alone.
 * Rejects when it could not do its work (a dead model, a reply that is no JSON); an empty list of items means that
 * there was nothing to remember.
 */
export interface Extractor {
  /** Who makes the facts, for their history. Absent: a stage of the caller's own. */
  readonly by?: "model" | "rule";
  /** False when `neighbours` need not be looked up for it. Default true. */
  readonly readsKnownFacts?: boolean;
  /** Rewrites one window. @throws when it could not do its work: the window stays, and is tried again */
  extract(input: ExtractInput, run: StageRun): Promise<ExtractOutput>;
}
