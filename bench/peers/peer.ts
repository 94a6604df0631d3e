import type { EvalConversation, Found } from "../../src/eval/index.js";
import type { LocalEmbeddings } from "../../src/models/index.js";

/** A memory that holds one conversation, turn by turn. */
export interface FilledPeer {
  /** At most k turns, best first. */
  search(question: string, k: number): Promise<Found[]>;
  /** Milliseconds that filling took, where it had been done before. */
  readonly fillMs?: number;
  /** What it keeps on disk; absent: nothing. */
  readonly folder?: string;
  close?(): Promise<void>;
}

/** What users would otherwise pick, as its own documentation sets it up. */
export interface Peer {
  readonly name: string;
  fill(conversation: EvalConversation, embeddings: LocalEmbeddings): Promise<FilledPeer>;
}

/** A turn as every peer gets it. */
export interface PeerTurn {
  readonly id: string;
  readonly text: string;
}

/** Who said what, in one text: peers have no field for the speaker. */
export function peerTurns(conversation: EvalConversation): PeerTurn[] {
  return conversation.sessions.flatMap(({ turns }) =>
    turns.map(({ id, speaker, content }) => ({ id, text: `${speaker}: ${content}` })),
  );
}

/** What was measured of a peer, over all conversations. */
export interface PeerResult {
  readonly name: string;
  readonly scores: { readonly [measure: string]: number };
  readonly fillMsPerTurn: number;
  readonly searchP50Ms: number;
  readonly searchP95Ms: number;
  /** Null: nothing is on disk, and what was remembered is gone with the process. */
  readonly diskBytes: number | null;
}
