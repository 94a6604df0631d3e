import { readFileSync } from "node:fs";
import { packageFile } from "./package-file.js";

/** The version of this package. */
export function packageVersion(): string {
  const manifest: { readonly version: string } = JSON.parse(readFileSync(packageFile("package.json"), "utf8"));
  return manifest.version;
}
