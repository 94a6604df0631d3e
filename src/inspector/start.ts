import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import { type GuardedEnv, guard, type Holder, type Listening, listen } from "../server/index.js";
import { changes } from "./changes.js";
import { checkOptions, type InspectorOptions } from "./options.js";
import { type PageFile, readPageFiles } from "./page-files.js";
import { reads } from "./reads.js";
import { whose } from "./whose.js";

const TOKEN_BYTES = 32;
const API = "/api/";

/**
 * The page loads its own files and asks its own server, and nothing else. Text never becomes markup or a script: no inline script or
 * style runs, and the sinks that would parse text (`innerHTML` and its like) are closed.
 */
const POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  connectSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
  requireTrustedTypesFor: ["'script'"],
  trustedTypes: ["'none'"],
};

function serveFiles(app: Hono<GuardedEnv<Holder>>, files: ReadonlyMap<string, PageFile>): void {
  for (const [path, { type, text }] of files) {
    app.get(path, (context) => context.body(text, 200, { "Content-Type": type }));
  }
}

/** The page and what it asks for, behind the guards. */
export function inspectorApp(options: InspectorOptions & { readonly token: string; readonly host: string }) {
  const { memory, scope, token, host, logger } = options;
  const app = new Hono<GuardedEnv<Holder>>();
  guard(app, {
    host,
    holders: [{ token }],
    // The files hold nothing of the memory: a browser asks for them before the page can show its token.
    isOpen: (path) => !path.startsWith(API),
    contentSecurityPolicy: POLICY,
    logger,
  });
  serveFiles(app, readPageFiles());
  const chosen = whose(memory, scope);
  app.route("/api", reads(memory, chosen));
  app.route("/api", changes(chosen));
  return app;
}

/**
 * Serves the page to look into a memory and mend it. The address bears the token in its fragment, which a browser sends to no
 * server: whoever has the address, and nobody else, can read and change what the page shows.
 * @throws InvalidInputError for an unknown or wrong option or a token that is too short, ScopeError for a scope without a usable user
 * @throws ListenError when the address cannot be listened on
 * @example
 * const { url, close } = await startInspector({ memory: simplemem, scope: { userId: "ilse" } });
 * console.log(`Open ${url}`);
 */
export async function startInspector(options: InspectorOptions): Promise<Listening> {
  checkOptions(options);
  const { host = "127.0.0.1", port = 0, token = randomBytes(TOKEN_BYTES).toString("base64url") } = options;
  if (options.scope !== undefined) options.memory.scope(options.scope);
  const { url, close } = await listen(inspectorApp({ ...options, host, token }), { host, port });
  return { url: `${url}/#token=${token}`, close };
}
