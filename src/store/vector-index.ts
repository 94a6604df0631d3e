import type * as Lance from "@lancedb/lancedb";

/** Fewer rows cannot train an index. */
export const MIN_INDEXED_ROWS = 256;
/**
 * From so many rows on, comparing within partitions is too slow, and a graph of rounded numbers pays for its building. A million
 * vectors of 100 numbers are parted in half a minute and lose nothing; their graph was not built in twenty (docs/performance.md).
 */
const GRAPH_FROM = 4_000_000;

const VECTOR = "vector";

/** Partitions that every search looks into; more are looked into only while too few rows were found there. */
const PROBES = 20;
/** A graph tells distances of rounded numbers: so many candidates for each result are compared by their true vectors. */
const REFINED = 2;

/** What LanceDB calls the kinds. */
function kindFor(rows: number): "IvfFlat" | "IvfHnswSq" {
  return rows < GRAPH_FROM ? "IvfFlat" : "IvfHnswSq";
}

async function builtKind(table: Lance.Table): Promise<string | null> {
  return (await table.listIndices()).find(({ columns }) => columns.includes(VECTOR))?.indexType ?? null;
}

/** A search that loses nothing to an index: also a narrow filter finds as many rows as there are, at their true distances. */
export function throughIndex(query: Lance.VectorQuery): Lance.VectorQuery {
  return query.minimumNprobes(PROBES).maximumNprobes(0).refineFactor(REFINED);
}

/**
 * Gives the vectors of a table the index that fits its size: none below `from` rows, where a scan is exact and quick enough;
 * exact distances within partitions (IVF_FLAT) up to four million rows; a graph over rounded numbers (HNSW_SQ) beyond. Rows that
 * come later are found all the same, and folded in by `optimize`.
 * @returns whether there is an index
 */
export async function keepVectorIndex(lance: typeof Lance, table: Lance.Table, from: number): Promise<boolean> {
  const [built, rows] = await Promise.all([builtKind(table), table.countRows(`${VECTOR} IS NOT NULL`)]);
  if (rows < Math.max(from, MIN_INDEXED_ROWS)) return built !== null;
  const kind = kindFor(rows);
  if (built === kind) return true;
  const distance = { distanceType: "cosine" } as const;
  const config = kind === "IvfFlat" ? lance.Index.ivfFlat(distance) : lance.Index.hnswSq(distance);
  await table.createIndex(VECTOR, { config, replace: true });
  return true;
}
