/**
 * A process that forgets one turn, with a purge, and dies at the n-th write to the store after it began. Arguments: folder, n.
 * Prints "ended" when there were fewer.
 */
import { SimpleMem } from "../../src/index.js";
import { StoreTable } from "../../src/store/table.js";

const [folder = "", last = "0"] = process.argv.slice(2);
const simplemem = await SimpleMem.open({ uri: folder, window: { idleMs: 0 } });
let writes = 0;
for (const method of ["append", "insertNew", "upsert", "update", "remove", "scrub"] as const) {
  const original: (...given: never[]) => unknown = StoreTable.prototype[method];
  Object.defineProperty(StoreTable.prototype, method, {
    value(this: StoreTable, ...given: never[]) {
      writes += 1;
      if (writes > Number(last)) process.kill(process.pid, "SIGKILL");
      return original.apply(this, given);
    },
  });
}
await simplemem.scope({ userId: "u-ilse", sessionId: "s1" }).forget({ ids: ["t2"], purge: true });
process.stdout.write("ended\n");
await simplemem.close({ flush: false });
