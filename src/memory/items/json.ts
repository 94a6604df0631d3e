import { InvalidInputError, type Json } from "../../records/index.js";

/**
 * The value as JSON text. As with `JSON.stringify`, dates become texts and undefined fields are left out.
 * @throws InvalidInputError for what JSON cannot hold: undefined, a function, a BigInt, a circle
 */
export function toJsonText(value: unknown, what: string): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new InvalidInputError(`${what} must be JSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  if (text === undefined) throw new InvalidInputError(`${what} must be JSON, got ${typeof value}.`);
  return text;
}

export function toJson(value: unknown, what: string): Json {
  const json: Json = JSON.parse(toJsonText(value, what));
  return json;
}
