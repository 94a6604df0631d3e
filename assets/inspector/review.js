import { announce } from "./announce.js";
import { api } from "./api.js";
import { button, el } from "./dom.js";
import { editForm } from "./entry-forms.js";
import { factButton } from "./fact-button.js";
import { counted, inWords, utcMoment } from "./format.js";

/** @import { ReviewItem } from "../../src/records/index.js" */
/** @import { App, View } from "./app.js" */

const PAGE = 50;
/** @type {Record<string, string>} */
const REASONS = {
  pending: "waits to be approved before any read gives it",
  conflicted: "contradicts another fact",
  low_confidence: "its words are doubted",
  untrusted_source: "its source is not trusted",
};
/** @type {Record<string, string>} */
const DONE = { approve: "Approved.", reject: "Rejected.", edit: "Corrected and approved." };

/**
 * The next card is where one goes on.
 * @param {HTMLElement} card
 */
function leave(card) {
  const next = card.nextElementSibling ?? card.previousElementSibling;
  card.remove();
  const target = next?.querySelector("button");
  if (target instanceof HTMLElement) target.focus();
  return target !== null && target !== undefined;
}

/** @param {ReviewItem} item @param {App} app @param {() => void} emptied */
function card({ entry, reasons }, app, emptied) {
  const form = el("div");
  /** @param {{ decision: string }} decision */
  const decide = async (decision) => {
    try {
      const changed = await api.decide(entry.entryId, decision);
      app.tell("entry", { entry: changed });
      announce(DONE[decision.decision] ?? "");
      if (!leave(node)) emptied();
    } catch (error) {
      app.problem(error);
    }
  };
  const edit = () => {
    const editing = editForm(entry, {
      label: "Correct and approve this fact",
      save: (patch, reason) => decide({ decision: "edit", ...{ patch, reason } }),
      cancel: () => form.replaceChildren(),
    });
    form.replaceChildren(editing);
    editing.querySelector("textarea")?.focus();
  };
  const fact = factButton(entry, { open: app.open, isOpen: false });
  fact.tabIndex = 0;
  const node = el(
    "li",
    { class: "card", "data-review": entry.entryId },
    fact,
    el(
      "p",
      { class: "small soft" },
      `${entry.speaker}, ${utcMoment(entry.mentionedAt)} · ${reasons.map((reason) => REASONS[reason] ?? inWords(reason)).join("; ")}`,
    ),
    el(
      "div",
      { class: "row" },
      button("Approve", () => void decide({ decision: "approve" }), { class: "main" }),
      button("Edit", edit),
      button("Reject", () => void decide({ decision: "reject" }), { class: "danger" }),
    ),
    form,
  );
  return node;
}

/** @type {View} What a person should look at. */
export const review = {
  title: "To be reviewed",
  async show(view, app) {
    const list = el("ol", { class: "cards", "aria-label": "Facts that wait for a review" });
    const nothing = () => list.replaceWith(el("p", { class: "empty" }, "Nothing waits for you."));
    const more = button("Show more", () => void read(), { hidden: true });
    /** @type {string | undefined} */
    let cursor;
    const read = async () => {
      const page = await api.review({ limit: PAGE, cursor });
      cursor = page.cursor;
      list.append(...page.items.map((item) => card(item, app, nothing)));
      more.hidden = cursor === undefined;
      return page.items.length;
    };
    view.append(list, more);
    const count = await read();
    if (count === 0) nothing();
    announce(`${counted(count, "fact")} to review${cursor === undefined ? "" : ", and more"}.`);
    app.on("forgotten", ({ id }) => list.querySelector(`[data-review="${CSS.escape(id)}"]`)?.remove());
  },
};
