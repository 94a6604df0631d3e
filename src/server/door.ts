/**
 * Memory over HTTP: the public calls as JSON endpoints, a token for each scope.
 * @packageDocumentation
 */

export type { ScopeToken } from "./holders.js";
export { ListenError } from "./listen.js";
export type { HttpOptions } from "./options.js";
export type { RateLimit } from "./rate-limit.js";
export { type RunningServer, type ServerOptions, startServer } from "./start.js";
