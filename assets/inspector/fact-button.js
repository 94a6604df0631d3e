import { el } from "./dom.js";
import { inWords } from "./format.js";

/** @import { MemoryEntry } from "../../src/records/index.js" */

const PAST = new Set(["superseded", "archived", "done"]);
/** @type {Record<string, string>} */
const TONE = { conflicted: "bad", doubtful: "warn", pending_review: "warn" };

/**
 * What has become of an entry, in a word; nothing of one that simply holds.
 * @param {MemoryEntry} entry
 */
export function statusTags({ status, pinned }) {
  return [
    ...(status === "active" ? [] : [el("span", { class: `tag ${TONE[status] ?? ""}` }, inWords(status))]),
    ...(pinned ? [el("span", { class: "tag good" }, "pinned")] : []),
  ];
}

/**
 * A fact that opens when it is pressed.
 * @param {MemoryEntry} entry
 * @param {{ open: (id: string) => void, isOpen: boolean, isShared?: boolean }} how `isShared`: it is told at another of its turns, too
 */
export function factButton(entry, { open, isOpen, isShared = false }) {
  const classes = ["fact", PAST.has(entry.status) && "past", isShared && "shared"].filter(Boolean).join(" ");
  return el(
    "button",
    {
      type: "button",
      class: classes,
      "data-entry": entry.entryId,
      "aria-pressed": String(isOpen),
      tabindex: -1,
      click: () => open(entry.entryId),
    },
    el("span", { class: "fact-text" }, entry.losslessRestatement),
    ...statusTags(entry).flatMap((tag) => [" ", tag]),
    isShared && el("span", { class: "tag" }, " said in several turns"),
  );
}
