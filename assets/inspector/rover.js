/**
 * One stop of the Tab key for a whole list: the arrow keys go from item to item, and Tab leaves the list. However long it is, Tab
 * passes it in one step.
 */
export class Rover {
  /** @type {HTMLElement} */
  #within;
  #selector;

  /**
   * @param {HTMLElement} within
   * @param {string} selector of the items
   */
  constructor(within, selector) {
    this.#within = within;
    this.#selector = selector;
    within.addEventListener("focusin", (event) => {
      if (event.target instanceof HTMLElement && event.target.matches(selector)) this.#mark(event.target);
    });
    within.addEventListener("keydown", (event) => this.#move(event));
  }

  /** Called after items came or went: one of them is the stop. */
  ensure() {
    const items = this.#items();
    const marked = items.find((item) => item.tabIndex === 0) ?? items[0];
    if (marked !== undefined) this.#mark(marked);
  }

  #items() {
    return /** @type {HTMLElement[]} */ ([...this.#within.querySelectorAll(this.#selector)]);
  }

  /** @param {HTMLElement} chosen */
  #mark(chosen) {
    for (const item of this.#items()) item.tabIndex = item === chosen ? 0 : -1;
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const items = this.#items();
    const at = document.activeElement instanceof HTMLElement ? items.indexOf(document.activeElement) : -1;
    const next = at === -1 ? undefined : items[at + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  }
}
