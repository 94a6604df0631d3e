import { SimpleMem } from "../../../src/index.js";
import { LARGE } from "../../suite/seed.js";

/** Opens a store in a process that did nothing else, and searches once. */
const startedAt = performance.now();
const simplemem = await SimpleMem.open({ uri: process.argv[2] ?? "" });
const openMs = performance.now() - startedAt;
const searchedAt = performance.now();
await simplemem.scope({ userId: LARGE.userId }).search("What did Ilse do?", { planning: "never" });
const searchMs = performance.now() - searchedAt;
await simplemem.close();
console.log(JSON.stringify({ openMs, searchMs }));
