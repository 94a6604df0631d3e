import { SimpleMemStore } from "../../src/memory/store.js";

/** Run as a process: `items-worker.ts <folder> <name>`. Writes shared and own items, then prints one line of JSON. */
const [folder = "", name = ""] = process.argv.slice(2);
const ROUNDS = 8;

const store = await SimpleMemStore.open({ uri: folder });
for (let round = 0; round < ROUNDS; round += 1) {
  await store.put(["shared"], `k${round}`, { text: `The heron of ${name} nests in the mill.`, by: name });
  await store.put(["own", name], `k${round}`, { text: `${name} counts ${round} herons.` });
}
const own = await store.search(["own", name], { limit: 100 });
await store.stop();
process.stdout.write(`${JSON.stringify(own.length)}\n`);
