import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { type InspectorOptions, startInspector } from "../../src/inspector/index.js";
import { filledAt } from "../support/clocked.js";

const NOW = Date.parse("2025-03-12T12:00:00Z");
const TOKEN = "a-token-of-the-test-0123456789";

async function served(options: Partial<InspectorOptions> = {}) {
  const opened = await filledAt(NOW);
  const { url, close } = await startInspector({ memory: opened.simplemem, token: TOKEN, ...options });
  onTestFinished(close);
  const { origin } = new URL(url);
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, { ...init, headers: { authorization: `Bearer ${TOKEN}`, ...init.headers } });
  const post = (path: string, body: unknown) => ask(path, { method: "POST", body: JSON.stringify(body) });
  return { ...opened, url, origin, ask, post };
}

const READS = [
  "session",
  "agents",
  "log",
  "stats",
  "search?q=Graz",
  "entries/e1",
  "review",
  "growth",
  "health",
  "facts",
];
const CHANGES = [
  "entries/e1/update",
  "entries/e1/pin",
  "entries/e1/restore",
  "forget",
  "review/e1",
  "flush",
  "maintain",
];

/** fetch sets Host itself: this sends what it is given. */
function statusOf(origin: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const asked = request({ hostname, port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on("error", reject).end();
  });
}

describe("who reaches the inspector", () => {
  it("nobody without the token reads or changes anything", async () => {
    const { origin, memory } = await served();
    for (const path of READS) expect([path, (await fetch(`${origin}/api/${path}`)).status]).toEqual([path, 401]);
    for (const path of CHANGES) {
      const wrong = { authorization: `Bearer ${TOKEN}x` };
      const response = await fetch(`${origin}/api/${path}`, { method: "POST", body: "{}", headers: wrong });
      expect([path, response.status]).toEqual([path, 401]);
    }
    expect((await memory.list()).items).toHaveLength(2);
  });

  it("the address bears a token of 32 random bytes in its fragment, and another one each time", async () => {
    const [first, second] = [await served({ token: undefined }), await served({ token: undefined })];
    for (const { url } of [first, second]) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
    expect(new URL(first.url).hash).not.toBe(new URL(second.url).hash);
  });

  it("no page of another origin, and no name that was made to point here", async () => {
    const { origin } = await served();
    const authorization = `Bearer ${TOKEN}`;
    const { host } = new URL(origin);
    expect(await statusOf(origin, "/api/session", { authorization, host })).toBe(200);
    expect(await statusOf(origin, "/api/session", { authorization, host: "evil.example" })).toBe(403);
    expect(await statusOf(origin, "/api/session", { authorization, host, origin: "http://evil.example" })).toBe(403);
    expect(await statusOf(origin, "/", { host: "evil.example" })).toBe(403);
  });

  it("it refuses options that it does not know, and tokens that can be guessed", async () => {
    const { simplemem } = await filledAt(NOW);
    const start = (options: object) => startInspector({ memory: simplemem, ...options });
    await expect(start({ prot: 80 })).rejects.toThrow(/prot/);
    await expect(start({ token: "short" })).rejects.toThrow(/token/);
    await expect(start({ scope: { userId: " " } })).rejects.toThrow(/userId/);
  });
});

describe("what it serves", () => {
  it("the files of the page and nothing else, whatever the path says", async () => {
    const { origin } = await served();
    for (const name of readdirSync("assets/inspector")) {
      const path = name === "index.html" ? "/" : `/${name}`;
      const response = await fetch(`${origin}${path}`);
      expect([path, response.status]).toEqual([path, 200]);
      expect(await response.text()).toBe(readFileSync(`assets/inspector/${name}`, "utf8"));
    }
    const authorization = `Bearer ${TOKEN}`;
    const { host } = new URL(origin);
    for (const path of [
      "/../package.json",
      "/%2e%2e/package.json",
      "/..%2fpackage.json",
      "/main.js/../../package.json",
    ]) {
      expect([path, await statusOf(origin, path, { authorization, host })]).toEqual([path, 404]);
    }
  });

  it("a policy under which only its own files run, and markup is never made of text", async () => {
    const { origin } = await served();
    const policy = (await fetch(origin)).headers.get("content-security-policy") ?? "";
    for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(part);
    }
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  });

  it("a page that needs nothing from elsewhere", () => {
    for (const name of readdirSync("assets/inspector")) {
      const text = readFileSync(`assets/inspector/${name}`, "utf8").replaceAll("http://www.w3.org/2000/svg", "");
      expect(text, name).not.toMatch(/https?:\/\//);
      expect(text, name).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/);
    }
    const html = readFileSync("assets/inspector/index.html", "utf8");
    expect(html).not.toMatch(/\son\w+=|<style|style=|<script(?![^>]*src=)/);
  });
});

describe("whose memory it shows", () => {
  it("R54: where the operator fixed a user, no request chooses another", async () => {
    const { simplemem, ask, post } = await served({ scope: { userId: "u-bram" } });
    const bram = simplemem.scope({ userId: "u-bram" });
    await bram.add({ id: "b1", speaker: "Bram", content: "I own a boat." });
    await bram.flush();
    const log = await (await ask("/api/log?user=u-ilse&tenant=x&agent=y")).json();
    expect(log).toMatchObject({ items: [{ turn: { dialogueId: "b1" } }] });
    const [entry] = (await simplemem.scope({ userId: "u-ilse" }).list()).items;
    const id = entry?.entryId ?? "";
    expect((await ask(`/api/entries/${id}?user=u-ilse`)).status).toBe(404);
    expect((await post(`/api/entries/${id}/update?user=u-ilse`, { patch: { text: "Taken over." } })).status).toBe(404);
    expect((await post(`/api/entries/${id}/pin?user=u-ilse`, { pinned: true })).status).toBe(404);
    expect((await post(`/api/review/${id}?user=u-ilse`, { decision: "approve" })).status).toBe(404);
    await post("/api/forget?user=u-ilse", { ids: [id] });
    expect((await simplemem.scope({ userId: "u-ilse" }).list()).items).toHaveLength(2);
    expect(await (await ask("/api/session")).json()).toEqual({ fixed: { userId: "u-bram" }, users: [] });
  });

  it("R55: where the choice is open, a request without a user is refused", async () => {
    const { ask } = await served();
    expect((await ask("/api/log")).status).toBe(400);
    expect((await ask("/api/log?user=")).status).toBe(400);
    expect(await (await ask("/api/log?user=u-ilse")).json()).toMatchObject({ items: [{}, {}] });
  });
});

describe("what it changes", () => {
  it("R58: forgets what is named by an id, and nothing by a filter, a query or all", async () => {
    const { post, memory } = await served({ scope: { userId: "u-ilse" } });
    for (const body of [
      {},
      { ids: [] },
      { all: true },
      { ids: ["t1"], all: true },
      { filter: { persons: ["Ane"] } },
      [],
    ]) {
      expect([body, (await post("/api/forget", body)).status]).toEqual([body, 400]);
    }
    const [first] = (await memory.list()).items;
    const ids = [first?.entryId];
    expect(await (await post("/api/forget", { ids, dryRun: true })).json()).toMatchObject({
      removed: { entries: 1, turns: 1 },
    });
    expect((await memory.list()).items).toHaveLength(2);
    await post("/api/forget", { ids });
    expect((await memory.list()).items).toHaveLength(1);
  });

  it("refuses fields that it does not know, bodies that are no JSON, and large ones", async () => {
    const { post, ask, memory } = await served({ scope: { userId: "u-ilse" } });
    const [first] = (await memory.list()).items;
    const path = `/api/entries/${first?.entryId}/update`;
    expect((await post(path, { patch: { status: "archived" } })).status).toBe(400);
    expect((await post(path, { patch: { text: "x" }, force: true })).status).toBe(400);
    expect((await ask(path, { method: "POST", body: "{text" })).status).toBe(400);
    expect((await post(path, { patch: { text: "x".repeat(2_000_000) } })).status).toBe(413);
    expect((await memory.get(first?.entryId ?? ""))?.losslessRestatement).toBe(first?.losslessRestatement);
  });

  it("a correction that was meant for another version changes nothing", async () => {
    const { post, memory } = await served({ scope: { userId: "u-ilse" } });
    const [first] = (await memory.list()).items;
    const path = `/api/entries/${first?.entryId}/update`;
    expect((await post(path, { patch: { text: "Ilse lives in Linz." }, ifVersion: 1 })).status).toBe(200);
    expect((await post(path, { patch: { text: "Ilse lives in Bonn." }, ifVersion: 1 })).status).toBe(409);
    expect((await memory.get(first?.entryId ?? ""))?.losslessRestatement).toBe("Ilse lives in Linz.");
  });
});
