import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

// From the sources (src/cli) the package root is two folders up, from the build (dist) one.
const ROOTS = ["../", "../../"];

/** The path of a file of this package, such as "package.json". @throws Error when the package was not installed whole */
export function packageFile(name: string): string {
  for (const root of ROOTS) {
    const path = fileURLToPath(new URL(`${root}${name}`, import.meta.url));
    if (existsSync(path)) return path;
  }
  throw new Error(`the file ${name} of simplemem-langchain is missing; install the package again.`);
}
