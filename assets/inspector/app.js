/** What the parts of the page know of one another. */

/** @import { MemoryEntry } from "../../src/records/index.js" */

/**
 * @typedef {{
 *   lit: {},
 *   entry: { entry: MemoryEntry },
 *   forgotten: { id: string, withTurns: boolean },
 * }} Events `lit`: other turns prove the open fact; `entry`: a fact was changed; `forgotten`: it is gone
 */

/**
 * @typedef {{
 *   lit: ReadonlySet<string>,
 *   opened: string | null,
 *   open: (id: string) => void,
 *   close: () => void,
 *   light: (places: readonly string[]) => void,
 *   go: (view: string, params?: Record<string, string | null>) => void,
 *   problem: (error: unknown) => void,
 *   on: <E extends keyof Events>(event: E, listen: (detail: Events[E]) => void) => void,
 *   tell: <E extends keyof Events>(event: E, detail: Events[E]) => void,
 * }} App
 */

/**
 * @typedef {{
 *   title: string,
 *   show: (view: HTMLElement, app: App, params: URLSearchParams) => Promise<(() => void) | void>,
 * }} View `show` answers how to end what it began
 */

/** Who listens to what; all that a view listens to ends with the view. */
export class Listeners {
  /** @type {{ event: string, listen: (detail: never) => void }[]} */
  #all = [];

  /** @param {string} event @param {(detail: never) => void} listen */
  add(event, listen) {
    this.#all.push({ event, listen });
  }

  /** @param {string} event @param {unknown} detail */
  tell(event, detail) {
    for (const one of this.#all) if (one.event === event) one.listen(/** @type {never} */ (detail));
  }

  clear() {
    this.#all = [];
  }
}
