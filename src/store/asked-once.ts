/**
 * An answer that several ask for at the same moment, which is got once. Whoever asks after it came, or after `outdate`, gets a
 * new one.
 */
export class AskedOnce<T> {
  #underWay: Promise<T> | null = null;

  constructor(private readonly ask: () => Promise<T>) {}

  get(): Promise<T> {
    if (this.#underWay !== null) return this.#underWay;
    const answer = this.ask().finally(() => {
      if (this.#underWay === answer) this.#underWay = null;
    });
    this.#underWay = answer;
    return answer;
  }

  /** What was asked before now does not hold for who asks from now on. */
  outdate(): void {
    this.#underWay = null;
  }
}
