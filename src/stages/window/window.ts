import type { DialogueTurn } from "../../records/index.js";

/** How large windows are. */
export interface WindowOptions {
  /** New turns per window at most, 1 to 1,000. */
  readonly size: number;
  /** Turns before them that are shown as context only, 0 to 100. */
  readonly overlap: number;
  /** Tokens of new turns per window at most; one larger turn makes a window of its own. */
  readonly maxTokens: number;
}

/** A cut: some new turns, and the turns before them as context. */
export interface TurnWindow {
  /** The new turns, in the order of speech. */
  readonly turns: readonly DialogueTurn[];
  /** The turns before them: they explain, and nothing is extracted from them. */
  readonly context: readonly DialogueTurn[];
}

/** Cuts the pending turns of one session, which come in the order of speech, into windows. */
export interface Windower {
  /** Cuts what is pending. A turn that is in no window stays pending; none may be in two. */
  cut(input: {
    readonly pending: readonly DialogueTurn[];
    /** The session's last turns before the pending ones, oldest first. */
    readonly before: readonly DialogueTurn[];
    /** False: a window that may still grow is left out. True: everything is cut. */
    readonly final: boolean;
  }): readonly TurnWindow[];
}
