import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync("assets/inspector/palette.css", "utf8");
const [light = "", dark = ""] = css.split("@media (prefers-color-scheme: dark)");

function tokensOf(block: string): ReadonlyMap<string, string> {
  return new Map(
    [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = "", colour = ""]) => [name, colour]),
  );
}

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2, contrast ratio. */
function contrast(left: string, right: string): number {
  const [low = 0, high = 0] = [luminance(left), luminance(right)].sort((one, other) => one - other);
  return (high + 0.05) / (low + 0.05);
}

type Pair = readonly [front: string, ground: string];

function onBoth(fronts: readonly string[]): readonly Pair[] {
  return fronts.flatMap((front) => ["paper", "raised"].map((ground): Pair => [front, ground]));
}

const TEXT_ON: readonly Pair[] = [
  ...onBoth(["ink", "soft", "accent", "good", "warn", "bad"]),
  ["ink", "lit"],
  ["accent", "lit"],
  ["on-accent", "accent"],
];

/** Edges of controls, the focus, lines of plots: 3 to 1 (1.4.11). */
const SHAPE_ON = onBoth(["edge", "accent", "plot-said", "plot-kept"]);

describe.each([
  ["light", light],
  ["dark", dark],
])("the palette in %s mode", (_mode, block) => {
  const tokens = tokensOf(block);
  const ratio = (front = "", back = "") => contrast(tokens.get(front) ?? "", tokens.get(back) ?? "");

  it.each(TEXT_ON)("sets %s on %s with a contrast of 4.5 or more", (text, ground) => {
    expect(ratio(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(SHAPE_ON)("draws %s on %s with a contrast of 3 or more", (shape, ground) => {
    expect(ratio(shape, ground)).toBeGreaterThanOrEqual(3);
  });
});

describe("the palette", () => {
  it("gives both modes the same colours, and no other file names one", () => {
    expect([...tokensOf(dark).keys()]).toEqual([...tokensOf(light).keys()]);
    for (const file of ["page.css", "views.css", "panel.css"]) {
      expect(readFileSync(`assets/inspector/${file}`, "utf8")).not.toMatch(/#[0-9a-f]{3,8}\b/i);
    }
  });

  it("computes as WCAG does: black on white is 21", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
    expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  });
});
