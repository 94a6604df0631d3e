import type { HonoRequest } from "hono";
import { InvalidInputError } from "../records/index.js";

/** Braces and brackets within one another: a schema that calls itself for each would run out of stack. */
const MAX_DEPTH = 100;

function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (isText && sign === "\\") at += 1;
    else if (sign === '"') isText = !isText;
    else if (!isText && (sign === "[" || sign === "{")) deepest = Math.max(deepest, ++depth);
    else if (!isText && (sign === "]" || sign === "}")) depth -= 1;
  }
  return deepest;
}

/** @throws InvalidInputError for what is no JSON, or nested too deeply */
export function parseJson(text: string): unknown {
  if (depthOf(text) > MAX_DEPTH) throw new InvalidInputError(`a body may be nested ${MAX_DEPTH} deep, and is deeper.`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidInputError("the body is no JSON.", { cause });
  }
}

/** The body of a request; none stands for `{}`. @throws InvalidInputError unless it is said to be JSON, and is */
export async function readJson(request: HonoRequest): Promise<unknown> {
  const text = await request.text();
  if (text.trim() === "") return {};
  // A page of another origin may send text without asking; JSON it may not.
  if (!/^application\/json\s*(;|$)/i.test(request.header("content-type") ?? "")) {
    throw new InvalidInputError('the body must be JSON: send the header "Content-Type: application/json".');
  }
  return parseJson(text);
}
