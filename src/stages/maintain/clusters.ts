import type { MemoryEntry } from "../../records/index.js";
import type { Cluster } from "./maintainer.js";

/** More parts make a text that nobody reads. */
const MAX_PARTS = 12;

/** An entry and those that lie near it. */
export interface Neighbourhood {
  readonly entry: MemoryEntry;
  readonly neighbours: readonly MemoryEntry[];
}

export interface ClusterRule {
  readonly minParts: number;
  /** Average cosine of all pairs of a cluster. */
  readonly similarity: number;
  /** Cosine of two entries of the neighbourhoods. */
  readonly likeness: (left: MemoryEntry, right: MemoryEntry) => number;
  /** Whether nothing in what two entries say keeps them apart. */
  readonly agrees: (left: MemoryEntry, right: MemoryEntry) => boolean;
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function inOrderOfSpeech(entries: readonly MemoryEntry[]): Cluster {
  const key = ({ mentionedAt, createdAt, entryId }: MemoryEntry): string => `${mentionedAt} ${createdAt} ${entryId}`;
  return [...entries].sort((left, right) => (key(left) < key(right) ? -1 : 1));
}

/** The likenesses of all pairs with one more member, or null when it does not belong to them. */
function withMember(
  members: readonly MemoryEntry[],
  pairs: readonly number[],
  candidate: MemoryEntry,
  rule: ClusterRule,
): readonly number[] | null {
  const grown = [...pairs, ...members.map((member) => rule.likeness(member, candidate))];
  const fits = average(grown) >= rule.similarity && members.every((member) => rule.agrees(member, candidate));
  return fits ? grown : null;
}

/** The cluster round one entry: its neighbours, nearest first, as long as the average of all pairs holds. */
function around({ entry, neighbours }: Neighbourhood, taken: ReadonlySet<string>, rule: ClusterRule): Cluster {
  const members = [entry];
  let pairs: readonly number[] = [];
  for (const candidate of neighbours) {
    if (members.length === MAX_PARTS) break;
    if (taken.has(candidate.entryId)) continue;
    const grown = withMember(members, pairs, candidate, rule);
    if (grown === null) continue;
    members.push(candidate);
    pairs = grown;
  }
  return inOrderOfSpeech(members);
}

/** Clusters among entries and their neighbours; no entry is in two. Only neighbours are compared, never all with all. */
export function findClusters(neighbourhoods: readonly Neighbourhood[], rule: ClusterRule): readonly Cluster[] {
  const taken = new Set<string>();
  const clusters: Cluster[] = [];
  for (const one of neighbourhoods) {
    if (taken.has(one.entry.entryId)) continue;
    const cluster = around(one, taken, rule);
    if (cluster.length < rule.minParts) continue;
    for (const { entryId } of cluster) taken.add(entryId);
    clusters.push(cluster);
  }
  return clusters;
}
