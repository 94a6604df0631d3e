import { DAYS_PER_WEEK, type Day, dateOf, monthFrom, monthSpan, weekendSpan, weekSpan } from "./calendar.js";
import { dateReading, type Reading, yearReading } from "./time-reading.js";

/** The week, weekend, month or year that lies some steps from the day's own. */
export function weekAway(today: Day, steps: number): Reading {
  return dateReading(weekSpan(today + steps * DAYS_PER_WEEK), "week");
}

export function weekendAway(today: Day, steps: number): Reading {
  return dateReading(weekendSpan(today + steps * DAYS_PER_WEEK), "weekend");
}

export function monthAway(today: Day, steps: number): Reading {
  const { year, month } = dateOf(monthFrom(today, steps));
  return dateReading(monthSpan(year, month), "month");
}

export function yearAway(today: Day, steps: number): Reading {
  return yearReading(dateOf(today).year + steps, true);
}
