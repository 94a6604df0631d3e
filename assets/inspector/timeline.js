import { api } from "./api.js";
import { button, el, field } from "./dom.js";
import { factButton } from "./fact-button.js";
import { clockTime, counted, local, longDay } from "./format.js";
import { LongList } from "./long-list.js";

/** @import { LoggedTurn } from "../../src/records/index.js" */
/** @import { App, View } from "./app.js" */

const PAGE = 200;
const PROGRESS = { waiting: "waits to be read", failed: "could not be read", read: "" };

/** @param {{ sessionId: string, dialogueId: string }} turn */
export function placeOf({ sessionId, dialogueId }) {
  return `${sessionId}\n${dialogueId}`;
}

/** @param {LoggedTurn["turn"]} turn */
function saidAt({ timestamp, offsetMinutes }) {
  return local(timestamp, offsetMinutes);
}

/**
 * @param {LoggedTurn} item
 * @param {App} app
 */
function factsOf({ turn, entries, progress }, app) {
  if (entries.length === 0)
    return el("div", { class: "facts" }, el("span", { class: "tag" }, PROGRESS[progress] || "nothing kept"));
  const facts = entries.map((entry) =>
    factButton(entry, {
      open: (id) => app.open(id),
      isOpen: app.opened === entry.entryId,
      isShared: entry.sourceIds[0] !== turn.dialogueId,
    }),
  );
  return el("div", { class: "facts" }, ...facts);
}

/**
 * @param {LoggedTurn} item
 * @param {LoggedTurn | undefined} before
 * @param {App} app
 */
function turnRow(item, before, app) {
  const { turn } = item;
  const said = saidAt(turn);
  const isNewDay = before === undefined || longDay(saidAt(before.turn)) !== longDay(said);
  const place = placeOf(turn);
  return el(
    "div",
    {},
    isNewDay && el("h3", { class: "day" }, longDay(said)),
    el(
      "article",
      {
        class: app.lit.has(place) ? "turn lit" : "turn",
        "data-place": place,
        "aria-label": `${turn.speaker}, ${clockTime(said)}`,
        tabindex: -1,
      },
      el("time", { datetime: turn.timestamp }, clockTime(said)),
      el(
        "div",
        {},
        el("span", { class: "speaker" }, turn.speaker),
        turn.role !== "user" && el("span", { class: "tag" }, ` ${turn.role}`),
        el("p", { class: "said" }, turn.content),
      ),
      factsOf(item, app),
    ),
  );
}

/** @param {LongList<LoggedTurn>} list @param {App} app */
function follow(list, app) {
  app.on("lit", () => {
    for (const row of list.element.querySelectorAll(".turn")) {
      row.classList.toggle("lit", app.lit.has(row.getAttribute("data-place") ?? ""));
    }
    for (const fact of list.element.querySelectorAll("[data-entry]")) {
      fact.setAttribute("aria-pressed", String(fact.getAttribute("data-entry") === app.opened));
    }
  });
  app.on("entry", ({ entry }) => {
    list.change((item) => {
      const at = item.entries.findIndex(({ entryId }) => entryId === entry.entryId);
      return at === -1 ? item : { ...item, entries: item.entries.with(at, entry) };
    });
  });
  app.on("forgotten", ({ id, withTurns }) => {
    list.change((item) => {
      const entries = item.entries.filter(({ entryId }) => entryId !== id);
      if (entries.length === item.entries.length) return item;
      // A turn goes with the last of its facts.
      return entries.length === 0 && withTurns ? null : { ...item, entries };
    });
  });
}

/** @param {App} app @param {URLSearchParams} params */
function filterBar(app, params) {
  const order = params.get("order") ?? "newest";
  const session = params.get("session");
  /** @param {Record<string, string | null>} change */
  const set = (change) => app.go("timeline", { order, after: params.get("after"), session, ...change });
  const from = el("input", { type: "date", id: "from", value: params.get("after") });
  from.addEventListener("change", () => set({ after: from.value }));
  const sort = el(
    "select",
    { id: "order" },
    el("option", { value: "newest", selected: order === "newest" }, "newest first"),
    el("option", { value: "oldest", selected: order === "oldest" }, "oldest first"),
  );
  sort.addEventListener("change", () => set({ order: sort.value }));
  return el(
    "div",
    { class: "bar" },
    field("Order", sort),
    field("From", from),
    session !== null &&
      button(`Session ${session} ×`, () => set({ session: null }), {
        "aria-label": `Show all sessions, not ${session} alone`,
      }),
    el("span", { class: "soft small tail numbers", id: "timeline-count" }),
  );
}

/** @type {View} What was said, and the facts it became. */
export const timeline = {
  title: "What was said, and what is remembered",
  async show(view, app, params) {
    const bar = filterBar(app, params);
    const count = bar.querySelector("#timeline-count");
    const { turns } = await api.stats();
    /** @type {LongList<LoggedTurn>} */
    const list = new LongList({
      label: "Turns and the facts they became",
      load: (cursor) =>
        api.log({
          order: params.get("order") ?? "newest",
          after: params.get("after") ?? undefined,
          session: params.get("session") ?? undefined,
          limit: PAGE,
          cursor,
        }),
      row: (item, before) => turnRow(item, before, app),
      focusable: ".fact",
      empty: "Nothing was said here yet.",
      failed: app.problem,
      loaded: (loaded) => {
        if (count !== null) count.textContent = `${loaded} of ${counted(turns, "turn")}`;
      },
    });
    follow(list, app);
    view.append(bar, list.root);
    const place = params.get("turn");
    if (place !== null) await list.reveal(({ turn }) => placeOf(turn) === place);
    return () => list.close();
  },
};
