import { announce } from "./announce.js";
import { api } from "./api.js";
import { el, pairs } from "./dom.js";
import { counted, inWords, moment } from "./format.js";
import { hitRow } from "./hit.js";
import { Rover } from "./rover.js";

/** @import { SearchReply } from "../../src/inspector/replies.js" */
/** @import { App, View } from "./app.js" */

/** @param {SearchReply["plan"]["timeRange"]} range */
function rangeInWords(range) {
  if (range === null) return null;
  const { after, before } = range;
  return [after !== null && `from ${moment(after)}`, before !== null && `until ${moment(before)}`]
    .filter(Boolean)
    .join(" ");
}

/** @param {SearchReply} reply */
function planPart({ plan, rounds, degraded, usage, cut }) {
  return el(
    "section",
    { class: "plan", "aria-labelledby": "plan-title" },
    el("h3", { id: "plan-title" }, "The plan"),
    pairs([
      ["asks", inWords(plan.questionType)],
      ["queries", plan.queries.join(" · ")],
      ["words", plan.keywords],
      ["people", plan.persons],
      ["things", plan.entities],
      ["place", plan.location],
      ["time", rangeInWords(plan.timeRange)],
      ["order of events", plan.sequence],
      ["cut", `after ${counted(cut, "hit")} (complexity ${plan.complexity.toFixed(2)})`],
      ["made by", `${plan.source}, ${counted(rounds, "round")}, ${counted(usage.modelCalls, "model call")}`],
    ]),
    degraded !== undefined && el("p", { class: "notice" }, `Incomplete: ${degraded}`),
  );
}

/** @param {SearchReply} reply @param {App} app */
function hitList({ hits, cut }, app) {
  const rows = hits.flatMap((hit, index) => {
    const row = hitRow(hit, index + 1, index >= cut, app);
    if (index !== cut) return [row];
    return [el("li", { class: "cut" }, `The plan's cut: a search gives the ${cut} above.`), row];
  });
  const list = el("ol", { "aria-label": "Hits, best first" }, ...rows);
  new Rover(list, ".fact").ensure();
  return list;
}

/** @param {SearchReply} reply @param {HTMLElement} results @param {App} app */
function showFound(reply, results, app) {
  const nothing = el("p", { class: "empty" }, "Nothing was found.");
  results.replaceChildren(planPart(reply), reply.hits.length === 0 ? nothing : hitList(reply, app));
  announce(`${counted(reply.hits.length, "hit")}, ${Math.min(reply.cut, reply.hits.length)} above the cut.`);
}

/** @param {HTMLElement} results @param {App} app */
function follow(results, app) {
  app.on("entry", ({ entry }) => {
    for (const fact of results.querySelectorAll(`[data-entry="${CSS.escape(entry.entryId)}"] .fact-text`)) {
      fact.textContent = entry.losslessRestatement;
    }
  });
  app.on("forgotten", ({ id }) => {
    for (const fact of results.querySelectorAll(`[data-entry="${CSS.escape(id)}"]`)) fact.closest("li")?.remove();
  });
  app.on("lit", () => {
    for (const fact of results.querySelectorAll("[data-entry]")) {
      fact.setAttribute("aria-pressed", String(fact.getAttribute("data-entry") === app.opened));
    }
  });
}

/** @type {View} Search that explains itself. */
export const search = {
  title: "Search",
  async show(view, app, params) {
    const input = el("input", {
      type: "search",
      id: "query",
      value: params.get("q"),
      "aria-label": "Question or words",
      autocomplete: "off",
    });
    const history = el("input", { type: "checkbox", id: "with-history", checked: params.get("history") === "true" });
    const results = el("div", { id: "results" });
    const ended = new AbortController();
    view.append(
      el(
        "form",
        {
          class: "ask",
          role: "search",
          submit: (event) => {
            event.preventDefault();
            app.go("search", { q: input.value, history: history.checked ? "true" : null });
          },
        },
        input,
        el("button", { type: "submit", class: "main" }, "Search"),
        el("span", { class: "inline" }, history, el("label", { for: "with-history" }, "also what is history")),
      ),
      results,
    );
    const q = params.get("q");
    if (q === null || q.trim() === "") {
      input.focus();
      return;
    }
    follow(results, app);
    results.append(el("p", { class: "empty" }, "Searching…"));
    showFound(await api.search({ q, history: params.get("history") ?? undefined }, ended.signal), results, app);
    return () => ended.abort();
  },
};
