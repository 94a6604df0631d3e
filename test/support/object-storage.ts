import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import { Gate } from "../../src/store/gate.js";

const BUCKET = "memory";
const NOT_KEPT = Buffer.from("<Error><Code>PreconditionFailed</Code></Error>");

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** An S3 server on this machine. */
export interface ObjectStorage {
  readonly uri: string;
  readonly storageOptions: Record<string, string>;
  close(): Promise<void>;
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

function ask(port: number, path: string, method: string, headers: IncomingHttpHeaders, body: Buffer): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (answer) => {
      bodyOf(answer).then(
        (said) => resolve({ status: answer.statusCode ?? 500, headers: answer.headers, body: said }),
        reject,
      );
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Stands before a server that ignores `If-None-Match: *`, and honours it if told so: of several writes of one object at once, one
 * is taken. s3rver also shows a file, and its size in a list, while it is still being written; object storage does not. So one
 * write is made at a time, and nothing is read meanwhile.
 */
class Front {
  readonly #gate = new Gate();

  constructor(
    private readonly port: number,
    private readonly honours: boolean,
  ) {}

  async handle(message: IncomingMessage): Promise<Reply> {
    const { url: path = "/", method = "GET", headers } = message;
    const body = await bodyOf(message);
    const pass = (): Promise<Reply> => ask(this.port, path, method, headers, body);
    if (READS.has(method)) return this.#gate.together(pass);
    const mustBeNew = this.honours && method === "PUT" && headers["if-none-match"] === "*";
    return this.#gate.alone(async () => {
      if (mustBeNew && (await this.#isThere(path, headers))) return { status: 412, headers: {}, body: NOT_KEPT };
      return pass();
    });
  }

  async #isThere(path: string, { host }: IncomingHttpHeaders): Promise<boolean> {
    const there = await ask(this.port, path, "GET", host === undefined ? {} : { host }, Buffer.alloc(0));
    return there.status === 200;
  }
}

function serve(front: Front): Promise<Server> {
  const server = createServer((message, answer) => {
    front.handle(message).then(
      ({ status, headers, body }) => answer.writeHead(status, headers).end(body),
      (error: unknown) => answer.writeHead(500).end(String(error)),
    );
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

/** Starts s3rver, which ignores conditional writes, behind a front that honours them if told so. */
export async function startObjectStorage({ conditional }: { conditional: boolean }): Promise<ObjectStorage> {
  const directory = mkdtempSync(join(tmpdir(), "object-storage-"));
  const storage = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
    allowMismatchedSignatures: true,
  });
  const { port } = await storage.run();
  const front = await serve(new Front(port, conditional));
  return {
    uri: `s3://${BUCKET}/store`,
    storageOptions: {
      endpoint: `http://127.0.0.1:${portOf(front)}`,
      allow_http: "true",
      aws_access_key_id: "S3RVER",
      aws_secret_access_key: "S3RVER",
      region: "us-east-1",
    },
    close: async () => {
      // The native client keeps its connections, for which a server would wait.
      front.closeAllConnections();
      front.close();
      await storage.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
