import { el, svg } from "./dom.js";
import { number, shortDay } from "./format.js";

/** @typedef {{ name: string, line: "said-line" | "kept-line", values: readonly number[] }} Series */

const WIDTH = 480;
const HEIGHT = 200;
const LEFT = 54;
const RIGHT = 8;
const TOP = 10;
const BOTTOM = 24;
const MS_PER_DAY = 86_400_000;

/** A round number at or above: 1, 2 or 5 times a power of ten. @param {number} value */
export function roundAbove(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10);
}

/** @param {readonly string[]} days @param {number} highest */
function scales(days, highest) {
  const first = Date.parse(days[0] ?? "");
  // A little is left after the last day, so that what came on it is seen.
  const span = Math.max(MS_PER_DAY, Date.parse(days.at(-1) ?? "") - first) * 1.03;
  return {
    /** @param {string} day */
    x: (day) => LEFT + ((Date.parse(day) - first) / span) * (WIDTH - LEFT - RIGHT),
    /** @param {number} value */
    y: (value) => HEIGHT - BOTTOM - (value / highest) * (HEIGHT - TOP - BOTTOM),
  };
}

/** @param {ReturnType<typeof scales>} scale @param {readonly string[]} days @param {number} highest */
function axes({ y }, days, highest) {
  const marks = [0, highest / 2, highest].flatMap((value) => [
    svg("line", { class: "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
    svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, number(value)),
  ]);
  const ends = [
    svg("text", { x: LEFT, y: HEIGHT - 6 }, shortDay(days[0] ?? "")),
    days.length > 1 &&
      svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 6, "text-anchor": "end" }, shortDay(days.at(-1) ?? "")),
  ];
  return [...marks, ...ends];
}

/** What has grown stays until it grows on: steps, no slopes. @param {ReturnType<typeof scales>} scale @param {readonly string[]} days @param {readonly number[]} values */
function steps({ x, y }, days, values) {
  const points = days.map(
    (day, index) =>
      `${index === 0 ? "M" : "H"}${x(day).toFixed(1)}${index === 0 ? " " : "V"}${y(values[index] ?? 0).toFixed(1)}`,
  );
  return `M${LEFT} ${y(0)}V${y(values[0] ?? 0).toFixed(1)}${points.slice(1).join("")}H${WIDTH - RIGHT}`;
}

/** @param {readonly string[]} days @param {readonly Series[]} series */
function numbersTable(days, series) {
  const head = [
    el("th", { scope: "col" }, "day"),
    ...series.map(({ name }) => el("th", { scope: "col", class: "number" }, name)),
  ];
  const rows = days.map((day, index) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, day),
      ...series.map(({ values }) => el("td", { class: "number" }, number(values[index] ?? 0))),
    ),
  );
  return el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
}

/** @param {Series} series */
function legend({ name, line }) {
  const sample = svg(
    "svg",
    { width: 26, height: 8, "aria-hidden": "true", class: "sample" },
    svg("path", { class: line, d: "M0 4H26" }),
  );
  return el("span", { class: "inline small soft" }, sample, name);
}

/**
 * Sums that grow over time, as a picture, in a sentence, and as numbers.
 * @param {{ title: string, summary: string, days: readonly string[], series: readonly Series[] }} parts
 */
export function plot({ title, summary, days, series }) {
  const caption = el("figcaption", {}, el("strong", {}, title), el("p", { class: "small soft" }, summary));
  if (days.length === 0) return el("figure", { class: "plot" }, caption);
  const highest = roundAbove(Math.max(...series.flatMap(({ values }) => values)));
  const scale = scales(days, highest);
  const [kept] = series.filter(({ line }) => line === "kept-line");
  const area = kept && `${steps(scale, days, kept.values)}V${scale.y(0)}H${LEFT}Z`;
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${title}. ${summary}` },
    ...axes(scale, days, highest),
    area && svg("path", { class: "kept-area", d: area }),
    ...series.map(({ line, values }) => svg("path", { class: line, d: steps(scale, days, values) })),
  );
  return el(
    "figure",
    { class: "plot" },
    caption,
    picture,
    el("p", { class: "row" }, ...series.map(legend)),
    el("details", {}, el("summary", {}, "The numbers"), el("div", { class: "scrolls" }, numbersTable(days, series))),
  );
}
