import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface ScriptedReply {
  readonly status?: number;
  readonly content?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly args: unknown }[];
  readonly delayMs?: number;
  readonly finishReason?: string;
}

export interface OpenAiServerOptions {
  readonly reply: (request: unknown, callIndex: number) => ScriptedReply;
  readonly embed?: (text: string) => number[];
  readonly dimension?: number;
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return JSON.parse(text || "{}");
}

function vectorOf(text: string, dimension: number): number[] {
  const vector = Array.from({ length: dimension }, () => 0.01);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 7;
    for (const point of word) hash = (hash * 31 + (point.codePointAt(0) ?? 0)) % 9973;
    vector[hash % dimension] = (vector[hash % dimension] ?? 0) + 1;
  }
  return vector;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function sendChat(response: ServerResponse, request: Record<string, unknown>, scripted: ScriptedReply): void {
  const status = scripted.status ?? 200;
  if (status !== 200) {
    send(response, status, { error: { message: `scripted ${status}`, type: "scripted" } });
    return;
  }
  const calls = scripted.toolCalls?.map(({ name, args }, index) => ({
    index,
    id: `call_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  const message = {
    role: "assistant",
    content: scripted.content ?? (calls ? null : ""),
    ...(calls ? { tool_calls: calls } : {}),
  };
  const finish = scripted.finishReason ?? (calls ? "tool_calls" : "stop");
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const base = { id: "chat-1", created: 0, model: request.model };
  if (request.stream !== true) {
    const choices = [{ index: 0, message, finish_reason: finish }];
    send(response, 200, { ...base, object: "chat.completion", choices, usage });
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (choices: unknown[], more = {}) =>
    response.write(`data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", choices, ...more })}\n\n`);
  chunk([{ index: 0, delta: message, finish_reason: null }]);
  chunk([{ index: 0, delta: {}, finish_reason: finish }]);
  chunk([], { usage });
  response.end("data: [DONE]\n\n");
}

/** A scripted server on this machine that speaks OpenAI's chat completions and embeddings. */
export async function startOpenAiServer({ reply, embed, dimension = 16 }: OpenAiServerOptions) {
  const calls: unknown[] = [];
  const embedCalls: unknown[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await bodyOf(incoming);
    if (incoming.url?.endsWith("/embeddings")) {
      embedCalls.push(request);
      const input = Array.isArray(request.input) ? request.input : [request.input];
      const data = input.map((text, index) => {
        const vector = embed?.(String(text)) ?? vectorOf(String(text), dimension);
        const bytes = Buffer.from(new Float32Array(vector).buffer);
        return {
          object: "embedding",
          index,
          embedding: request.encoding_format === "base64" ? bytes.toString("base64") : vector,
        };
      });
      return send(response, 200, {
        object: "list",
        model: request.model,
        data,
        usage: { prompt_tokens: 1, total_tokens: 1 },
      });
    }
    const scripted = reply(request, calls.push(request) - 1);
    if (scripted.delayMs) await new Promise((resolve) => setTimeout(resolve, scripted.delayMs));
    sendChat(response, request, scripted);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}/v1`, calls, embedCalls, close };
}
