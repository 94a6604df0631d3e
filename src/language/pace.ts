/** Characters that are read in one go, at most: that takes well under 50 ms. */
const CHARS_IN_ONE_GO = 1500;

/** Hands control back to the event loop each time that enough characters were read. */
export class Pace {
  #read = 0;

  /** @param text what was read since the last call */
  async after(text: string): Promise<void> {
    this.#read += text.length;
    if (this.#read <= CHARS_IN_ONE_GO) return;
    this.#read = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
