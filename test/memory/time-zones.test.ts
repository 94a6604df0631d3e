import { describe, expect, it } from "vitest";
import { ended, startChild } from "../support/processes.js";

const ZONES = ["UTC", "Asia/Shanghai", "America/Los_Angeles"];

describe("R39 R40: the machine's zone and clock never matter", () => {
  it.each(ZONES)("under TZ=%s the same days come out", async (zone) => {
    const end = await ended(startChild("zone-child", [], { TZ: zone }));
    expect(end.code, end.errors).toBe(0);
    const days: Record<string, string> = JSON.parse(end.lines.at(-1) ?? "{}");
    expect(days).toEqual({
      tomorrow: "2026-01-11",
      today: "2026-01-10",
      yesterday: "2024-11-04",
      bare: "2025-06-30",
      zulu: "2026-01-10",
    });
  });
});
