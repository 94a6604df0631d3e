/** Where the library reports what it does. Silent by default. Messages never hold the text of a turn or an entry. */
export interface Logger {
  debug(message: string, details?: Record<string, unknown>): void;
  info(message: string, details?: Record<string, unknown>): void;
  warn(message: string, details?: Record<string, unknown>): void;
  error(message: string, details?: Record<string, unknown>): void;
}

const nothing = (): void => {};
export const SILENT_LOGGER: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
