/** Where the library reports what it does. Silent by default. Messages never hold the text of a turn or an entry. */
export interface Logger {
  /** What happens in the normal course. */
  debug(message: string, details?: Record<string, unknown>): void;
  /** What a person who runs the program may want to know. */
  info(message: string, details?: Record<string, unknown>): void;
  /** What went on in another way than it was meant to. */
  warn(message: string, details?: Record<string, unknown>): void;
  /** What failed in the background, where no caller sees the error. */
  error(message: string, details?: Record<string, unknown>): void;
}

const nothing = (): void => {};
/** Reports nothing: the default. */
export const SILENT_LOGGER: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
