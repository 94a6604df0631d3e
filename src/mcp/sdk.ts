import { SimpleMemError } from "../records/index.js";

/** A package that only this door needs is not installed. */
export class MissingPackageError extends SimpleMemError {
  override readonly name = "MissingPackageError";
}

const NAME = "@modelcontextprotocol/sdk";

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && /MODULE_NOT_FOUND$/.test(String(error.code));
}

/** Loads a part of the SDK. @throws MissingPackageError when it is not installed */
async function load<T>(part: () => Promise<T>): Promise<T> {
  try {
    return await part();
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new MissingPackageError(`the MCP server needs the package ${NAME}: npm install ${NAME}.`, { cause });
  }
}

/** What makes a server. */
export const serverParts = () => load(() => import("@modelcontextprotocol/sdk/server/mcp.js"));
/** The transport over standard input and output. */
export const stdioParts = () => load(() => import("@modelcontextprotocol/sdk/server/stdio.js"));
/** The transport over HTTP. */
export const httpParts = () => load(() => import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"));
