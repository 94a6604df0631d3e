import { button, el, svg } from "./dom.js";
import { factButton } from "./fact-button.js";
import { inWords, utcMoment } from "./format.js";
import { placeOf } from "./timeline.js";

/** @import { Hit } from "../../src/records/index.js" */
/** @import { App } from "./app.js" */

/** What each feature of the ranking is; docs/retrieval.md says how it is made. @type {Record<string, string>} */
const MEANING = {
  words: "shares words",
  alike: "has words of like meaning",
  phrase: "has the words in the same order",
  meaning: "means something alike",
  session: "its session is about it",
  speaker: "was said by whom the question names",
  firstSpeaker: "was said by the first who is named",
  about: "is about whom the question names",
  time: "lies in the time of the question",
  tellsWhen: "tells a time",
  tellsNumber: "tells a number",
  place: "is at the place of the question",
  length: "its length",
  isQuestion: "is a question itself",
  retired: "is history",
  restatement: "stands alone",
  replaces: "replaced what was asked for",
  key: "its key has the words",
};

/** A bar from 0 to 1. @param {number} share @param {boolean} [isMinus] */
function meter(share, isMinus = false) {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return svg(
    "svg",
    { class: "meter", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "track", width: 100, height: 6 }),
    svg("rect", { class: isMinus ? "amount minus" : "amount", width, height: 6 }),
  );
}

/** @param {Hit["features"]} features */
function featureTable(features = {}) {
  const rows = Object.entries(features)
    .filter(([, value]) => value !== 0)
    .sort(([, left], [, right]) => Math.abs(right) - Math.abs(left));
  const most = Math.max(...rows.map(([, value]) => Math.abs(value)), Number.EPSILON);
  const sum = rows.reduce((total, [, value]) => total + value, 0);
  return el(
    "table",
    {},
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("th", { scope: "col" }, "because it"),
        el("th", { scope: "col" }, "weight"),
        el("th", { scope: "col", class: "number" }, "added"),
      ),
    ),
    el(
      "tbody",
      {},
      ...rows.map(([name, value]) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, MEANING[name] ?? inWords(name)),
          el("td", {}, meter(Math.abs(value) / most, value < 0)),
          el("td", { class: "number" }, value.toFixed(3)),
        ),
      ),
      el("tr", {}, el("th", { scope: "row" }, "sum"), el("td"), el("td", { class: "number" }, sum.toFixed(3))),
    ),
  );
}

/** @param {Hit} hit @param {App} app */
function statement({ entry, text, kind, id, sessionId }, app) {
  if (entry !== undefined) return factButton(entry, { open: app.open, isOpen: app.opened === entry.entryId });
  if (kind === "fact") return el("p", { class: "fact-text" }, text);
  const show = () =>
    app.go("timeline", { session: sessionId, turn: placeOf({ sessionId, dialogueId: id }), order: "oldest" });
  return button("", show, { class: "fact", tabindex: -1 });
}

/**
 * One hit, and why it stands where it stands.
 * @param {Hit} hit
 * @param {number} rank
 * @param {boolean} isBelow the plan's cut
 * @param {App} app
 */
export function hitRow(hit, rank, isBelow, app) {
  const said = statement(hit, app);
  if (hit.kind === "turn") said.append(el("span", { class: "said fact-text" }, hit.text));
  const about = [
    hit.kind === "turn" ? "a turn" : hit.kind === "fact" ? "key and value" : null,
    hit.speaker,
    utcMoment(hit.timestamp),
  ];
  const views = hit.views.length === 0 ? "beside another hit" : `found by ${hit.views.join(", ")}`;
  return el(
    "li",
    { class: isBelow ? "hit below" : "hit" },
    el("span", { class: "rank" }, rank),
    said,
    el(
      "div",
      { class: "score" },
      el("span", { "aria-label": `score ${hit.score.toFixed(3)}` }, hit.score.toFixed(3)),
      meter(hit.score),
    ),
    el("p", { class: "meta small soft" }, [...about.filter((one) => one !== null), views].join(" · ")),
    el("details", {}, el("summary", {}, "Why this place"), featureTable(hit.features)),
  );
}
