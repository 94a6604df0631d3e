import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addMonths, dateOf, dayOf, mondayOf, monthFrom, weekdayOf } from "../../src/language/calendar.js";

const anyDay = fc.integer({ min: dayOf(1900, 1, 1), max: dayOf(2200, 1, 1) });

describe("calendar", () => {
  it("turns days into dates and back without loss", () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const date = dateOf(day);
        expect(dayOf(date.year, date.month, date.day)).toBe(day);
      }),
    );
  });

  it("undoes a shift of days by the opposite shift", () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -4000, max: 4000 }), (day, shift) => {
        const date = dateOf(day);
        const there = dateOf(dayOf(date.year, date.month, date.day + shift));
        expect(dateOf(dayOf(there.year, there.month, there.day - shift))).toEqual(date);
      }),
    );
  });

  it("begins every week on a Monday at most six days back", () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        expect(weekdayOf(mondayOf(day))).toBe(0);
        expect(day - mondayOf(day)).toBeLessThan(7);
        expect(day - mondayOf(day)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it("stays in the target month when months are added", () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -500, max: 500 }), (day, months) => {
        expect(monthFrom(addMonths(day, months), 0)).toBe(monthFrom(day, months));
      }),
    );
  });

  it("ends a leap February on the 29th", () => {
    expect(dateOf(addMonths(dayOf(2024, 1, 31), 1))).toEqual({ year: 2024, month: 2, day: 29 });
    expect(dateOf(addMonths(dayOf(2023, 1, 31), 1))).toEqual({ year: 2023, month: 2, day: 28 });
  });
});
