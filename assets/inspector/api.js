/** The calls of the page to its server. */

/** @import { ForgetReceipt, Growth, LoggedTurn, MaintenanceReport, MemoryEntry, Page, ReviewItem, Stats, WriteReport } from "../../src/records/index.js" */
/** @import { EntryReply, HealthReply, SearchReply, SessionReply } from "../../src/inspector/replies.js" */
/** @typedef {{ user?: string, agent?: string, tenant?: string }} Whose */
/** @typedef {Record<string, string | number | boolean | undefined>} Query */

const TOKEN_KEY = "simplemem-token";

/** What the server refused, in its own words. */
export class Refused extends Error {
  /**
   * @param {string} message
   * @param {number} status
   */
  constructor(message, status) {
    super(message.replace(/^simplemem-langchain: /, ""));
    this.status = status;
  }
}

/** The token comes once, in the fragment that no server sees, and stays with this tab. */
function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given !== null) {
    sessionStorage.setItem(TOKEN_KEY, given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(TOKEN_KEY) ?? "";
}

const token = takeToken();

/** @type {Whose} */
let whose = {};

/**
 * Whose memory the calls are about from now on; {} where the operator fixed it.
 * @param {Whose} chosen
 */
export function choose(chosen) {
  whose = chosen;
}

/**
 * @param {string} path
 * @param {Query} query
 */
function address(path, query) {
  const given = Object.entries({ ...whose, ...query }).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return `/api/${path}?${search}`;
}

/**
 * @template T
 * @param {string} path
 * @param {{ query?: Query, body?: object, signal?: AbortSignal }} [request]
 * @returns {Promise<T>}
 */
async function call(path, { query = {}, body, signal } = {}) {
  const response = await fetch(address(path, query), {
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  throw new Refused(answer.error?.message ?? `the server answered ${response.status}`, response.status);
}

/** @param {string} id */
const entryPath = (id) => `entries/${encodeURIComponent(id)}`;

export const api = {
  /** @returns {Promise<SessionReply>} */
  session: () => call("session"),
  /** @returns {Promise<{ agents: readonly string[] }>} */
  agents: () => call("agents"),
  /** @type {(query: Query) => Promise<Page<LoggedTurn>>} */
  log: (query) => call("log", { query }),
  /** @returns {Promise<Stats>} */
  stats: () => call("stats"),
  /** @type {(query: Query, signal: AbortSignal) => Promise<SearchReply>} */
  search: (query, signal) => call("search", { query, signal }),
  /** @type {(id: string) => Promise<EntryReply>} */
  entry: (id) => call(entryPath(id)),
  /** @type {(query: Query) => Promise<Page<ReviewItem>>} */
  review: (query) => call("review", { query }),
  /** @returns {Promise<Growth>} */
  growth: () => call("growth"),
  /** @returns {Promise<HealthReply>} */
  health: () => call("health"),
  /** @type {(id: string, change: { patch: object, reason?: string, ifVersion?: number }) => Promise<MemoryEntry>} */
  update: (id, change) => call(`${entryPath(id)}/update`, { body: change }),
  /** @type {(id: string, pinned: boolean) => Promise<MemoryEntry>} */
  pin: (id, pinned) => call(`${entryPath(id)}/pin`, { body: { pinned } }),
  /** @type {(id: string, version: number) => Promise<MemoryEntry>} */
  restore: (id, version) => call(`${entryPath(id)}/restore`, { body: { version } }),
  /** @type {(request: { ids: readonly string[], dryRun?: boolean, purge?: boolean }) => Promise<ForgetReceipt>} */
  forget: (request) => call("forget", { body: request }),
  /** @type {(id: string, decision: object) => Promise<MemoryEntry>} */
  decide: (id, decision) => call(`review/${encodeURIComponent(id)}`, { body: decision }),
  /** @type {(retryFailed: boolean) => Promise<WriteReport>} */
  flush: (retryFailed) => call("flush", { body: { retryFailed } }),
  /** @returns {Promise<MaintenanceReport>} */
  maintain: () => call("maintain", { body: {} }),
};
