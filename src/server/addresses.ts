import { InvalidInputError } from "../records/index.js";

const LOOPBACK_V4 = /^127(\.\d{1,3}){3}$/;
/** The names of this machine that a browser resolves without asking anybody. */
const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"] as const;

/** A host as a URL writes it: an IPv6 address in brackets. */
export function urlHost(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

/** Whether only programs of this machine reach the host. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || LOOPBACK_V4.test(host);
}

/**
 * A server that asks for no token is reachable from this machine alone.
 * @throws InvalidInputError for another host when there is no token
 */
export function checkBinding(host: string, hasToken: boolean): void {
  if (hasToken || isLoopback(host)) return;
  throw new InvalidInputError(
    `the host ${JSON.stringify(host)} is reachable from other machines, so a token is required; pass one, or stay on 127.0.0.1.`,
  );
}

/** The names by which a server on this host may be called; what listens on every address has no name of its own. */
export function ownNames(host: string): readonly string[] {
  const own = urlHost(host).toLowerCase();
  return isLoopback(host) ? [...LOOPBACK_NAMES, own] : [own];
}
