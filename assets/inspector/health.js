import { announce } from "./announce.js";
import { api } from "./api.js";
import { button, el, pairs } from "./dom.js";
import { bytes, counted, inWords, number, utcMoment } from "./format.js";

/** @import { HealthReply } from "../../src/inspector/replies.js" */
/** @import { View } from "./app.js" */

/** @param {string} title @param {...(Node | null | false)} content */
function part(title, ...content) {
  return el("section", {}, el("h3", {}, title), ...content);
}

/** @param {HealthReply} reply */
function failedWindows({ health }) {
  const failed = health.windows.filter(({ state, lastError }) => state === "failed" || lastError !== null);
  if (failed.length === 0) return null;
  const rows = failed.map(({ sessionId, turnIds, state, attempts, lastError, updatedAt }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, sessionId),
      el("td", { class: "number" }, turnIds.length),
      el("td", {}, state),
      el("td", { class: "number" }, attempts),
      el("td", {}, utcMoment(updatedAt)),
      el("td", {}, lastError),
    ),
  );
  const head = ["session", "turns", "state", "tries", "last try", "error"].map((name) =>
    el("th", { scope: "col" }, name),
  );
  return el(
    "div",
    { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Windows that failed" },
    el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)),
  );
}

/** @param {HealthReply} reply @param {(act: () => Promise<unknown>, done: string) => void} run */
function writing(reply, run) {
  const { health, stats } = reply;
  const { failed } = stats.windows;
  return part(
    "Reading what was said",
    pairs([
      ["waits", health.pendingTurns === 0 ? "nothing" : counted(health.pendingTurns, "turn")],
      [
        "windows",
        `${number(stats.windows.stored)} stored, ${number(stats.windows.pending)} pending, ${number(failed)} failed`,
      ],
    ]),
    failed > 0 &&
      el(
        "p",
        { class: "notice bad" },
        `${counted(failed, "window")} could not be read. The turns are kept; nothing is lost.`,
      ),
    failedWindows(reply),
    el(
      "div",
      { class: "actions" },
      button("Read what waits", () => run(() => api.flush(false), "Read."), {
        disabled: health.pendingTurns === 0 && stats.windows.pending === 0,
      }),
      failed > 0 && button("Try the failed ones again", () => run(() => api.flush(true), "Tried again.")),
    ),
  );
}

/** @param {HealthReply} reply */
function indexes({ health }) {
  const lag = health.tables.reduce((sum, { unindexedRows }) => sum + unindexedRows, 0);
  return part(
    "Indexes",
    pairs([
      ["vectors", health.embedder === null ? "none yet" : `${health.dimension} numbers, made by ${health.embedder}`],
      ...health.tables.map(
        ({ table, rows, indexes: count, unindexedRows }) =>
          /** @type {const} */ ([
            table,
            `${counted(rows, "row")}, ${counted(count, "index", "indexes")}, ${number(unindexedRows)} not covered`,
          ]),
      ),
      ["turns to index", health.unindexedTurns === 0 ? null : number(health.unindexedTurns)],
    ]),
    !health.isComparable &&
      el(
        "p",
        { class: "notice bad" },
        "Another embedder made the vectors: searches go by words until reembed() was called.",
      ),
    lag > 0 &&
      el(
        "p",
        { class: "notice" },
        "Rows that no index covers are found as well, more slowly. Maintenance folds them in.",
      ),
  );
}

/** @param {HealthReply["stats"]} stats */
function contents({ turns, entries, facts, bytes: size, latency, totals }) {
  const statuses = Object.entries(entries).map(([status, count]) => `${number(count)} ${inWords(status)}`);
  const speeds = Object.entries(latency).map(([name, ms]) => `${name} ${Math.round(ms)} ms`);
  return part(
    "What it holds",
    pairs([
      ["turns", number(turns)],
      ["facts", statuses],
      ["keys and values", number(facts)],
      ["on disk, of all users", size === 0 ? null : bytes(size)],
      ["speed since the start", speeds],
      ["model calls since the start", number(totals.modelCalls)],
    ]),
  );
}

/** @param {HealthReply["runs"]} runs @param {(act: () => Promise<unknown>, done: string) => void} run */
function maintenance(runs, run) {
  const items = runs.map(({ finishedAt, expired, decay, duplicates, clusters, alerts }) =>
    el(
      "li",
      { class: "version" },
      el("strong", {}, utcMoment(finishedAt)),
      `: ${expired.entries} expired, ${decay.archived} archived, ${duplicates.joined} joined, ${clusters.made} patterns`,
      ...alerts.map(({ message }) => el("p", { class: "tag warn" }, message)),
    ),
  );
  return part(
    "Maintenance",
    items.length === 0 ? el("p", { class: "soft" }, "It never ran for this user.") : el("ol", {}, ...items),
    el(
      "div",
      { class: "actions" },
      button("Maintain now", () => run(() => api.maintain(), "Maintained.")),
    ),
  );
}

/** @type {View} What waits, what failed, and whether searches see everything. */
export const health = {
  title: "Health",
  async show(view, app) {
    /** @param {() => Promise<unknown>} act @param {string} done */
    const run = async (act, done) => {
      announce("Working…");
      for (const one of view.querySelectorAll("button")) one.disabled = true;
      try {
        await act();
        announce(done);
      } catch (error) {
        app.problem(error);
      }
      await draw();
    };
    const draw = async () => {
      const reply = await api.health();
      const parts = [writing(reply, run), indexes(reply), contents(reply.stats), maintenance(reply.runs, run)];
      view.replaceChildren(el("div", { class: "health" }, ...parts));
    };
    await draw();
  },
};
