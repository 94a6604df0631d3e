/**
 * A process that uses a store in one way and comes to the end of its file. Arguments: folder, way. Prints "done".
 */

import { SimpleMem } from "../../src/index.js";
import { SimpleMemStore } from "../../src/memory/store.js";
import { ScriptedModel } from "./fakes.js";

const [folder = "", way = ""] = process.argv.slice(2);
const never = new ScriptedModel([() => new Promise<string>(() => {})]);
const dead = new ScriptedModel([Object.assign(new Error("down"), { status: 400 })]);

async function fill(options: { llm?: ScriptedModel } = {}): Promise<SimpleMem> {
  const simplemem = await SimpleMem.open({ uri: folder, ...options });
  await simplemem.scope({ userId: "u" }).add({ speaker: "Ilse", content: "The heron nests in the mill." });
  return simplemem;
}

const WAYS: { readonly [way: string]: () => Promise<unknown> } = {
  opens: () => SimpleMem.open({ uri: folder }),
  closes: async () => {
    const simplemem = await fill();
    await simplemem.scope({ userId: "u" }).search("heron");
    await simplemem.close();
  },
  flushes: async () => (await fill()).scope({ userId: "u" }).flush(),
  asks: async () => (await fill()).scope({ userId: "u" }).ask("Where does the heron nest?"),
  "leaves turns waiting": fill,
  "fills windows": async () => {
    const memory = (await fill()).scope({ userId: "u" });
    await memory.add(
      Array.from({ length: 45 }, (_, index) => ({ speaker: "Ilse", content: `Room ${index} is blue.` })),
    );
  },
  "fails to flush": async () => (await fill({ llm: dead })).scope({ userId: "u" }).flush(),
  "gives a dead model up": async () => {
    const simplemem = await SimpleMem.open({ uri: folder, llm: never, limits: { stageTimeoutMs: 20 } });
    await simplemem.scope({ userId: "u" }).add({ speaker: "Ilse", content: "The heron nests in the mill." });
    await simplemem.close();
  },
  "closes before it is done": async () => {
    const simplemem = await fill({ llm: never });
    await simplemem.close({ timeoutMs: 20 });
  },
  "stops a stream": async () => {
    for await (const _piece of (await fill()).scope({ userId: "u" }).streamAsk("Where does the heron nest?")) break;
  },
  "keeps items": async () => {
    const store = await SimpleMemStore.open({ uri: folder, ttl: { defaultTtl: 60 } });
    await store.put(["docs"], "k", { text: "The heron nests in the mill." });
  },
};

await WAYS[way]?.();
process.stdout.write("done\n");
