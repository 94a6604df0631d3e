import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { ScopeOptions } from "../index.js";
import type { Call } from "./call.js";
import { messageOf, wrongUsage } from "./failure.js";
import { scopeOf } from "./globals.js";
import { bold } from "./output/style.js";

/** A token, and whose memory it opens. */
export type ScopeToken = ScopeOptions & { readonly token: string };

const TOKEN_BYTES = 32;

function isTokenList(value: unknown): value is ScopeToken[] {
  return Array.isArray(value) && value.every((one) => typeof one === "object" && one !== null && "token" in one);
}

async function tokensIn(file: string): Promise<readonly ScopeToken[]> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    if (isTokenList(value)) return value;
  } catch (error) {
    throw wrongUsage(`${file} cannot be read: ${messageOf(error)}`);
  }
  throw wrongUsage(`${file} must hold a list such as [{"token": "…", "userId": "ilse"}].`);
}

/**
 * Who may call a server. Tokens come from a file or the environment, never from the command line, which every user of the machine
 * can see. Where there is none, one is made and told.
 */
export async function scopeTokens(call: Call, file: string | undefined): Promise<readonly ScopeToken[]> {
  if (file !== undefined) return tokensIn(file);
  const { globals, terminal, output } = call;
  const given = terminal.env.SIMPLEMEM_TOKEN;
  const token = given === undefined || given === "" ? randomBytes(TOKEN_BYTES).toString("base64url") : given;
  const scope = scopeOf(globals);
  if (token !== given) await output.note("Token: ", bold(token));
  return [{ ...scope, token }];
}
