import type { Line, Plot } from "./part.js";

const [WIDTH, HEIGHT] = [760, 360];
const MARGIN = { left: 64, right: 190, top: 44, bottom: 48 };
/** Told apart by colour and by the form of the line, on white and on black. */
const STYLES = [
  { colour: "#2f7ed8", dash: "" },
  { colour: "#d9641c", dash: "7 4" },
  { colour: "#2a9d5c", dash: "2 4" },
  { colour: "#a05bc4", dash: "10 3 2 3" },
];
const TICKS_PER_DECADE = [1, 2, 5];

interface Scale {
  readonly place: (value: number) => number;
  readonly ticks: readonly number[];
}

/** @param from place of the least value, @param to of the largest */
function logarithmic(values: readonly number[], from: number, to: number, steps: readonly number[]): Scale {
  const least = Math.log10(Math.min(...values));
  const most = Math.log10(Math.max(...values));
  const [low, high] = most - least < 0.1 ? [least - 0.5, most + 0.5] : [least, most];
  const decades = Array.from({ length: Math.ceil(high) - Math.floor(low) + 1 }, (_, step) => Math.floor(low) + step);
  const ticks = decades.flatMap((decade) => steps.map((step) => step * 10 ** decade));
  return {
    place: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
    ticks: ticks.filter((tick) => Math.log10(tick) >= low - 1e-9 && Math.log10(tick) <= high + 1e-9),
  };
}

function shortNumber(value: number): string {
  if (value >= 1e6) return `${value / 1e6}m`;
  if (value >= 1e3) return `${value / 1e3}k`;
  return String(Number(value.toPrecision(2)));
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function text(x: number, y: number, content: string, anchor: "start" | "middle" | "end", weight = "normal"): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" style="font-weight:${weight}">${escaped(content)}</text>`;
}

function axes(x: Scale, y: Scale, plot: Plot): string[] {
  const [left, right] = [MARGIN.left, WIDTH - MARGIN.right];
  const bottom = HEIGHT - MARGIN.bottom;
  const rows = y.ticks.map(
    (tick) =>
      `<line class="grid" x1="${left}" x2="${right}" y1="${y.place(tick).toFixed(1)}" y2="${y.place(tick).toFixed(1)}"/>` +
      text(left - 8, y.place(tick) + 4, shortNumber(tick), "end"),
  );
  const columns = x.ticks.map((tick) => text(x.place(tick), bottom + 18, shortNumber(tick), "middle"));
  return [
    ...rows,
    ...columns,
    text((left + right) / 2, HEIGHT - 10, plot.x, "middle"),
    text(left, MARGIN.top - 24, plot.title, "start", "bold"),
    text(left, MARGIN.top - 8, plot.y, "start"),
  ];
}

function curve(line: Line, index: number, x: Scale, y: Scale): string {
  const { colour, dash } = STYLES[index % STYLES.length] ?? { colour: "gray", dash: "" };
  const places = line.points.map(([at, value]) => [x.place(at), y.place(value)] as const);
  const path = places.map(([across, down], step) => `${step === 0 ? "M" : "L"}${across.toFixed(1)} ${down.toFixed(1)}`);
  const dots = places.map(
    ([across, down]) => `<circle cx="${across.toFixed(1)}" cy="${down.toFixed(1)}" r="3" fill="${colour}"/>`,
  );
  const legend = MARGIN.top + 18 * index;
  const key = WIDTH - MARGIN.right + 12;
  return [
    `<path d="${path.join("")}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>`,
    ...dots,
    `<line x1="${key}" x2="${key + 24}" y1="${legend}" y2="${legend}" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>`,
    text(key + 30, legend + 4, line.name, "start"),
  ].join("");
}

/** An SVG with logarithmic axes, readable on light and on dark pages. */
export function svgOf(plot: Plot): string {
  const points = plot.lines.flatMap((line) => line.points);
  const x = logarithmic(
    points.map(([at]) => at),
    MARGIN.left,
    WIDTH - MARGIN.right,
    [1],
  );
  const y = logarithmic(
    points.map(([, value]) => value),
    HEIGHT - MARGIN.bottom,
    MARGIN.top,
    TICKS_PER_DECADE,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(plot.title)}">`,
    "<style>text{font:12px system-ui,sans-serif;fill:#333}.grid{stroke:#8884;stroke-width:1}@media(prefers-color-scheme:dark){text{fill:#ddd}}</style>",
    ...axes(x, y, plot),
    ...plot.lines.map((line, index) => curve(line, index, x, y)),
    "</svg>",
    "",
  ].join("\n");
}
