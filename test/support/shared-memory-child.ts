/**
 * A process of a memory that several share: a front that only adds, and prints the id of each accepted turn, or a worker, which prints
 * what it did when it ends. Its argument is a `SharedTask` as JSON.
 */
import { SimpleMem } from "../../src/index.js";
import { noting, type SharedTask, sharedOptions, turnOf } from "./shared-memory.js";

const given: SharedTask = JSON.parse(process.argv[2] ?? "{}");
const { uri, storageOptions = {}, users = [], turns = 0, calls = "", once = false, leaseMs, hangMs } = given;

async function front(): Promise<void> {
  const simplemem = await SimpleMem.open({ uri, storageOptions, ...sharedOptions(null) });
  for (let number = 1; number <= turns; number += 1) {
    for (const userId of users) {
      const turn = turnOf(userId, number);
      await simplemem.scope({ userId }).add(turn);
      console.log(turn.id);
    }
  }
  await simplemem.close({ flush: false });
}

async function work(): Promise<void> {
  const limits = leaseMs === undefined ? {} : { leaseMs };
  const simplemem = await SimpleMem.open({ uri, storageOptions, limits, ...sharedOptions(noting(calls, hangMs)) });
  const ending = new AbortController();
  process.once("SIGTERM", () => ending.abort());
  const { signal } = ending;
  const { windows, failures } = await simplemem.work({ signal, once, concurrency: 2, windowsAtOnce: 2, pollMs: 50 });
  console.log(JSON.stringify({ stored: windows.stored, failures }));
  await simplemem.close();
}

await (given.task === "front" ? front() : work());
