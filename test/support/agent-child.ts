/**
 * A process in which one agent of a user writes, in turn, what all agents share and what is its own, and flushes now and then.
 * Arguments: folder, agent, number of turns of each kind. Prints "done".
 */
import { SimpleMem } from "../../src/index.js";

const [folder = "", agentId = "", turns = "0"] = process.argv.slice(2);
const simplemem = await SimpleMem.open({ uri: folder, window: { size: 10, idleMs: 0 } });
const shared = simplemem.scope({ userId: "u-ilse", sessionId: agentId, agentId, sharing: "shared" });
const own = simplemem.scope({ userId: "u-ilse", sessionId: agentId, agentId });
for (let number = 0; number < Number(turns); number++) {
  const room = `${agentId}${number}`;
  await shared.add({
    id: `s-${room}`,
    speaker: "Ilse Corrin",
    content: `The code of hall ${room} is ${10_000 + number}.`,
  });
  await own.add({
    id: `p-${room}`,
    speaker: "Ilse Corrin",
    content: `The key of vault ${room} is ${20_000 + number}.`,
  });
  if (number % 4 === 3) await Promise.all([shared.flush(), own.flush()]);
}
await shared.add({ id: `all-${agentId}`, speaker: "Ilse Corrin", content: "The harbour office opens at 8:15." });
await Promise.all([shared.flush(), own.flush()]);
await simplemem.close();
process.stdout.write("done\n");
