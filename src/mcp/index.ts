/**
 * Memory for clients of the Model Context Protocol, over standard input and output or over HTTP.
 * @packageDocumentation
 */

export type { HttpOptions, RateLimit, RunningServer, ScopeToken } from "../server/index.js";
export { ListenError } from "../server/index.js";
export { type McpHttpOptions, startMcpHttp } from "./http.js";
export { MissingPackageError } from "./sdk.js";
export { type McpConnection, type McpStdioOptions, runMcpStdio } from "./stdio.js";
