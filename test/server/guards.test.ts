import { request } from "node:http";
import { connect } from "node:net";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import { EntryNotFoundError, SILENT_LOGGER } from "../../src/index.js";
import { type GuardedEnv, type GuardOptions, guard, type Holder, listen } from "../../src/server/index.js";

interface User extends Holder {
  readonly name: string;
}

const ILSE: User = { token: "token-of-ilse-0123456789", name: "ilse" };
const TOVE: User = { token: "token-of-tove-0123456789", name: "tove" };
const BEARER = { authorization: `Bearer ${ILSE.token}` };

async function served(options: Partial<GuardOptions<User>> = {}, listening: { requestTimeoutMs?: number } = {}) {
  const app = new Hono<GuardedEnv<User>>();
  guard(app, { host: "127.0.0.1", holders: [ILSE, TOVE], ...options });
  app.get("/typed", () => {
    throw new EntryNotFoundError("no entry e1.");
  });
  app.get("/untyped", () => {
    throw new Error("the password is swordfish");
  });
  app.get("/who", (context) => context.json({ name: context.get("holder")?.name ?? null }));
  app.post("/length", async (context) => context.json({ length: (await context.req.text()).length }));
  const server = await listen(app, { host: "127.0.0.1", port: 0, graceMs: 200, ...listening });
  onTestFinished(() => server.close());
  return server.url;
}

/** fetch sets some headers itself, Host and Origin among them, and tidies paths: this sends what it is given. */
function raw(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: unknown; body: string }> {
  return new Promise((resolve, reject) => {
    const { origin, hostname, port } = new URL(url);
    request({ hostname, port, path: url.slice(origin.length), headers }, (response) => {
      let body = "";
      response.on("data", (data: Buffer) => {
        body += data.toString();
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    })
      .on("error", reject)
      .end();
  });
}

async function errorOf(response: Response): Promise<unknown> {
  const { error } = JSON.parse(await response.text());
  return error.name;
}

describe("tokens", () => {
  it("a known token is its holder's, and no other's", async () => {
    const url = await served();
    for (const user of [ILSE, TOVE]) {
      const response = await fetch(`${url}/who`, { headers: { authorization: `bearer ${user.token}` } });
      expect(await response.json()).toEqual({ name: user.name });
    }
  });

  it.each([
    ["none", {}],
    ["a wrong one", { authorization: "Bearer token-of-nobody-012345678" }],
    ["the beginning of one", { authorization: `Bearer ${ILSE.token.slice(0, -1)}` }],
    ["one with something after it", { authorization: `Bearer ${ILSE.token}x` }],
    ["two in one header", { authorization: `Bearer ${ILSE.token} ${TOVE.token}` }],
    ["another scheme", { authorization: `Basic ${btoa(`ilse:${ILSE.token}`)}` }],
    ["one without a scheme", { authorization: ILSE.token }],
  ])("%s is refused with 401, and the challenge says which scheme", async (_what, headers: Record<string, string>) => {
    const response = await fetch(`${await served()}/who`, { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer /);
    expect(await errorOf(response)).toBe("UnauthorizedError");
  });

  it.each([
    ["a short one", [{ ...ILSE, token: "short" }]],
    ["one that no header holds", [{ ...ILSE, token: "token with spaces in it" }]],
    ["the same twice", [ILSE, { ...TOVE, token: ILSE.token }]],
  ])("%s is refused when the server is made", async (_what, holders) => {
    await expect(served({ holders })).rejects.toMatchObject({ name: "InvalidInputError" });
  });

  it("a path that is open needs none", async () => {
    const url = await served({ isOpen: (path) => path === "/who" });
    expect((await fetch(`${url}/who`)).status).toBe(200);
    expect((await fetch(`${url}/length`, { method: "POST", body: "x" })).status).toBe(401);
  });

  it("without any token a server stays on this machine", async () => {
    await expect(served({ holders: [], host: "0.0.0.0" })).rejects.toMatchObject({ name: "InvalidInputError" });
    expect((await fetch(`${await served({ holders: [] })}/who`)).status).toBe(200);
  });
});

describe("names and origins", () => {
  it.each(["127.0.0.1:1", "localhost", "LOCALHOST:8080", "[::1]:80"])("the name %s passes", async (host) => {
    expect((await raw(`${await served()}/who`, { ...BEARER, host })).status).toBe(200);
  });

  it.each(["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "0.0.0.0"])(
    "the name %s is refused: a page may have been made to point here",
    async (host) => {
      const { status, body } = await raw(`${await served()}/who`, { ...BEARER, host });
      expect(status).toBe(403);
      expect(JSON.parse(body).error.name).toBe("ForbiddenHostError");
    },
  );

  it.each(["a@localhost", "localhost/x"])("%j, which is no name, is refused", async (host) => {
    expect((await raw(`${await served()}/who`, { ...BEARER, host })).status).toBe(400);
  });

  it("a name that is allowed passes", async () => {
    const url = await served({ allowedHosts: ["Memory.Example"] });
    expect((await raw(`${url}/who`, { ...BEARER, host: "memory.example:443" })).status).toBe(200);
  });

  it.each(["https://evil.example", "null", "http://127.0.0.1:1", "file://"])(
    "a page of %s is refused",
    async (origin) => {
      const { status, body } = await raw(`${await served()}/who`, { ...BEARER, origin });
      expect(status).toBe(403);
      expect(JSON.parse(body).error.name).toBe("ForbiddenOriginError");
    },
  );

  it("its own page passes, and so does one that is allowed, which may then read the answer", async () => {
    const origin = "https://app.example";
    const url = await served({ allowedOrigins: [origin] });
    expect((await raw(`${url}/who`, { ...BEARER, origin: url })).status).toBe(200);
    const answer = await raw(`${url}/who`, { ...BEARER, origin });
    expect(answer).toMatchObject({ status: 200, headers: { "access-control-allow-origin": origin } });
    const preflight = await fetch(`${url}/length`, { method: "OPTIONS", headers: { origin } });
    expect(preflight.status).toBe(204);
  });

  it("every answer says what it is, and that nobody may keep or frame it", async () => {
    const url = await served();
    for (const headers of [BEARER, undefined]) {
      const response = await fetch(`${url}/who`, headers === undefined ? {} : { headers });
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "content-security-policy": expect.stringContaining("default-src 'none'"),
        "content-type": "application/json",
      });
    }
  });
});

describe("failures", () => {
  it("a typed error is told with its status, its name and its message", async () => {
    const response = await fetch(`${await served()}/typed`, { headers: BEARER });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      error: { name: "EntryNotFoundError", message: "simplemem-langchain: no entry e1." },
    });
  });

  it("of any other nothing is told outside, and the log tells it", async () => {
    const logged: unknown[] = [];
    const logger = { ...SILENT_LOGGER, error: (...said: unknown[]) => logged.push(said) };
    const response = await fetch(`${await served({ logger })}/untyped`, { headers: BEARER });
    expect(response.status).toBe(500);
    const body = await response.text();
    expect(JSON.parse(body).error.name).toBe("InternalError");
    expect(body).not.toMatch(/swordfish|at |\.ts/);
    expect(JSON.stringify(logged)).toContain("swordfish");
  });

  it.each(["/nowhere", "/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "/who/../../x"])(
    "the path %s leads nowhere",
    async (path) => {
      const { status, body } = await raw(`${await served()}${path}`, BEARER);
      expect([status, JSON.parse(body).error.name]).toEqual([404, "NotFoundError"]);
    },
  );
});

describe("sizes and rates", () => {
  it("a body within the limit passes, whether it says its length or not", async () => {
    const url = await served({ maxBodyBytes: 1000 });
    const body = "x".repeat(1000);
    const said = await fetch(`${url}/length`, { method: "POST", headers: BEARER, body });
    expect(await said.json()).toEqual({ length: 1000 });
    const unsaid = await fetch(`${url}/length`, {
      method: "POST",
      headers: BEARER,
      body: new Blob([body]).stream(),
      duplex: "half",
    });
    expect(await unsaid.json()).toEqual({ length: 1000 });
  });

  it("a larger one is refused with 413, whether it says its length or not", async () => {
    const url = await served({ maxBodyBytes: 1000 });
    const body = "x".repeat(1001);
    const said = await fetch(`${url}/length`, { method: "POST", headers: BEARER, body });
    expect([said.status, await errorOf(said)]).toEqual([413, "BodyTooLargeError"]);
    const unsaid = await fetch(`${url}/length`, {
      method: "POST",
      headers: BEARER,
      body: new Blob([body]).stream(),
      duplex: "half",
    });
    expect([unsaid.status, await errorOf(unsaid)]).toEqual([413, "BodyTooLargeError"]);
  });

  it("who asks too often waits, and nobody else does; it fills again with time", async () => {
    let now = 0;
    const url = await served({ rate: { requests: 3, perMs: 3000 }, clock: () => now });
    const ask = async (headers: Record<string, string>) => (await fetch(`${url}/who`, { headers })).status;
    for (let count = 0; count < 3; count++) expect(await ask(BEARER)).toBe(200);
    const refused = await fetch(`${url}/who`, { headers: BEARER });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await ask({ authorization: `Bearer ${TOVE.token}` })).toBe(200);
    now += 1000;
    expect(await ask(BEARER)).toBe(200);
    expect(await ask(BEARER)).toBe(429);
  });

  it("guesses of tokens are counted by address, whatever they guess", async () => {
    const url = await served({ rate: { requests: 3, perMs: 3000 }, clock: () => 0 });
    const statuses: number[] = [];
    for (let guess = 0; guess < 5; guess++) {
      const headers = { authorization: `Bearer guess-number-000000${guess}` };
      statuses.push((await fetch(`${url}/who`, { headers })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  it("a client that never ends its request is let go, and others are served meanwhile", async () => {
    const url = await served({}, { requestTimeoutMs: 400 });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const answer = new Promise<string>((resolve) => {
      let said = "";
      socket.on("data", (data) => {
        said += data.toString();
      });
      socket.on("close", () => resolve(said));
    });
    socket.write(
      `POST /length HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ILSE.token}\r\nContent-Length: 10\r\n\r\nabc`,
    );
    expect((await fetch(`${url}/who`, { headers: BEARER })).status).toBe(200);
    expect(await answer).toMatch(/^(HTTP\/1.1 408 |$)/);
  });
});

describe("listening", () => {
  it("an address in use is named in a typed error", async () => {
    const url = new URL(await served());
    const second = listen(new Hono(), { host: "127.0.0.1", port: Number(url.port) });
    await expect(second).rejects.toMatchObject({ name: "ListenError", message: expect.stringContaining(url.port) });
  });

  it("closing lets a running request end, takes no further one, and ends what would never end", async () => {
    const app = new Hono();
    let answer = () => {};
    let arrived = () => {};
    const running = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    app.get("/slow", async (context) => {
      arrived();
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return context.text("done");
    });
    app.get("/never", () => new Promise<Response>(() => {}));
    const { url, close } = await listen(app, { host: "127.0.0.1", port: 0, graceMs: 300 });
    const slow = fetch(`${url}/slow`).then((response) => response.text());
    const never = fetch(`${url}/never`).then(
      () => "answered",
      () => "ended",
    );
    await running;
    const closed = close();
    answer();
    expect(await slow).toBe("done");
    await expect(fetch(`${url}/slow`)).rejects.toThrow();
    await closed;
    await close();
    expect(await never).toBe("ended");
  });
});
