import { announce } from "./announce.js";
import { api } from "./api.js";
import { button, byId, el } from "./dom.js";
import { editForm, forgetForm } from "./entry-forms.js";
import { historyPart, relatedPart, sourcesPart, trustPart, viewsPart } from "./entry-parts.js";
import { statusTags } from "./fact-button.js";
import { placeOf } from "./timeline.js";

/** @import { EntryReply } from "../../src/inspector/replies.js" */
/** @import { App } from "./app.js" */

/** Widths at which the panel covers the list; as in panel.css. */
const COVERS = matchMedia("(max-width: 60rem)");

/** One fact: what it says, who said it, how it is found, what became of it, and how to mend it. */
export class EntryPanel {
  /** @type {App} */
  #app;
  #panel = byId("panel");
  /** @type {Element | null} */
  #opener = null;
  /** @type {string | null} */
  #id = null;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    COVERS.addEventListener("change", () => this.#cover());
  }

  get id() {
    return this.#id;
  }

  /** @param {string} id */
  async open(id) {
    if (!this.#panel.contains(document.activeElement)) this.#opener = document.activeElement;
    this.#id = id;
    await this.#show(id);
    byId("panel-title").focus();
  }

  close() {
    if (this.#id === null) return;
    const id = this.#id;
    this.#id = null;
    this.#panel.hidden = true;
    this.#panel.replaceChildren();
    this.#cover();
    this.#app.light([]);
    this.#giveBackFocus(id);
  }

  /** @param {string} id */
  async #show(id) {
    const reply = await api.entry(id);
    if (this.#id !== id) return;
    this.#draw(reply);
    this.#panel.hidden = false;
    this.#panel.scrollTop = 0;
    this.#cover();
    this.#app.light(reply.sources.map(placeOf));
  }

  /** Behind a panel that covers it, nothing of the list can be reached. */
  #cover() {
    byId("content").inert = this.#id !== null && COVERS.matches;
  }

  /** The list may have been drawn anew: the fact that was pressed is found by its id. @param {string} id */
  #giveBackFocus(id) {
    const again = byId("view").querySelector(`[data-entry="${CSS.escape(id)}"]`);
    const target = this.#opener?.isConnected ? this.#opener : again;
    if (target instanceof HTMLElement && target !== document.body) target.focus();
    else byId("content").focus();
    this.#opener = null;
  }

  /** @param {EntryReply} reply */
  #draw(reply) {
    const { entry } = reply;
    const actions = el(
      "div",
      { class: "actions" },
      button("Correct", () => this.#edit(reply)),
      button(entry.pinned ? "Unpin" : "Pin", () => this.#pin(reply)),
      button("Forget", () => void this.#forget(reply), { class: "danger" }),
    );
    this.#panel.replaceChildren(
      el(
        "div",
        { class: "panel-head" },
        el("h2", { id: "panel-title", tabindex: -1 }, "A fact"),
        button("Close", () => this.close(), { class: "quiet", "aria-keyshortcuts": "Escape" }),
      ),
      el("p", { class: "fact-text statement" }, entry.losslessRestatement),
      el("p", { class: "row" }, ...statusTags(entry)),
      actions,
      el("div", { id: "panel-form" }),
      sourcesPart(reply, this.#app),
      viewsPart(reply),
      trustPart(reply),
      ...[relatedPart(reply, this.#app)].filter((one) => one !== null),
      historyPart(reply, (version) => void this.#change(() => api.restore(entry.entryId, version), "Restored.")),
    );
  }

  #form() {
    return byId("panel-form");
  }

  /** @param {EntryReply} reply */
  #edit({ entry, versions }) {
    const form = editForm(entry, {
      label: "Correct this fact",
      save: (patch, reason) =>
        this.#change(() => api.update(entry.entryId, { patch, reason, ifVersion: versions.length }), "Corrected."),
      cancel: () => this.#form().replaceChildren(),
    });
    this.#form().replaceChildren(form);
    form.querySelector("textarea")?.focus();
  }

  /** @param {EntryReply} reply */
  #pin({ entry }) {
    const pinned = !entry.pinned;
    return this.#change(() => api.pin(entry.entryId, pinned), pinned ? "Pinned." : "Unpinned.");
  }

  /** @param {() => Promise<EntryReply["entry"]>} act @param {string} done */
  async #change(act, done) {
    try {
      const entry = await act();
      this.#app.tell("entry", { entry });
      if (this.#id === entry.entryId) await this.#show(entry.entryId);
      byId("panel-title").focus();
      announce(done);
    } catch (error) {
      this.#app.problem(error);
    }
  }

  /** @param {EntryReply} reply */
  async #forget({ entry }) {
    try {
      const form = await forgetForm(entry.entryId, {
        forgotten: (withTurns) => {
          this.#app.tell("forgotten", { id: entry.entryId, withTurns });
          this.#opener = null;
          this.close();
          announce("Forgotten.");
        },
        cancel: () => this.#form().replaceChildren(),
        failed: this.#app.problem,
      });
      this.#form().replaceChildren(form);
      form.querySelector("button")?.focus();
      announce(form.querySelector("#forget-what")?.textContent ?? "");
    } catch (error) {
      this.#app.problem(error);
    }
  }
}
