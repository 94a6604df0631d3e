import { describe, expect, it } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { ENDPOINTS, startServer } from "../../src/server/index.js";
import { streamOf } from "../../src/server/streams.js";
import { ScriptedModel } from "../support/fakes.js";
import { eventsOf, ILSE, jsonOf, OPERATOR, post, serveMemory, TOVE } from "../support/http.js";

const EVENTS = { accept: "text/event-stream" };
const TURNS = {
  turns: [
    { id: "t1", speaker: "Ilse", content: "I moved to Graz in March 2024." },
    { id: "t2", role: "user", content: "I work at Kite & Sons as a sailmaker since 2019." },
  ],
};

async function called(url: string, path: string, body: unknown, token: string = ILSE.token) {
  const response = await post(`${url}${path}`, token, body);
  const answer = await jsonOf(response);
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer;
}

describe("the public calls over HTTP", () => {
  it("turns become facts, which are found, explained, corrected, restored and forgotten", async () => {
    const { url } = await serveMemory();
    expect(await called(url, "/v1/add", TURNS)).toEqual({ accepted: 2, duplicates: 0, refused: 0, pending: 2 });
    expect(await called(url, "/v1/add", TURNS)).toMatchObject({ accepted: 0, duplicates: 2 });
    expect(await called(url, "/v1/flush", {})).toMatchObject({ windows: { stored: 1 }, failures: [] });
    const { hits } = await called(url, "/v1/search", { query: "Where did Ilse move?", k: 3 });
    expect(hits[0]).toMatchObject({ kind: "entry", sourceIds: ["t1"] });
    const { id } = hits[0];
    expect(await called(url, "/v1/ask", { question: "Where did Ilse move?" })).toMatchObject({ abstained: false });
    expect((await called(url, "/v1/context", { query: "Where did Ilse move?" })).text).toContain("Graz");
    expect((await called(url, "/v1/why", { id })).sources).toMatchObject([{ dialogueId: "t1" }]);
    const patch = { text: "Ilse moved to Linz in March 2024." };
    expect(await called(url, "/v1/update", { id, patch, reason: "misheard" })).toMatchObject({ entryId: id });
    expect((await called(url, "/v1/history", { id })).items).toMatchObject([{}, { op: "updated", reason: "misheard" }]);
    expect((await called(url, "/v1/restore", { id, version: 1 })).losslessRestatement).toContain("Graz");
    expect(await called(url, "/v1/pin", { id })).toMatchObject({ pinned: true });
    expect(await called(url, "/v1/unpin", { id })).toMatchObject({ pinned: false });
    expect((await called(url, "/v1/changes", { since: "2000-01-01" })).items).not.toEqual([]);
    expect((await called(url, "/v1/timeline", { person: "Ilse" })).items).not.toEqual([]);
    expect((await called(url, "/v1/turns", {})).items).toMatchObject([{ speaker: "Ilse" }, { speaker: "User" }]);
    expect((await called(url, "/v1/log", {})).items).toHaveLength(2);
    expect((await called(url, "/v1/list", { limit: 1 })).items).toHaveLength(1);
    expect(await called(url, "/v1/forget", { ids: [id], dryRun: true })).toMatchObject({ removed: { entries: 1 } });
    expect(await called(url, "/v1/forget", { ids: [id] })).toMatchObject({ verified: true });
    expect(await called(url, "/v1/get", { id })).toEqual({ entry: null });
  });

  it("facts belong to the session that the body names, or the token's", async () => {
    const { url } = await serveMemory({ tokens: [{ ...ILSE, sessionId: "desk" }, TOVE] });
    await called(url, "/v1/facts/remember", { key: "home", value: "Graz" });
    await called(url, "/v1/facts/remember", { key: "home", value: "Linz", sessionId: "phone" });
    expect((await called(url, "/v1/facts/recall", {})).items).toMatchObject([{ value: "Graz", sessionId: "desk" }]);
    expect((await called(url, "/v1/facts/recall", { sessionId: "phone" })).items).toMatchObject([{ value: "Linz" }]);
    expect((await called(url, "/v1/facts/recall", { sessions: "all", pattern: "h*" })).items).toHaveLength(2);
    expect(await called(url, "/v1/facts/forget", { key: "home" })).toEqual({ removed: true });
    expect(await called(url, "/v1/facts/forget", { key: "home" })).toEqual({ removed: false });
  });

  it("typed errors come with their status and say what to do", async () => {
    const { url } = await serveMemory();
    const refused = async (path: string, body: unknown) => {
      const response = await post(`${url}${path}`, ILSE.token, body);
      return [response.status, (await jsonOf(response)).error.name];
    };
    await called(url, "/v1/add", TURNS);
    expect(await refused("/v1/why", { id: "nobody" })).toEqual([404, "EntryNotFoundError"]);
    const other = { turns: [{ id: "t1", speaker: "Ilse", content: "Something else." }] };
    expect(await refused("/v1/add", other)).toEqual([409, "DuplicateTurnError"]);
    expect(await refused("/v1/add", { turns: [{ content: "who?" }] })).toEqual([400, "InvalidInputError"]);
    expect(await refused("/v1/forget", {})).toEqual([400, "InvalidInputError"]);
    expect(await refused("/v1/search", { query: "x", k: 0 })).toEqual([400, "InvalidInputError"]);
    expect(await refused("/v1/add", { turns: [{ ...TURNS.turns[0], timestamp: "soon" }] })).toEqual([
      400,
      "InvalidInputError",
    ]);
  });

  it("an export is what an import of the same library takes", async () => {
    const { url } = await serveMemory();
    await called(url, "/v1/add", TURNS);
    await called(url, "/v1/flush", {});
    const lines = await (await post(`${url}/v1/export`, ILSE.token, {})).text();
    await using other = await SimpleMem.open({ uri: "memory://" });
    const receipt = await other.scope({ userId: "copy" }).import([lines]);
    expect(receipt).toMatchObject({ turns: { added: 2 }, entries: { added: 2 } });
  });
});

describe("events", () => {
  it("an answer comes in pieces, which joined are the answer that comes last", async () => {
    const { url } = await serveMemory();
    await called(url, "/v1/add", TURNS);
    await called(url, "/v1/flush", {});
    const response = await post(`${url}/v1/ask`, ILSE.token, { question: "Where did Ilse move?" }, EVENTS);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const events = await eventsOf(response);
    const pieces = events.filter(({ event }) => event === "piece").map(({ data }) => data.text);
    expect(events.at(-1)).toMatchObject({ event: "answer", data: { answer: pieces.join(""), abstained: false } });
  });

  it("a flush tells how far it has come, and then what it did", async () => {
    const { url } = await serveMemory({}, { window: { size: 1, overlap: 0, idleMs: 0 } });
    await called(url, "/v1/add", TURNS);
    const events = await eventsOf(await post(`${url}/v1/flush`, ILSE.token, {}, EVENTS));
    expect(events[0]).toEqual({ event: "progress", data: { windows: 2, extracted: 0, stored: 0, failed: 0 } });
    expect(events.at(-1)).toMatchObject({ event: "report", data: { windows: { stored: 2 } } });
  });

  it("a failure ends the stream as an event, without a word of what is nobody's outside", async () => {
    const answer = new ScriptedModel([new Error("key sk-123 was refused")]);
    const { url, simplemem } = await serveMemory({}, { llms: { answer } });
    await called(url, "/v1/add", TURNS);
    const response = await post(`${url}/v1/ask`, ILSE.token, { question: "Where?", k: 0 }, EVENTS);
    expect(await response.text()).toMatch(/InvalidInputError/);
    await simplemem.close({ flush: false });
    const late = await post(`${url}/v1/flush`, ILSE.token, {}, EVENTS);
    expect([late.status, (await jsonOf(late)).error.name]).toEqual([503, "ClosedError"]);
  });
});

describe("clients that go away or are slow", () => {
  it("who goes away while a question is planned ends the planning, and the server goes on", async () => {
    let stopped = () => {};
    const wasStopped = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    let asked = () => {};
    const wasAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const plan = {
      plan: (_input: unknown, { signal }: { signal?: AbortSignal }) => {
        asked();
        return new Promise<never>((_, reject) => {
          signal?.addEventListener("abort", () => {
            stopped();
            reject(signal.reason);
          });
        });
      },
    };
    const { url } = await serveMemory({}, { stages: { plan } });
    await called(url, "/v1/add", TURNS);
    for (const headers of [{}, EVENTS]) {
      const client = new AbortController();
      const question = { question: "Where did Ilse move?", planning: "always" };
      const gone = post(`${url}/v1/ask`, ILSE.token, question, headers, client.signal).then((response) =>
        response.text(),
      );
      await wasAsked;
      client.abort();
      await expect(gone).rejects.toThrow();
      await wasStopped;
    }
    expect(await called(url, "/v1/stats", {})).toMatchObject({ turns: 2 });
  });

  it("who goes away in the middle of an export ends it, and the server goes on", async () => {
    const { url } = await serveMemory();
    await called(url, "/v1/add", TURNS);
    const client = new AbortController();
    const response = await post(`${url}/v1/export`, ILSE.token, {}, {}, client.signal);
    const reader = response.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    client.abort();
    expect(await called(url, "/v1/stats", {})).toMatchObject({ turns: 2 });
  });

  it("a stream makes its next piece when the one before was taken, and ends its maker with its client", async () => {
    const made: number[] = [];
    let isEnded = false;
    async function* pieces(): AsyncGenerator<string> {
      try {
        for (let number = 0; ; number++) {
          made.push(number);
          yield String(number);
        }
      } finally {
        isEnded = true;
      }
    }
    const reader = streamOf(pieces()).getReader();
    for (let taken = 0; taken < 3; taken++) await reader.read();
    // One piece waits for a reader; no more are made, however long it takes.
    expect(made.length).toBeLessThanOrEqual(4);
    await reader.cancel();
    expect(isEnded).toBe(true);
  });
});

describe("for the operator", () => {
  it("health needs no token, and tells when the engine was closed", async () => {
    const { url, simplemem } = await serveMemory();
    expect(await jsonOf(fetch(`${url}/health`))).toEqual({ status: "ok" });
    await simplemem.close();
    expect((await fetch(`${url}/health`)).status).toBe(503);
  });

  it("metrics are the operator's alone, count over all users, and name none of them", async () => {
    const { url } = await serveMemory();
    await called(url, "/v1/add", TURNS);
    await called(url, "/v1/flush", {});
    await called(url, "/v1/add", { turns: [{ speaker: "Tove", content: "I sail." }] }, TOVE.token);
    await post(`${url}/nowhere/${"x".repeat(50)}`, ILSE.token, {});
    const headersTried: Record<string, string>[] = [{}, { authorization: `Bearer ${ILSE.token}` }];
    for (const headers of headersTried) {
      expect((await fetch(`${url}/metrics`, { headers })).status).toBeGreaterThanOrEqual(401);
    }
    const text = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${OPERATOR}` } })).text();
    for (const line of [
      "simplemem_turns 3",
      'simplemem_windows{state="failed"} 0',
      "simplemem_pending_turns 1",
      'simplemem_http_requests_total{path="/v1/add",status="200"} 2',
      'simplemem_http_requests_total{path="other",status="404"} 1',
      'simplemem_http_requests_total{path="/metrics",status="401"} 1',
    ]) {
      expect(text.split("\n")).toContain(line);
    }
    expect(text).toMatch(/^simplemem_stage_seconds_total\{stage="extract"\} [\d.e-]+$/m);
    expect(text).toMatch(/^simplemem_operation_seconds_mean\{operation="add"\} [\d.e-]+$/m);
    expect(text).not.toMatch(/ilse|tove|token-of/i);
    for (const line of text.trim().split("\n")) {
      expect(line).toMatch(/^(# (HELP|TYPE) simplemem_\w+ .+|simplemem_\w+(\{[^}]*\})? -?[\d.]+(e[+-]?\d+)?)$/);
    }
  });

  it("the OpenAPI document holds every endpoint with the fields of its body", async () => {
    const { url } = await serveMemory();
    const { openapi, paths } = await jsonOf(fetch(`${url}/openapi.json`));
    expect(openapi).toBe("3.1.0");
    expect(Object.keys(paths).sort()).toEqual(ENDPOINTS.map(({ path }) => path).sort());
    const { schema } = paths["/v1/search"].post.requestBody.content["application/json"];
    expect(schema).toMatchObject({ required: ["query"], additionalProperties: false });
  });

  it("closing waits for a running call, and closes the engine when that is asked for", async () => {
    const { url, simplemem, close } = await serveMemory({ closeMemory: true, graceMs: 30_000 });
    const adding = called(url, "/v1/add", TURNS);
    await fetch(`${url}/health`);
    await Promise.all([adding, close()]);
    expect(() => simplemem.scope({ userId: "ilse" })).toThrow(/closed/);
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  });

  it("wrong options are refused before anything listens", async () => {
    await using memory = await SimpleMem.open({ uri: "memory://" });
    const start = (options: object) => startServer({ memory, tokens: [ILSE], port: 0, ...options });
    await expect(start({ tokens: [] })).rejects.toMatchObject({ name: "InvalidInputError" });
    await expect(start({ tokens: [{ ...ILSE, token: "short" }] })).rejects.toMatchObject({ name: "InvalidInputError" });
    await expect(start({ tokens: [{ ...ILSE, userId: "" }] })).rejects.toMatchObject({ name: "ScopeError" });
    await expect(start({ operatorToken: ILSE.token })).rejects.toMatchObject({ name: "InvalidInputError" });
    await expect(start({ loud: true })).rejects.toMatchObject({ name: "InvalidInputError" });
  });
});
