/**
 * Builds elements. Text goes in as text nodes only: there is no way through this file by which a text of the memory becomes markup.
 */

/** @typedef {string | number | boolean | null | undefined | ((event: Event) => void)} Prop */
/** @typedef {Node | string | number | null | undefined | false} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} node
 * @param {Record<string, Prop>} props a function listens to the event of its name; null, undefined and false set nothing
 * @param {readonly Child[]} children
 */
function fill(node, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, String(value));
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      node.append(typeof child === "number" ? String(child) : child);
    }
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, Prop>} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  fill(node, props, children);
  return node;
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, Prop>} [props]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, props = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  fill(node, props, children);
  return node;
}

/**
 * An element of the page's own markup.
 * @param {string} id
 */
export function byId(id) {
  const node = document.getElementById(id);
  if (node === null) throw new Error(`the page has no #${id}`);
  return node;
}

/**
 * @param {string} label
 * @param {(event: Event) => void} click
 * @param {Record<string, Prop>} [props]
 */
export function button(label, click, props = {}) {
  return el("button", { type: "button", click, ...props }, label);
}

/**
 * A label and its control.
 * @param {string} label
 * @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} control with an id
 */
export function field(label, control) {
  return el("div", { class: "field" }, el("label", { for: control.id }, label), control);
}

/**
 * A list of names and values; those without a value are left out.
 * @param {readonly (readonly [string, Child | readonly string[]])[]} pairs
 */
export function pairs(pairs) {
  const shown = pairs.filter(
    ([, value]) =>
      value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0),
  );
  const cells = shown.flatMap(([name, value]) => [
    el("dt", {}, name),
    el("dd", {}, Array.isArray(value) ? value.join(", ") : /** @type {Child} */ (value)),
  ]);
  return el("dl", { class: "pairs" }, ...cells);
}
