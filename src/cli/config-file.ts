import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { SimpleMemOptions } from "../index.js";
import { messageOf, wrongUsage } from "./failure.js";

/** Options of `SimpleMem.open` but for the place, which is the command line's to say. */
export type ConfiguredOptions = Partial<Omit<SimpleMemOptions, "uri">>;

function isObject(value: unknown): value is ConfiguredOptions {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function importFile(file: string): Promise<unknown> {
  try {
    const loaded: { default?: unknown } = await import(pathToFileURL(resolve(file)).href);
    return loaded.default;
  } catch (error) {
    throw wrongUsage(`the configuration ${file} cannot be loaded: ${messageOf(error)}`);
  }
}

/**
 * The options that a module exports as its default. Which of them exist and fit is checked when the memory is opened.
 * @throws Failure when there is no such module, or its default export is no object
 */
export async function configuredOptions(file: string | undefined): Promise<ConfiguredOptions> {
  if (file === undefined) return {};
  const exported = await importFile(file);
  if (!isObject(exported)) throw wrongUsage(`the default export of ${file} must be an object of options.`);
  if ("uri" in exported) throw wrongUsage(`${file} names a uri; that is --uri's to say.`);
  return exported;
}
