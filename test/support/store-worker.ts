import { exactScope, openStore } from "../../src/store/index.js";
import { DIMENSION, EMBEDDER, entryRow, turnOf, windowOf } from "./store.js";

/** Run as a process: `store-worker <folder> <task> <name>`. Prints one line of JSON. */
const [folder = "", task = "", name = ""] = process.argv.slice(2);
const scope = exactScope({ userId: "u-ilse" });
const ROUNDS = 10;

async function run(): Promise<unknown> {
  const store = await openStore({ uri: folder });
  try {
    await store.ensureDimension(DIMENSION, EMBEDDER);
    switch (task) {
      case "upsert":
        for (let index = 0; index < ROUNDS; index += 1) {
          await store.entries.put(scope, [entryRow({ entryId: `k${index}` })]);
          await store.turns.insert(scope, [turnOf({ dialogueId: `k${index}` })]);
        }
        return "done";
      case "add":
        await store.entries.put(scope, [entryRow({ entryId: name })]);
        return (await store.entries.byIds(scope, [name])).length;
      case "claim": {
        await store.ledger.insert(
          scope,
          Array.from({ length: ROUNDS }, (_, index) => windowOf({ windowId: `w${index}` })),
        );
        const held = await store.ledger.claim(scope, {
          owner: name,
          now: 1,
          leaseExpiresAt: 1000,
          states: ["pending"],
        });
        return held.map((window) => window.windowId);
      }
      default:
        throw new Error(`unknown task ${task}`);
    }
  } finally {
    await store.close();
  }
}

process.stdout.write(`${JSON.stringify(await run())}\n`);
