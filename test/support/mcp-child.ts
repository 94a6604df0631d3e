/** A process that serves one memory over standard input and output, as an MCP client starts it. Arguments: folder, user. */
import { SimpleMem } from "../../src/index.js";
import { runMcpStdio } from "../../src/mcp/index.js";

const [folder = "", userId = ""] = process.argv.slice(2);
const simplemem = await SimpleMem.open({
  uri: folder,
  window: { idleMs: 0 },
  // A host that prints: the protocol must not be broken by it.
  redact: (text) => {
    console.log("redacting");
    return text;
  },
});
const { closed } = await runMcpStdio({ memory: simplemem, scope: { userId } });
await closed;
await simplemem.close();
