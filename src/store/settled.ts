/**
 * For so long a table must have looked the same until its looks are believed: two commits within the grain of a file system's
 * clock (2 seconds where it is coarsest) leave the same looks.
 */
const SETTLED_AFTER_MS = 5_000;

/**
 * A table's state by what its folder looks like from outside, which costs a hundredth of asking for it. It is known only of a table
 * that nobody has written to for a while; right after a commit, whoever made it, one must ask.
 */
export class SettledState {
  #looks: string | null = null;
  #since = 0;
  #state: string | null = null;

  /** @param clock milliseconds that only grow */
  constructor(private readonly clock: () => number = () => performance.now()) {}

  /** The state of a table that looks like this; null when one must ask. */
  of(looks: string | null): string | null {
    return looks !== null && looks === this.#looks ? this.#state : null;
  }

  /** @param looks before the state was asked for: a commit between both shows in the next looks */
  learn(looks: string | null, state: string): void {
    const now = this.clock();
    if (looks !== this.#looks) {
      this.#looks = looks;
      this.#since = now;
      this.#state = null;
    } else if (now - this.#since >= SETTLED_AFTER_MS) {
      this.#state = state;
    }
  }
}
