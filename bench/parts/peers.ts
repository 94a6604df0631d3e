import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PeerResult } from "../peers/peer.js";
import { inFreshFolder } from "../suite/folders.js";
import { megabytes, rounded } from "../suite/numbers.js";
import type { Cells, Part } from "../suite/part.js";

const PEERS = new URL("../peers/", import.meta.url);

function rowOf({ name, scores, fillMsPerTurn, searchP50Ms, searchP95Ms, diskBytes }: PeerResult): Cells {
  const recall = (measure: string): number => rounded(scores[measure] ?? 0);
  return {
    memory: name,
    "fill, ms a turn": rounded(fillMsPerTurn),
    "search p50 ms": rounded(searchP50Ms),
    p95: rounded(searchP95Ms),
    "disk MB": diskBytes === null ? null : megabytes(diskBytes),
    "recall@10": recall("recall@10"),
    "500 tokens": recall("recall@500tok"),
    "1,000 tokens": recall("recall@1000tok"),
  };
}

/** What users would otherwise pick, on the same turns with the same embedder. They are installed by `npm run eval:peers`. */
export const peers: Part = async ({ locomo, files = [] }) => {
  if (!existsSync(new URL("node_modules", PEERS))) {
    return { tables: [], left: ["the peers are not installed: `npm run eval:peers` installs them in bench/peers"] };
  }
  if (!existsSync(locomo)) return { tables: [], left: [`there is no folder ${locomo}; name it with --locomo`] };
  return inFreshFolder(async (folder) => {
    const json = join(folder, "peers.json");
    const script = fileURLToPath(new URL("main.ts", PEERS));
    const chosen = files.length === 0 ? [] : ["--files", files.join(",")];
    const args = ["--import", "tsx", script, "--dir", locomo, "--json", json, ...chosen];
    const { status } = spawnSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    const results: PeerResult[] = JSON.parse(await readFile(json, "utf8"));
    return {
      tables: [
        {
          title: "Peers: the same turns, the same embedder, one store for each conversation",
          rows: results.map(rowOf),
        },
      ],
      ...(status === 0 ? {} : { left: ["a peer that did not load; the lines above say why"] }),
    };
  });
};
