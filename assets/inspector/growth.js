import { api } from "./api.js";
import { el } from "./dom.js";
import { counted, number } from "./format.js";
import { plot } from "./plot.js";

/** @import { Growth, GrowthDay } from "../../src/records/index.js" */
/** @import { View } from "./app.js" */

/**
 * How much there was by the end of each day.
 * @template T
 * @param {readonly T[]} days
 * @param {(day: T) => number} count
 */
function sums(days, count) {
  let sum = 0;
  return days.map((day) => {
    sum += count(day);
    return sum;
  });
}

/** @param {readonly GrowthDay[]} days */
function sizePlot(days) {
  const turns = sums(days, (day) => day.turns);
  const facts = sums(days, (day) => day.currentEntries);
  const made = days.reduce((sum, day) => sum + day.entries, 0);
  return plot({
    title: "Turns and facts",
    summary: `${counted(turns.at(-1) ?? 0, "turn")} became ${counted(made, "fact")}, of which ${number(facts.at(-1) ?? 0)} hold today.`,
    days: days.map(({ day }) => day),
    series: [
      { name: "turns", line: "said-line", values: turns },
      { name: "facts that hold", line: "kept-line", values: facts },
    ],
  });
}

/** @param {readonly GrowthDay[]} days */
function tokenPlot(days) {
  const said = sums(days, (day) => day.turnTokens);
  const kept = sums(days, (day) => day.currentTokens);
  return plot({
    title: "Tokens",
    summary: `The whole history is ${counted(said.at(-1) ?? 0, "token")}; the facts that hold are ${number(kept.at(-1) ?? 0)}.`,
    days: days.map(({ day }) => day),
    series: [
      { name: "said", line: "said-line", values: said },
      { name: "kept", line: "kept-line", values: kept },
    ],
  });
}

/** @param {readonly GrowthDay[]} days */
function savedPlot(days) {
  const saved = sums(days, (day) => day.turnTokens - day.currentTokens);
  const [last = 0] = saved.slice(-1);
  const whole = days.reduce((sum, day) => sum + day.turnTokens, 0);
  const share = whole === 0 ? 0 : Math.round((100 * last) / whole);
  return plot({
    title: "Tokens saved",
    summary: `A prompt with every fact, in place of the whole history, saves ${counted(Math.max(0, last), "token")} (${Math.max(0, share)} %). A search reads a few facts only.`,
    days: days.map(({ day }) => day),
    series: [{ name: "tokens saved", line: "kept-line", values: saved.map((value) => Math.max(0, value)) }],
  });
}

/** @param {Growth["costs"]} costs */
function costPlot(costs) {
  const read = sums(costs, (day) => day.promptTokens);
  const written = sums(costs, (day) => day.completionTokens);
  const calls = costs.reduce((sum, day) => sum + day.modelCalls, 0);
  return plot({
    title: "Cost",
    summary:
      calls === 0
        ? "No model was called: memory by rules costs nothing."
        : `${counted(calls, "model call")}, ${counted(read.at(-1) ?? 0, "token")} read and ${number(written.at(-1) ?? 0)} written, by the day on which they were spent.`,
    days: costs.map(({ day }) => day),
    series: [
      { name: "tokens read by models", line: "said-line", values: read },
      { name: "tokens written by models", line: "kept-line", values: written },
    ],
  });
}

/** @type {View} How the memory grew, and what it cost. */
export const growth = {
  title: "Growth",
  async show(view) {
    const { days, costs } = await api.growth();
    if (days.length === 0) {
      view.append(el("p", { class: "empty" }, "Nothing was said here yet."));
      return;
    }
    view.append(el("div", { class: "plots" }, sizePlot(days), tokenPlot(days), savedPlot(days), costPlot(costs)));
  },
};
