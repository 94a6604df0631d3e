import { button, byId, el } from "./dom.js";

/** @typedef {{ key: string, tells: string, act: () => void }} Shortcut */

const KEY = "simplemem-shortcuts";

/** Someone who dictates or whose hand slips may want none of these. */
function areOn() {
  return localStorage.getItem(KEY) !== "off";
}

/** @param {EventTarget | null} target */
function takesText(target) {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
  );
}

/** @param {HTMLDialogElement} dialog @param {readonly Shortcut[]} shortcuts */
function draw(dialog, shortcuts) {
  const on = el("input", { type: "checkbox", id: "shortcuts-on", checked: areOn() });
  on.addEventListener("change", () => localStorage.setItem(KEY, on.checked ? "on" : "off"));
  const known = [
    ...shortcuts.map(({ key, tells }) => /** @type {const} */ ([key, tells])),
    /** @type {const} */ (["↑ ↓", "from fact to fact"]),
    /** @type {const} */ (["Enter", "open the fact"]),
    /** @type {const} */ (["Esc", "close the fact, back to where you were"]),
  ];
  const list = el(
    "dl",
    {},
    ...known.flatMap(([key, tells]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, tells)]),
  );
  dialog.replaceChildren(
    el("h2", { id: "keys-title" }, "Keyboard shortcuts"),
    list,
    el("p", { class: "inline" }, on, el("label", { for: "shortcuts-on" }, "Single keys do something")),
    el(
      "div",
      { class: "actions" },
      button("Close", () => dialog.close()),
    ),
  );
}

/**
 * @param {readonly Shortcut[]} shortcuts
 * @param {() => void} leave
 */
export function setUpKeys(shortcuts, leave) {
  const dialog = byId("keys");
  if (!(dialog instanceof HTMLDialogElement)) throw new Error("#keys is no dialog");
  const help = () => {
    draw(dialog, all);
    dialog.showModal();
  };
  const all = [...shortcuts, { key: "?", tells: "this list", act: help }];
  byId("show-keys").addEventListener("click", help);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (event.key === "Escape") return leave();
    const shortcut = all.find(({ key }) => key === event.key);
    if (shortcut === undefined || takesText(event.target) || !areOn()) return;
    event.preventDefault();
    shortcut.act();
  });
}
