import { StoreConflictError } from "../records/index.js";

/** Tries of one write before StoreConflictError. */
export const WRITE_TRIES = 12;
/** The wait before try n is n times this. */
const BACKOFF_MS = 8;

/** What LanceDB says when another writer was first, or when a reader's version was cleaned away under it. */
const CONFLICT = /conflict|concurrent|retryable|please retry|already exists.*manifest|too many attempts/i;
const VANISHED = /not found|no such file/i;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What an error says first: LanceDB tells where in its sources it failed in the lines below. */
export function firstLineOf(error: unknown): string {
  return messageOf(error).split("\n")[0] ?? "";
}

export function isConflict(error: unknown): boolean {
  return CONFLICT.test(messageOf(error));
}

/** A file of the version that was being read was cleaned away by another handle: the newest version has its rows. */
export function isVanished(error: unknown): boolean {
  return VANISHED.test(messageOf(error));
}

/** Errors that end before anything was committed, and that another try on the newest version gets past. */
export function isPassing(error: unknown): boolean {
  return isConflict(error) || isVanished(error);
}

export type Sleep = (milliseconds: number) => Promise<void>;

export const realSleep: Sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export interface RetryOptions {
  readonly tries?: number;
  readonly sleep?: Sleep;
  readonly isRetryable?: (error: unknown) => boolean;
}

/**
 * Runs a read or write, and again when another writer came between. Such a try leaves nothing behind.
 * @throws StoreConflictError when every try conflicted
 */
export async function retrying<T>(what: string, run: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  const { tries = WRITE_TRIES, sleep = realSleep, isRetryable = isPassing } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      if (attempt >= tries) {
        throw new StoreConflictError(
          `${what} conflicted with other writers ${tries} times. Nothing was written; try again when fewer write.`,
          { cause: error },
        );
      }
      await sleep(attempt * BACKOFF_MS);
    }
  }
}
