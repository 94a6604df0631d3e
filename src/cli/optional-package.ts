import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { EXIT } from "./exit-codes.js";
import { Failure } from "./failure.js";

function isMissing(error: unknown, name: string): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "MODULE_NOT_FOUND") &&
    error.message.includes(name)
  );
}

function inProject(name: string, folder: string): string | null {
  try {
    return pathToFileURL(createRequire(join(folder, "package.json")).resolve(name)).href;
  } catch (error) {
    if (isMissing(error, name)) return null;
    throw error;
  }
}

/**
 * Imports a package that a user may have installed: beside this one, or in the project in which the program was called.
 * @param load imports it from beside this package; a bundler must see its name
 * @param why in what it is needed, for the message
 * @throws Failure when it is in neither place
 */
export async function importOptional<T>(
  name: string,
  load: () => Promise<T>,
  why: string,
  isFit: (loaded: unknown) => loaded is T,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    const place = inProject(name, process.cwd());
    const loaded: unknown = place === null ? null : await import(place);
    if (isFit(loaded)) return loaded;
    throw new Failure(
      `${why} needs the package ${name}, which is not installed: npm install ${name}.`,
      EXIT.missingPackage,
      {
        cause: error,
      },
    );
  }
}
