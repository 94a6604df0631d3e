import { EXIT, type ExitCode } from "./exit-codes.js";

/** Ends the command with one line for the person who called it, and a number for the script that did. */
export class Failure extends Error {
  override readonly name = "Failure";

  constructor(
    message: string,
    readonly code: ExitCode,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The command was called in a way that it does not understand. */
export function wrongUsage(message: string): Failure {
  return new Failure(message, EXIT.usage);
}

/** The reason with which the signal of a terminal aborts. */
export class Interruption extends Error {
  override readonly name = "Interruption";

  constructor(
    message: string,
    readonly code: ExitCode,
  ) {
    super(message);
  }
}

/** Ctrl-C. */
export function interrupted(): Interruption {
  return new Interruption("interrupted; what was accepted is kept.", EXIT.interrupted);
}

/** SIGTERM. */
export function terminated(): Interruption {
  return new Interruption("terminated; what was accepted is kept.", EXIT.terminated);
}

/** Nobody reads any more: what is printed goes to a pipe that was closed. That is no failure, and nothing is said. */
export function pipeClosed(): Interruption {
  return new Interruption("", EXIT.ok);
}

const STORE_ERRORS: ReadonlySet<string> = new Set([
  "StoreOpenError",
  "StoreVersionError",
  "DimensionMismatchError",
  "NotWritableError",
]);
const USAGE_ERRORS: ReadonlySet<string> = new Set([
  "InvalidInputError",
  "ScopeError",
  "ImportError",
  "DuplicateTurnError",
]);

function codeOfName(name: string): ExitCode {
  if (STORE_ERRORS.has(name)) return EXIT.store;
  if (USAGE_ERRORS.has(name)) return EXIT.usage;
  if (name === "MissingPackageError") return EXIT.missingPackage;
  if (name === "EntryNotFoundError") return EXIT.nothingFound;
  return name === "EntryConflictError" ? EXIT.refused : EXIT.failure;
}

/** With which number an error ends the program. Errors of the library are known by their names, which hold across copies of it. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof Failure || error instanceof Interruption) return error.code;
  return error instanceof Error ? codeOfName(error.name) : EXIT.failure;
}

/** What an error says, on one line and without the name of the library. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replace(/^simplemem-langchain: /, "").replace(/\s*\n\s*/g, " ");
}
