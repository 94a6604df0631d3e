/**
 * An answer that several ask for at the same moment, which is got once. Whoever asks after `outdate`, or after this process has
 * heard of anything else since the answer came, gets a new one: what another process wrote, and told, is seen.
 */
export class AskedOnce<T> {
  #answer: Promise<T> | null = null;

  constructor(private readonly ask: () => Promise<T>) {}

  get(): Promise<T> {
    if (this.#answer !== null) return this.#answer;
    const drop = (): void => {
      if (this.#answer === answer) this.#answer = null;
    };
    // Ticks run when all that follows from the answer at once has run, and before the next event.
    const answer = this.ask().finally(() => process.nextTick(drop));
    this.#answer = answer;
    return answer;
  }

  /** What was asked before now does not hold for who asks from now on. */
  outdate(): void {
    this.#answer = null;
  }
}
