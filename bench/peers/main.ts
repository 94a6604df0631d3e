import { writeFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { percentile } from "../../src/eval/ask.js";
import { meanOf } from "../../src/eval/bootstrap.js";
import { type EvalConversation, locomoFolder, readChats, readLocomo, retrievalScores } from "../../src/eval/index.js";
import { share, table } from "../../src/eval/table.js";
import { LocalEmbeddings } from "../../src/models/index.js";
import { communityLanceDb } from "./community-lancedb.js";
import { langGraphStore } from "./langgraph-store.js";
import { mem0 } from "./mem0/mem0.js";
import { miniSearch } from "./minisearch.js";
import type { Peer, PeerResult } from "./peer.js";
import { simpleMem } from "./simplemem.js";
import { vectorMemory } from "./vector-memory.js";

/** What users would otherwise pick, on the same turns, with the same embeddings and the same measures. */
const HITS = 50;

async function bytesIn(folder: string): Promise<number> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = found.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}

async function measurePeer(peer: Peer, conversations: readonly EvalConversation[]): Promise<PeerResult> {
  const embeddings = new LocalEmbeddings();
  const scored: { readonly [measure: string]: number }[] = [];
  const searches: number[] = [];
  let fillMs = 0;
  let diskBytes: number | null = null;
  for (const conversation of conversations) {
    const fillsAt = performance.now();
    const filled = await peer.fill(conversation, embeddings);
    fillMs += filled.fillMs ?? performance.now() - fillsAt;
    for (const { question, answer, evidence } of conversation.questions) {
      if (answer === null || evidence.length === 0) continue;
      const startsAt = performance.now();
      const found = await filled.search(question, HITS);
      searches.push(performance.now() - startsAt);
      scored.push(retrievalScores(found, evidence));
    }
    if (filled.folder !== undefined) diskBytes = (diskBytes ?? 0) + (await bytesIn(filled.folder));
    await filled.close?.();
  }
  const names = Object.keys(scored[0] ?? {});
  const turns = conversations.flatMap(({ sessions }) => sessions.flatMap((session) => session.turns)).length;
  return {
    name: peer.name,
    scores: Object.fromEntries(names.map((name) => [name, meanOf(scored.map((one) => one[name] ?? 0))])),
    fillMsPerTurn: fillMs / Math.max(1, turns),
    searchP50Ms: percentile(searches, 0.5),
    searchP95Ms: percentile(searches, 0.95),
    diskBytes,
  };
}

function print(results: readonly PeerResult[]): void {
  const names = Object.keys(results[0]?.scores ?? {});
  const rows = results.map(({ name, scores, fillMsPerTurn, searchP50Ms, searchP95Ms, diskBytes }) => [
    name,
    ...names.map((measure) => share(scores[measure] ?? 0)),
    fillMsPerTurn.toFixed(2),
    searchP50Ms.toFixed(1),
    searchP95Ms.toFixed(1),
    diskBytes === null ? "–" : (diskBytes / 1e6).toFixed(1),
  ]);
  console.log(table(["", ...names, "fill, ms a turn", "search p50 ms", "p95 ms", "disk, MB"], rows));
}

const { values } = parseArgs({
  options: {
    dir: { type: "string" },
    files: { type: "string" },
    chats: { type: "boolean", default: false },
    store: { type: "string" },
    json: { type: "string" },
  },
});
const files = values.files?.split(",");
const conversations = values.chats
  ? readChats(values.dir ?? "test/fixtures/chats", files)
  : readLocomo(values.dir ?? locomoFolder(process.env), files);
const peers = [miniSearch, langGraphStore, vectorMemory, communityLanceDb, mem0, simpleMem(values.store)];
const results: PeerResult[] = [];
for (const peer of peers) {
  console.error(`${peer.name}: filling and asking`);
  try {
    results.push(await measurePeer(peer, conversations));
  } catch (error) {
    // A native module that was not built is no reason to measure none of the others.
    console.error(`${peer.name} was not measured: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
print(results);
