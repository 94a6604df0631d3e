import { InvalidVectorError, isSameJson, type MemoryEntry, type Usage } from "../records/index.js";
import { agree, type Cluster, findClusters, isEligible, lossOf } from "../stages/maintain/index.js";
import { cosine, type EntryRow, type ExactScope } from "../store/index.js";
import { comparedByRules, isContradiction } from "./compared.js";
import { withDeadline } from "./deadline.js";
import { alone, createStep, pagesOf, type StepJob } from "./maintain-step.js";
import { isKeptByHand } from "./maintained-row.js";
import { nearRows } from "./near-rows.js";
import { type PatternDraft, patternRows } from "./pattern-row.js";
import { budgetOf } from "./progress.js";
import type { MaintainServices } from "./services.js";

const NEIGHBOURS = 24;
/** A pair may lie a little below what the average of all pairs must reach. */
const BELOW_AVERAGE = 0.1;
/** What may be part of a pattern; plans and decisions have a state of their own. */
const KINDS = ["fact", "preference", "event", "pattern"] as const;
const REJECTED_TEXT = 120;

type Rows = ReadonlyMap<string, EntryRow>;

async function contradictsItself(services: MaintainServices, cluster: Cluster): Promise<boolean> {
  const pairs = cluster.flatMap((later, index) => cluster.slice(0, index).map((earlier) => [later, earlier] as const));
  return (await comparedByRules(services, pairs)).some(isContradiction);
}

/** Clusters round the entries of a page, and the rows that they are made of. */
async function clustersOf(services: MaintainServices, scope: ExactScope, page: readonly MemoryEntry[]) {
  const { similarity, minParts } = services.rule;
  const ids = page.map(({ entryId }) => entryId);
  const near = await nearRows(services, scope, ids, { limit: NEIGHBOURS, floor: similarity - BELOW_AVERAGE });
  const all = [...near.asked, ...[...near.neighbours.values()].flat()];
  const rows: Rows = new Map(
    all.filter((row) => isEligible(row.entry) && !isKeptByHand(row)).map((row) => [row.entry.entryId, row]),
  );
  const neighbourhoods = near.asked
    .filter(({ entry }) => rows.has(entry.entryId))
    .map(({ entry }) => ({
      entry,
      neighbours: (near.neighbours.get(entry.entryId) ?? [])
        .map((row) => row.entry)
        .filter(({ entryId }) => rows.has(entryId)),
    }));
  const vectorOf = ({ entryId }: MemoryEntry): readonly number[] => rows.get(entryId)?.vector ?? [];
  const found = findClusters(neighbourhoods, {
    minParts,
    similarity,
    likeness: (left, right) => cosine(vectorOf(left), vectorOf(right)),
    agrees: agree,
  });
  const clusters: Cluster[] = [];
  for (const cluster of found) if (!(await contradictsItself(services, cluster))) clusters.push(cluster);
  return { clusters, rows };
}

async function embed({ embedder, store }: MaintainServices, texts: string[], usage: Usage): Promise<number[][]> {
  if (texts.length === 0) return [];
  const vectors = await embedder.embedDocuments(texts);
  usage.embeddedTexts += texts.length;
  const [first] = vectors;
  if (first === undefined || vectors.length !== texts.length) {
    throw new InvalidVectorError(`the embedder answered ${vectors.length} vectors for ${texts.length} texts.`);
  }
  await store.ensureDimension(first.length, embedder.name);
  return vectors;
}

/** Texts for the clusters, each checked once more, whoever wrote it. Nobody waits for a model: the scope is free meanwhile. */
async function drafted(
  services: MaintainServices,
  clusters: readonly Cluster[],
  rows: Rows,
  { usage, tally, rejections, runtime }: StepJob,
): Promise<readonly PatternDraft[]> {
  const { logger, clock: now, limits, embedder } = services;
  const context = { usage, logger, now, ...budgetOf(runtime) };
  const output = await withDeadline("condense", limits.stageTimeoutMs, runtime?.signal, context, (run) =>
    services.maintainer.condense({ clusters }, run),
  );
  rejections.push(...output.rejections);
  const kept = clusters.flatMap((cluster, index) => {
    const summary = output.summaries[index] ?? null;
    const loss = summary === null ? "no_text" : lossOf(summary.text, cluster);
    if (summary !== null && loss === null) return [{ ...summary, cluster }];
    tally.refused += 1;
    if (summary !== null) rejections.push({ reason: `${loss}: a pattern`, text: summary.text.slice(0, REJECTED_TEXT) });
    return [];
  });
  const vectors = await embed(
    services,
    kept.map(({ text }) => text),
    usage,
  );
  return kept.map(({ cluster, text, by }, index) => ({
    parts: cluster.flatMap(({ entryId }) => rows.get(entryId) ?? []),
    text,
    by,
    vector: vectors[index] ?? [],
    embeddingModel: embedder.name,
  }));
}

/** Whether every part is as it was when the text was written. Found meanwhile is no change. */
function isUnchanged({ parts }: PatternDraft, present: Rows): boolean {
  return parts.every(({ entry, changes }) => {
    const row = present.get(entry.entryId);
    return row !== undefined && row.entry.updatedAt === entry.updatedAt && isSameJson(row.changes, changes);
  });
}

/** Pattern and parts in one commit; a cluster of which a part was changed or forgotten meanwhile is left for the next run. */
async function store(services: MaintainServices, scope: ExactScope, draft: PatternDraft, now: string) {
  const ids = draft.parts.map(({ entry }) => entry.entryId);
  const present = new Map((await services.store.entries.rows(scope, ids)).map((row) => [row.entry.entryId, row]));
  if (!isUnchanged(draft, present)) return 0;
  const parts = ids.flatMap((id) => present.get(id) ?? []);
  await services.store.entries.put(scope, patternRows(scope, { ...draft, parts }, now));
  return parts.length;
}

/**
 * Sums up what is said again and again: a cluster becomes one entry of the kind `pattern`, and its parts are archived under it.
 * Patterns may be parts of further ones.
 */
export function createClusterNode(services: MaintainServices) {
  return createStep("cluster", services, async ({ scope, since, now }, job) => {
    const filter = { status: "active", kind: KINDS, ...(since === null ? {} : { changedSince: since }) } as const;
    const time = new Date(now).toISOString();
    const signal = job.runtime?.signal;
    for await (const page of pagesOf(services, scope, filter, signal)) {
      const { clusters, rows } = await clustersOf(services, scope, page);
      if (clusters.length === 0) continue;
      for (const draft of await drafted(services, clusters, rows, job)) {
        const parts = await alone(services, scope, () => store(services, scope, draft, time), signal);
        job.tally.parts += parts;
        job.tally.made += Number(parts > 0);
      }
    }
  });
}
