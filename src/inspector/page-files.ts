import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { SimpleMemError } from "../records/index.js";

/** One file of the page, as it is sent. */
export interface PageFile {
  readonly type: string;
  readonly text: string;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

// From the sources (src/inspector) the package root is two folders up, from the build (dist) one.
const PLACES = ["../assets/inspector/", "../../assets/inspector/"];

function listed(folder: URL): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/**
 * The files of the page by their path. They are read at once, and nothing else is ever read: a path that is asked for is only
 * looked up here.
 * @throws SimpleMemError when the package lacks them
 */
export function readPageFiles(): ReadonlyMap<string, PageFile> {
  const folder = PLACES.map((place) => new URL(place, import.meta.url)).find((place) =>
    listed(place).includes("index.html"),
  );
  if (folder === undefined) {
    throw new SimpleMemError(
      "the folder assets/inspector of this package is missing; mark simplemem-langchain as external in your bundler.",
    );
  }
  const files = new Map<string, PageFile>();
  for (const name of listed(folder)) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    files.set(name === "index.html" ? "/" : `/${name}`, { type, text: readFileSync(new URL(name, folder), "utf8") });
  }
  return files;
}
