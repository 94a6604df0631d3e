import {
  type Day,
  type DaySpan,
  dateOf,
  dayOf,
  daySpan,
  isRealDate,
  MINUTES_PER_DAY,
  monthSpan,
  seasonSpan,
  yearSpan,
} from "./calendar.js";

export type Granularity = "time" | "day" | "week" | "weekend" | "month" | "season" | "year";
/** "unclear": it depends on another time than now, which the expression does not say ("the next day"). */
export type TimeKind = "date" | "duration" | "recurrence" | "unclear";
export type Tense = "past" | "future" | "unclear";

/** What a rule knows when it reads a match. */
export interface ReadingContext {
  readonly today: Day;
  /** Minutes since the speaker's midnight. */
  readonly minute: number;
  /** Tense of the clause around the match. */
  readonly tense: () => Tense;
  /** The clause around the match. */
  readonly clause: () => string;
}

/** What a time expression means, in local days. */
export interface Reading {
  readonly kind: TimeKind;
  readonly span: DaySpan;
  /** Minutes after midnight of `span.from`; null for whole days. `end` null: a point in time. */
  readonly clock: { readonly start: number; readonly end: number | null } | null;
  readonly granularity: Granularity;
  /** True when the meaning depends on when it was said. */
  readonly relative: boolean;
  /** True for a calendar date that lacks its year: relative, but not by a word such as "yesterday". */
  readonly yearless: boolean;
  /** Set when the written form cannot be derived from the span. */
  readonly written: string | null;
}

/** One way of saying a time. `read` returns null when the match is something else. */
export interface TimeRule {
  readonly pattern: RegExp;
  readonly read: (match: RegExpMatchArray, context: ReadingContext) => Reading | null;
}

export function timeRule(source: string, read: TimeRule["read"], flags = "giu"): TimeRule {
  return { pattern: new RegExp(source, flags), read };
}

/** Rules of one sort, and a cheap sign without which none of them can match. */
export interface TimeRuleGroup {
  readonly hint: RegExp;
  readonly rules: readonly TimeRule[];
}

type Extra = Partial<Pick<Reading, "relative" | "yearless" | "clock" | "written">>;

export function dateReading(span: DaySpan, granularity: Granularity, extra: Extra = {}): Reading {
  return { kind: "date", span, clock: null, granularity, relative: true, yearless: false, written: null, ...extra };
}

export function dayReading(day: Day, extra: Extra = {}): Reading {
  return dateReading(daySpan(day), "day", extra);
}

/** A point in time that lies some minutes from now. */
export function momentReading(context: ReadingContext, minutesAway: number): Reading {
  const total = context.minute + minutesAway;
  const days = Math.floor(total / MINUTES_PER_DAY);
  const start = total - days * MINUTES_PER_DAY;
  return dateReading(daySpan(context.today + days), "time", { clock: { start, end: null } });
}

/** A duration, a recurrence or an unclear time: reported, never resolved to a date. */
export function unresolved(kind: Exclude<TimeKind, "date">, context: ReadingContext): Reading {
  return { ...dayReading(context.today, { relative: false }), kind };
}

/** Of spans that come round again, in order, the one that the tense points to; the nearest when it points nowhere. */
export function pickSpan(spans: readonly DaySpan[], { today, tense }: ReadingContext): DaySpan | null {
  const when = tense();
  if (when === "past") return spans.findLast((span) => span.from <= today) ?? null;
  if (when === "future") return spans.find((span) => span.to > today) ?? null;
  const distance = (span: DaySpan) => (span.to <= today ? today - span.to + 1 : Math.max(0, span.from - today));
  return spans.toSorted((left, right) => distance(left) - distance(right))[0] ?? null;
}

/** Enough years each way to meet a 29 February. */
const YEARS_AROUND = [-8, -4, -3, -2, -1, 0, 1, 2, 3, 4, 8];

export function yearlessDate(month: number, day: number, context: ReadingContext): Reading | null {
  const { year } = dateOf(context.today);
  const spans = YEARS_AROUND.filter((step) => isRealDate(year + step, month, day)).map((step) =>
    daySpan(dayOf(year + step, month, day)),
  );
  const span = pickSpan(spans, context);
  return span && dateReading(span, "day", { yearless: true });
}

export function yearlessMonth(month: number, context: ReadingContext): Reading | null {
  const { year } = dateOf(context.today);
  const span = pickSpan(
    YEARS_AROUND.map((step) => monthSpan(year + step, month)),
    context,
  );
  return span && dateReading(span, "month", { yearless: true });
}

/** "on the 7th": the day of this month, or of the one before or after it. */
export function monthlessDay(day: number, context: ReadingContext): Reading | null {
  const { year, month } = dateOf(context.today);
  const spans = [-2, -1, 0, 1, 2].flatMap((step) => {
    const first = dateOf(dayOf(year, month + step, 1));
    return isRealDate(first.year, first.month, day) ? [daySpan(dayOf(first.year, first.month, day))] : [];
  });
  const span = pickSpan(spans, context);
  return span && dateReading(span, "day", { yearless: true });
}

export function fullDate(year: number, month: number, day: number): Reading | null {
  return isRealDate(year, month, day) ? dayReading(dayOf(year, month, day), { relative: false }) : null;
}

/** The first such date that is not before the given day. */
export function dateBeside(day: Day, month: number, dayOfMonth: number): Reading | null {
  const { year } = dateOf(day);
  const readings = [fullDate(year, month, dayOfMonth), fullDate(year + 1, month, dayOfMonth)];
  return readings.find((one) => one !== null && one.span.from >= day) ?? null;
}

export function fullMonth(year: number, month: number): Reading | null {
  if (month < 1 || month > 12) return null;
  return dateReading(monthSpan(year, month), "month", { relative: false });
}

export function yearReading(year: number, relative: boolean): Reading {
  return dateReading(yearSpan(year), "year", { relative });
}

/** Season `steps` rounds away: -1 the last one that has ended, 0 this year's, 1 the first that has not begun. */
export function seasonFrom(season: number, steps: -1 | 0 | 1, context: ReadingContext): Reading | null {
  const { year } = dateOf(context.today);
  const spans = [-2, -1, 0, 1, 2].map((step) => seasonSpan(year + step, season));
  const running = spans.find((span) => span.from <= context.today && context.today < span.to);
  const picked =
    steps < 0
      ? spans.findLast((span) => span.to <= context.today)
      : steps > 0
        ? spans.find((span) => span.from > context.today)
        : (running ?? seasonSpan(year, season));
  return picked === undefined ? null : dateReading(picked, "season");
}
