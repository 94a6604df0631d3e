/** Where text goes. */
export interface Sink {
  /** Resolves when more can be taken. */
  write(text: string): Promise<void>;
  readonly isTerminal: boolean;
  /** Columns of the terminal; absent where there is none. */
  readonly columns?: number | undefined;
}

/** What surrounds the program: in tests it is made of plain values. */
export interface Terminal {
  /** What is piped in, in pieces; null when a person sits there. */
  readonly input: AsyncIterable<string | Uint8Array> | null;
  /** Asks the person who sits there, and resolves with the answer; null when nobody does. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** What the command gives. */
  readonly output: Sink;
  /** What is told meanwhile, and what went wrong. */
  readonly errors: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the person wants no more. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}
