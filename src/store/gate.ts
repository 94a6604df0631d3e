/** Lets many run together, or one alone. Within one handle, maintenance and writes then never meet. */
export class Gate {
  readonly #running = new Set<Promise<unknown>>();
  #alone: Promise<unknown> | null = null;

  /** Runs beside others of its kind, never beside one that runs alone. */
  async together<T>(run: () => Promise<T>): Promise<T> {
    while (this.#alone !== null) await this.#alone;
    const work = run();
    const ended = work.then(
      () => {},
      () => {},
    );
    this.#running.add(ended);
    await ended;
    this.#running.delete(ended);
    return work;
  }

  /** Waits for those that run, and runs while all others wait. */
  async alone<T>(run: () => Promise<T>): Promise<T> {
    while (this.#alone !== null) await this.#alone;
    let open = (): void => {};
    this.#alone = new Promise<void>((resolve) => {
      open = resolve;
    });
    try {
      await Promise.all(this.#running);
      return await run();
    } finally {
      this.#alone = null;
      open();
    }
  }
}
