import { parseArgs } from "node:util";
import { SimpleMem } from "../../../src/index.js";
import { inChild, isMain } from "../../suite/child.js";
import { inFreshFolder } from "../../suite/folders.js";
import { madeUpTurns } from "../../suite/made-up.js";
import { NullEmbeddings } from "../../suite/null-embeddings.js";
import { rounded, timed } from "../../suite/numbers.js";
import { type BenchOptions, type BenchTable, repetitions } from "../../suite/part.js";

const PROCESSES = 2;
const TURNS_EACH = 100;

/** A process that adds and flushes turn by turn. */
async function work(folder: string, name: string, count: number): Promise<void> {
  const simplemem = await SimpleMem.open({ uri: folder, embeddings: new NullEmbeddings(), window: { idleMs: 0 } });
  const memory = simplemem.scope({ userId: "bench", sessionId: name });
  for (const turn of madeUpTurns(count)) {
    await memory.add({ ...turn, id: `${name}-${turn.id}`, content: `${turn.content} (${name})` });
    await memory.flush();
  }
  await simplemem.close();
}

/** Two processes that write into one scope at once, each turn by turn. */
export async function severalProcesses(options: BenchOptions): Promise<BenchTable> {
  const each = repetitions(options, TURNS_EACH);
  const ms = await inFreshFolder((folder) =>
    timed(() =>
      Promise.all(
        Array.from({ length: PROCESSES }, (_, index) =>
          inChild(new URL(import.meta.url), ["--folder", folder, "--name", `p${index}`, "--each", String(each)]),
        ),
      ),
    ),
  );
  const row = {
    processes: PROCESSES,
    "turns of each": each,
    seconds: rounded(ms / 1000),
    "ms a turn": rounded(ms / (PROCESSES * each)),
  };
  return { title: "Processes that add and flush turn by turn, into one scope", rows: [row] };
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({
    options: { folder: { type: "string" }, name: { type: "string" }, each: { type: "string" } },
  });
  await work(values.folder ?? "", values.name ?? "", Number(values.each));
  console.log(JSON.stringify(null));
}
