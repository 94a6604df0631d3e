import { readFileSync } from "node:fs";

/** A recorded reply of a model, as it came. */
export function recorded(name: string): string {
  return readFileSync(new URL(`../fixtures/replies/${name}`, import.meta.url), "utf8");
}
