import { daySpan, instantOf, localNow, MINUTES_PER_DAY, type TimeReference, withZone } from "./calendar.js";
import { clauseAround, tenseAround } from "./tense.js";
import { CHINESE_TIME_HINT, CHINESE_TIME_RULES } from "./time-chinese.js";
import { ENGLISH_TIME_HINT, ENGLISH_TIME_RULES } from "./time-english.js";
import { clockAfter, clockBefore } from "./time-english-clock.js";
import { withLead } from "./time-english-lead.js";
import type { Granularity, Reading, ReadingContext, TimeKind, TimeRuleGroup } from "./time-reading.js";
import { placeWritten } from "./time-sentence.js";
import { englishSpan, writeChinese, writeEnglish } from "./time-written.js";

/** A time expression found in a text. */
export interface TimeMention {
  /** Offsets into the text: `text.slice(start, end)` is the expression. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Start, ISO 8601 in UTC. For all kinds but dates: the midnight of the day it was said. */
  readonly from: string;
  /** Exclusive end, ISO 8601 in UTC; null for a point in time and for all kinds but dates. */
  readonly to: string | null;
  readonly granularity: Granularity;
  /** True when the meaning depends on when it was said. */
  readonly relative: boolean;
  readonly kind: TimeKind;
  /** Absolute, in the language of the mention: "7 May 2023", "the week of 1 May 2023", "2023年5月7日". */
  readonly written: string;
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly reading: Reading;
  readonly isChinese: boolean;
}

function collect(
  text: string,
  groups: readonly TimeRuleGroup[],
  context: Omit<ReadingContext, "tense" | "clause">,
  isChinese: boolean,
): Found[] {
  const found: Found[] = [];
  const rules = groups.flatMap((group) => (group.hint.test(text) ? group.rules : []));
  for (const { pattern, read } of rules) {
    // Most rules match nothing, and `matchAll` makes a copy of the pattern before it looks.
    if (text.search(pattern) === -1) continue;
    for (const match of text.matchAll(pattern)) {
      const start = match.index + (/^\s*/u.exec(match[0])?.[0].length ?? 0);
      const end = match.index + match[0].length;
      const reading = read(match, {
        ...context,
        tense: () => tenseAround(text, start, end),
        clause: () => clauseAround(text, start, end),
      });
      if (reading !== null) found.push({ start, end, reading, isChinese });
    }
  }
  return found;
}

/** Of matches that overlap, the longest; of equally long ones, the first rule's. */
function longestFirst(found: readonly Found[]): Found[] {
  const kept: Found[] = [];
  for (const one of found.toSorted((left, right) => right.end - right.start - (left.end - left.start))) {
    if (kept.every((other) => one.end <= other.start || other.end <= one.start)) kept.push(one);
  }
  return kept.sort((left, right) => left.start - right.start);
}

function isDay({ reading }: Found): boolean {
  return reading.kind === "date" && reading.granularity === "day" && reading.span.to - reading.span.from === 1;
}

/** Joins a day with "the morning of" or "the week of" before it. */
function withLeadBefore(text: string, one: Found): Found {
  const lead = one.isChinese || !isDay(one) ? null : withLead(text, one.start, one.reading);
  return lead === null ? one : { ...one, start: lead.at, reading: lead.reading };
}

/** Joins a day with the clock time beside it into one mention. */
function withClock(text: string, one: Found): Found {
  const { reading } = one;
  if (one.isChinese || !(isDay(one) || reading.clock?.end != null)) return one;
  const after = clockAfter(text, one.end, reading.clock);
  const before = after === null ? clockBefore(text, one.start, reading.clock) : null;
  const clock = after ?? before;
  if (clock === null) return one;
  const day = reading.span.from + Math.floor(clock.minute / MINUTES_PER_DAY);
  return {
    ...one,
    start: before?.at ?? one.start,
    end: after?.at ?? one.end,
    reading: {
      ...reading,
      span: daySpan(day),
      granularity: "time",
      clock: { start: clock.minute % MINUTES_PER_DAY, end: null },
      written: null,
    },
  };
}

/** Without the unclear times that an earlier date of the same text explains: "we came on 3 May and left the next day". */
function withoutExplained(found: readonly Found[]): Found[] {
  const first = found.findIndex(({ reading }) => reading.kind === "date");
  return found.filter(({ reading }, index) => reading.kind !== "unclear" || first === -1 || index < first);
}

function find(text: string, reference: TimeReference): Found[] {
  const hasEnglish = ENGLISH_TIME_HINT.test(text);
  const hasChinese = CHINESE_TIME_HINT.test(text);
  if (!hasEnglish && !hasChinese) return [];
  const { day: today, minute } = localNow(reference);
  const found: Found[] = [];
  if (hasEnglish) found.push(...collect(text, ENGLISH_TIME_RULES, { today, minute }, false));
  if (hasChinese) found.push(...collect(text, CHINESE_TIME_RULES, { today, minute }, true));
  return withoutExplained(longestFirst(longestFirst(found).map((one) => withClock(text, withLeadBefore(text, one)))));
}

function asMention(text: string, one: Found, reference: TimeReference): TimeMention {
  const { start, end, reading } = one;
  const { kind, span, clock, granularity, relative } = reading;
  const said = text.slice(start, end);
  const startMinute = clock?.start ?? 0;
  const until =
    clock === null
      ? instantOf(span.to, 0, reference)
      : clock.end === null
        ? null
        : instantOf(span.from, clock.end, reference);
  const written =
    kind !== "date" ? said : (reading.written ?? (one.isChinese ? writeChinese(reading) : writeEnglish(reading)));
  return {
    start,
    end,
    text: said,
    from: instantOf(span.from, startMinute, reference),
    to: kind === "date" ? until : null,
    granularity,
    relative,
    kind,
    written,
  };
}

/**
 * The time expressions of an English or Chinese text, in order, read in the speaker's local day. Weeks begin on
 * Monday, seasons are those of the northern hemisphere, and "next Friday" is the Friday of the next week.
 *
 * @example
 * findTimes("dentist tomorrow", { instant: "2026-01-11T07:30:00Z", offsetMinutes: -480 })[0]?.written // "11 January 2026"
 */
export function findTimes(text: string, reference: TimeReference): TimeMention[] {
  const found = find(text, reference);
  const placed = found.length === 0 ? reference : withZone(reference);
  return found.map((one) => asMention(text, one, placed));
}

/**
 * The text with its relative times written out, and all mentions with the offsets they had in the given text.
 * Absolute times, durations and recurrences stay as they are.
 *
 * @example resolveTimes("I ran yesterday", reference).text // "I ran on 7 May 2023"
 */
export function resolveTimes(text: string, reference: TimeReference): { text: string; mentions: TimeMention[] } {
  const found = find(text, reference);
  const placed = found.length === 0 ? reference : withZone(reference);
  const mentions = found.map((one) => asMention(text, one, placed));
  let resolved = text;
  for (let index = found.length - 1; index >= 0; index--) {
    const mention = mentions[index];
    const one = found[index];
    if (mention === undefined || one === undefined || !mention.relative || mention.kind !== "date") continue;
    resolved = one.isChinese
      ? resolved.slice(0, mention.start) + mention.written + resolved.slice(mention.end)
      : placeWritten(resolved, mention, englishSpan(one.reading.span));
  }
  return { text: resolved, mentions };
}

/** Where the time expressions of a text stand, for a caller that needs no instants. */
export function findTimeSpans(text: string): { start: number; end: number }[] {
  return find(text, SOME_MOMENT).map(({ start, end }) => ({ start, end }));
}

/** Any moment serves to tell whether a time depends on the moment. */
const SOME_MOMENT: TimeReference = Object.freeze({ instant: "2023-06-14T12:00:00.000Z", offsetMinutes: 0 });

/**
 * True when a word such as "yesterday" or "next week" is left, or one that depends on another time, such as "the next
 * day". A date that only lacks its year does not count.
 */
export function hasRelativeTime(text: string): boolean {
  return find(text, SOME_MOMENT).some(
    ({ reading: { kind, relative, yearless } }) => kind === "unclear" || (kind === "date" && relative && !yearless),
  );
}

export type { Granularity, TimeReference };
