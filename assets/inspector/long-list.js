import { el } from "./dom.js";
import { Rover } from "./rover.js";

/**
 * A list of any length, read page by page as its end comes near. Only pages near the view have rows in the document; the others are
 * empty boxes of the height that their rows had, so that nothing jumps.
 */

/** Pages within so many heights of the view keep their rows. */
const NEAR_VIEW = "100% 0px";
const NEAR_END = "0px 0px 600px 0px";
/** Pages that are read to find one item. */
const MAX_PAGES_TO_FIND = 400;

/**
 * @template T
 * @typedef {{
 *   label: string,
 *   load: (cursor: string | undefined) => Promise<{ items: readonly T[], cursor?: string }>,
 *   row: (item: T, before: T | undefined) => HTMLElement,
 *   focusable: string,
 *   empty: string,
 *   failed: (error: unknown) => void,
 *   loaded?: (count: number, isAll: boolean) => void,
 * }} LongListParts
 */

/**
 * @template T
 * @typedef {{ node: HTMLElement, items: readonly T[], before: T | undefined, isFilled: boolean }} Block
 */

/** @template T */
export class LongList {
  /** @type {LongListParts<T>} */
  #parts;
  /** @type {Block<T>[]} */
  #blocks = [];
  /** @type {string | undefined} */
  #cursor;
  /** @type {Promise<void> | undefined} */
  #loading;
  #isAll = false;
  #isClosed = false;
  #end = el("div", { class: "end" });
  #rover;
  #near;
  #atEnd;

  /** @param {LongListParts<T>} parts */
  constructor(parts) {
    this.#parts = parts;
    this.element = el("section", { "aria-label": parts.label, "aria-busy": "true" });
    this.root = el("div", {}, this.element, this.#end);
    this.#rover = new Rover(this.element, parts.focusable);
    this.#near = new IntersectionObserver((changes) => this.#show(changes), { rootMargin: NEAR_VIEW });
    this.#atEnd = new IntersectionObserver(
      (changes) => {
        if (changes.some(({ isIntersecting }) => isIntersecting)) void this.#more();
      },
      { rootMargin: NEAR_END },
    );
    this.#atEnd.observe(this.#end);
  }

  close() {
    this.#isClosed = true;
    this.#near.disconnect();
    this.#atEnd.disconnect();
  }

  /**
   * Puts other items in the place of those that are there; null takes one away. What does not change is drawn no second time.
   * @param {(item: T) => T | null} change
   */
  change(change) {
    for (const block of this.#blocks) {
      const items = block.items.map(change);
      if (items.every((item, index) => item === block.items[index])) continue;
      block.items = items.filter((item) => item !== null);
      if (!block.isFilled) continue;
      block.isFilled = false;
      block.node.replaceChildren();
      this.#fill(block);
    }
  }

  /**
   * Brings the first item that fits into view, reading on until it is there; answers whether there is one.
   * @param {(item: T) => boolean} fits
   */
  async reveal(fits) {
    for (let pages = 0; pages < MAX_PAGES_TO_FIND; pages += 1) {
      const block = this.#blocks.find(({ items }) => items.some(fits));
      if (block !== undefined) {
        this.#fill(block);
        const row = block.node.children[block.items.findIndex(fits)];
        row?.scrollIntoView({ block: "center" });
        return true;
      }
      if (this.#isAll) return false;
      await this.#more();
    }
    return false;
  }

  #more() {
    if (this.#isAll || this.#isClosed) return Promise.resolve();
    this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined;
      // The end may still be in view: an observer tells of changes alone.
      this.#atEnd.unobserve(this.#end);
      if (!this.#isClosed && !this.#isAll) this.#atEnd.observe(this.#end);
    });
    return this.#loading;
  }

  async #read() {
    try {
      const { items, cursor } = await this.#parts.load(this.#cursor);
      if (this.#isClosed) return;
      this.#cursor = cursor;
      this.#isAll = cursor === undefined;
      if (items.length > 0) this.#append(items);
      else if (this.#blocks.length === 0) this.root.append(el("p", { class: "empty" }, this.#parts.empty));
      this.#parts.loaded?.(
        this.#blocks.reduce((sum, block) => sum + block.items.length, 0),
        this.#isAll,
      );
    } catch (error) {
      // What cannot be read now would not be read by asking again and again.
      this.#isAll = true;
      this.#parts.failed(error);
    } finally {
      this.element.setAttribute("aria-busy", "false");
    }
  }

  /** @param {readonly T[]} items */
  #append(items) {
    const node = el("div", { class: "block" });
    const block = { node, items, before: this.#blocks.at(-1)?.items.at(-1), isFilled: false };
    this.#blocks.push(block);
    this.element.append(node);
    this.#fill(block);
    this.#near.observe(node);
  }

  /** @param {Block<T>} block */
  #fill(block) {
    if (block.isFilled) return;
    block.isFilled = true;
    block.node.style.height = "";
    const { row } = this.#parts;
    block.node.append(
      ...block.items.map((item, index) => row(item, index === 0 ? block.before : block.items[index - 1])),
    );
    this.#rover.ensure();
  }

  /** @param {readonly IntersectionObserverEntry[]} changes */
  #show(changes) {
    for (const { target, isIntersecting, boundingClientRect } of changes) {
      const block = this.#blocks.find(({ node }) => node === target);
      if (block === undefined) continue;
      if (isIntersecting) this.#fill(block);
      // Whoever stands on a row keeps it.
      else if (block.isFilled && !target.contains(document.activeElement)) {
        block.isFilled = false;
        block.node.style.height = `${boundingClientRect.height}px`;
        block.node.replaceChildren();
        this.#rover.ensure();
      }
    }
  }
}
