/** A chat server for many users over one memory: each request says who asks, and nobody sees another's memory. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { AIMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { createAgent } from "langchain";
import { simpleMemMiddleware } from "../src/agents/middleware.js";
import { ScopeError, SimpleMem } from "../src/index.js";

await using simplemem = await SimpleMem.open({ uri: "memory://" });

// A scripted model in place of yours: it answers with what it was given of the user's memory.
const model = fakeModel();
for (let call = 0; call < 4; call++) {
  model.respond((messages) => new AIMessage(messages[0]?.getType() === "system" ? messages[0].text : "Noted."));
}
const agent = createAgent({
  model,
  tools: [],
  middleware: [simpleMemMiddleware({ scopeFrom: ({ context }) => simplemem.scope({ userId: context?.userId ?? "" }) })],
});

/** In a server of yours the user comes from the session or the token, never from the text of the message. */
function userOf(request: IncomingMessage): { userId?: string } {
  const user = request.headers["x-user"];
  return typeof user === "string" ? { userId: user } : {};
}

const server = createServer(async (request, response) => {
  try {
    const content = await text(request);
    const { messages } = await agent.invoke({ messages: [{ role: "user", content }] }, { context: userOf(request) });
    response.end(messages.at(-1)?.text);
  } catch (error) {
    response.statusCode = error instanceof ScopeError ? 401 : 500;
    response.end();
  }
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
assert(address !== null && typeof address === "object");

const say = async (body: string, user?: string): Promise<{ status: number; answer: string }> => {
  const headers: Record<string, string> = user === undefined ? {} : { "x-user": user };
  const response = await fetch(`http://127.0.0.1:${address.port}`, { method: "POST", body, headers });
  return { status: response.status, answer: await response.text() };
};

await Promise.all([say("My locker code is 4417.", "ilse"), say("My locker code is 9902.", "bram")]);
const [ilse, bram] = await Promise.all([say("My locker code?", "ilse"), say("My locker code?", "bram")]);
const nobody = await say("My locker code?");
server.close();
console.log(`ilse: ${ilse.answer}\nbram: ${bram.answer}\nnobody: ${nobody.status}`);
assert.match(ilse.answer, /4417/);
assert.doesNotMatch(ilse.answer, /9902/);
assert.match(bram.answer, /9902/);
assert.doesNotMatch(bram.answer, /4417/);
assert.equal(nobody.status, 401);
