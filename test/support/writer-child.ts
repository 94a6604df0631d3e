/**
 * A process that adds numbered turns to a store and flushes now and then, until it is killed or done.
 * Arguments: folder, name, first number, last number, turns per flush. Prints one line per accepted turn.
 */
import { SimpleMem } from "../../src/index.js";

const [folder = "", name = "", first = "0", last = "0", perFlush = "5"] = process.argv.slice(2);
const simplemem = await SimpleMem.open({ uri: folder, window: { size: 10, idleMs: 0 } });
const memory = simplemem.scope({ userId: "u-ilse", sessionId: name });
for (let number = Number(first); number <= Number(last); number++) {
  const id = `${name}-${number}`;
  await memory.add({ id, speaker: "Ilse Corrin", content: `The locker code of room ${id} is ${10_000 + number}.` });
  process.stdout.write(`${id}\n`);
  if (number % Number(perFlush) === 0) await memory.flush();
}
await simplemem.close();
