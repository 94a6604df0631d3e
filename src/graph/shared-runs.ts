interface Runs {
  readonly current: Promise<void>;
  next: Promise<void> | null;
}

/**
 * Runs of a task that does whatever there is to do: who asks while one is under way may have brought something that it
 * does not see, so all who ask meanwhile share one more run after it.
 */
export class SharedRuns {
  readonly #runs = new Map<string, Runs>();

  run(name: string, task: () => Promise<void>): Promise<void> {
    const runs = this.#runs.get(name);
    if (runs === undefined) return this.#start(name, task);
    runs.next ??= runs.current.catch(() => {}).then(() => this.#start(name, task));
    return runs.next;
  }

  #start(name: string, task: () => Promise<void>): Promise<void> {
    const current = task();
    const runs: Runs = { current, next: null };
    this.#runs.set(name, runs);
    const end = (): void => {
      if (this.#runs.get(name) === runs) this.#runs.delete(name);
    };
    current.then(end, end);
    return current;
  }
}
