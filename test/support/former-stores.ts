import { freshFolder } from "./folders.js";
import { unpackFormerStore } from "./former-files.js";

export { formerEmbeddings } from "./former-files.js";

/** A folder as a former version of the library left it, removed after the test. */
export function formerStore(version: number): string {
  const folder = freshFolder();
  unpackFormerStore(version, folder);
  return folder;
}
