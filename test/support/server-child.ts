/** A process that serves the memory of one user over a folder until it is killed. Arguments: folder, token. Prints its address. */
import { SimpleMem } from "../../src/index.js";
import { startServer } from "../../src/server/index.js";

const [folder = "", token = ""] = process.argv.slice(2);
const memory = await SimpleMem.open({ uri: folder, window: { size: 10, idleMs: 0 } });
const server = await startServer({
  memory,
  tokens: [{ token, userId: "u-ilse" }],
  port: 0,
  rateLimit: false,
  closeMemory: true,
});
process.on("SIGTERM", () => void server.close());
process.stdout.write(`${server.url}\n`);
