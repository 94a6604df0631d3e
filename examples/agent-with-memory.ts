/** An agent in two processes over one folder: what the first was told, the second remembers. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AIMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { createAgent } from "langchain";
import { simpleMemMiddleware } from "../src/agents/middleware.js";
import { SimpleMem } from "../src/index.js";

/** One process: opens the folder, says one thing to the agent, prints its answer, closes. */
async function talk(uri: string, content: string): Promise<void> {
  await using simplemem = await SimpleMem.open({ uri });
  const memory = simplemem.scope({ userId: "ilse" });
  // A scripted model in place of yours: it answers with the line of its system message that speaks of the boathouse.
  const model = fakeModel().respond((messages) => {
    const known = messages.find((one) => one.getType() === "system")?.text ?? "";
    const line = known.split("\n").find((one) => one.includes("boathouse"));
    return new AIMessage(line ?? "I did not know that.");
  });
  const agent = createAgent({ model, tools: [], middleware: [simpleMemMiddleware({ memory })] });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content }] });
  console.log(messages.at(-1)?.text);
}

function inOtherProcess(uri: string, content: string): string {
  const args = [...process.execArgv, fileURLToPath(import.meta.url), uri, content];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

const [, , folder, message] = process.argv;
if (folder !== undefined && message !== undefined) {
  await talk(folder, message);
} else {
  const uri = mkdtempSync(join(tmpdir(), "simplemem-agent-"));
  try {
    const first = inOtherProcess(uri, "We decided to paint the boathouse door green.");
    const second = inOtherProcess(uri, "Which colour does the boathouse door get?");
    console.log(`first process: ${first}\nsecond process: ${second}`);
    assert.equal(first, "I did not know that.");
    assert.match(second, /green/);
  } finally {
    rmSync(uri, { recursive: true, force: true });
  }
}
