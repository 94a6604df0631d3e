import { announce } from "./announce.js";
import { api, Refused } from "./api.js";
import { Listeners } from "./app.js";
import { setUpChooser } from "./chooser.js";
import { byId, el } from "./dom.js";
import { EntryPanel } from "./entry-panel.js";
import { growth } from "./growth.js";
import { health } from "./health.js";
import { setUpKeys } from "./keys.js";
import { review } from "./review.js";
import { search } from "./search.js";
import { timeline } from "./timeline.js";

/** @import { App, View } from "./app.js" */

/** @type {Readonly<Record<string, { label: string, view: View }>>} */
const VIEWS = {
  timeline: { label: "Timeline", view: timeline },
  search: { label: "Search", view: search },
  growth: { label: "Growth", view: growth },
  review: { label: "Review", view: review },
  health: { label: "Health", view: health },
};
const FIRST = "timeline";
/** Reviews that are counted for the tab. */
const COUNTED_REVIEWS = 100;

const listeners = new Listeners();
/** @type {() => void} */
let endView = () => {};
/** Draws that were asked for; an older one that ends late draws nothing. */
let draws = 0;

/** @param {unknown} error */
function problem(error) {
  if (error instanceof DOMException && error.name === "AbortError") return;
  const isUnknown = error instanceof Refused && error.status === 401;
  const message = isUnknown
    ? "This page has no valid token. Open the address that the inspector printed, with all that stands after the #."
    : error instanceof Refused
      ? error.message
      : "The inspector cannot be reached. Is it still running?";
  byId("view").querySelector("#problem")?.remove();
  byId("view").prepend(el("p", { class: "notice bad", id: "problem", role: "alert" }, message));
  // Of what is no fault of the server, the developer's console tells more.
  if (!(error instanceof Refused)) console.warn(error);
}

/** @type {App} */
const app = {
  lit: new Set(),
  opened: null,
  open(id) {
    app.opened = id;
    panel.open(id).catch(problem);
  },
  close: () => panel.close(),
  light(places) {
    app.lit = new Set(places);
    app.opened = panel.id;
    listeners.tell("lit", {});
  },
  go(view, params = {}) {
    const given = Object.entries(params).flatMap(([name, value]) =>
      value === null || value === "" ? [] : [[name, value]],
    );
    const hash = `#${view}${given.length === 0 ? "" : `?${new URLSearchParams(given)}`}`;
    if (location.hash === hash) void draw();
    else location.hash = hash;
  },
  problem,
  on: (event, listen) => listeners.add(event, listen),
  tell(event, detail) {
    listeners.tell(event, detail);
    void countReviews();
  },
};
const panel = new EntryPanel(app);

function place() {
  const [name = "", query = ""] = location.hash.slice(1).split("?");
  return { name: name in VIEWS ? name : FIRST, params: new URLSearchParams(query) };
}

/** @param {string} current */
function drawTabs(current) {
  const tabs = Object.entries(VIEWS).map(([name, { label }]) =>
    el(
      "li",
      {},
      el("a", { href: `#${name}`, id: `tab-${name}`, "aria-current": name === current ? "page" : null }, label),
    ),
  );
  byId("views").replaceChildren(...tabs);
}

async function countReviews() {
  const { items, cursor } = await api.review({ limit: COUNTED_REVIEWS });
  const tab = byId("tab-review");
  tab.querySelector(".count")?.remove();
  if (items.length === 0) return;
  const count = cursor === undefined ? String(items.length) : `${COUNTED_REVIEWS}+`;
  tab.append(el("span", { class: "count" }, count, el("span", { class: "unseen" }, " waiting")));
}

async function draw() {
  const { name, params } = place();
  const shown = VIEWS[name];
  if (shown === undefined) return;
  draws += 1;
  const mine = draws;
  endView();
  listeners.clear();
  drawTabs(name);
  byId("view-title").textContent = shown.view.title;
  document.title = `${shown.label} · Memory inspector`;
  const view = el("div");
  byId("view").replaceChildren(view);
  void countReviews().catch(problem);
  try {
    const end = (await shown.view.show(view, app, params)) ?? (() => {});
    if (mine === draws) endView = end;
    else end();
  } catch (error) {
    if (mine === draws) problem(error);
  }
}

/** A new place is where one reads on. */
function follow() {
  if (panel.id !== null && byId("content").inert) panel.close();
  void draw();
  announce(document.title);
}

setUpKeys(
  [
    { key: "/", tells: "search", act: () => app.go("search") },
    ...Object.entries(VIEWS).map(([name, { label }], index) => ({
      key: String(index + 1),
      tells: label,
      act: () => app.go(name),
    })),
  ],
  () => panel.close(),
);
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("content").focus();
});
addEventListener("hashchange", follow);

try {
  const isSomebody = await setUpChooser(() => {
    panel.close();
    void draw();
  });
  if (isSomebody) await draw();
  else byId("view").append(el("p", { class: "empty" }, "This store remembers nobody yet."));
} catch (error) {
  problem(error);
}
