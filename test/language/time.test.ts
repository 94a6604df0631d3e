import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { findTimes, hasRelativeTime, resolveTimes } from "../../src/language/index.js";

/** Monday, 8 May 2023, 13:56 in London's winter clock. */
const MONDAY = { instant: "2023-05-08T13:56:00Z", offsetMinutes: 0 };
const ZONES = ["UTC", "Asia/Shanghai", "America/Los_Angeles"];
const HOME_ZONE = process.env.TZ;

function written(text: string, reference = MONDAY): string[] {
  return findTimes(text, reference)
    .filter((mention) => mention.kind === "date")
    .map((mention) => mention.written);
}

describe("findTimes writes out what a time means", () => {
  const rows: readonly (readonly [text: string, ...expected: string[]])[] = [
    ["I ran today", "8 May 2023"],
    ["My hip is going to be done on 12 May", "12 May 2023"],
    ["The wall should be built by 3 July", "3 July 2023"],
    ["My hip was done on 12 May", "12 May 2022"],
    ["I ran yesterday", "7 May 2023"],
    ["We leave tomorrow", "9 May 2023"],
    ["the day before yesterday", "6 May 2023"],
    ["the day after tomorrow", "10 May 2023"],
    ["dinner tonight", "the evening of 8 May 2023"],
    ["we talked last night", "the night of 7 May 2023"],
    ["the game this morning", "the morning of 8 May 2023"],
    ["tomorrow afternoon", "the afternoon of 9 May 2023"],
    ["yesterday evening", "the evening of 7 May 2023"],
    ["3 days ago", "5 May 2023"],
    ["two days ago", "6 May 2023"],
    ["a couple of days ago", "6 May 2023"],
    ["a few days ago", "around 5 May 2023"],
    ["a week ago", "the week of 1 May 2023"],
    ["three weeks ago", "the week of 17 April 2023"],
    ["two months ago", "March 2023"],
    ["a year ago", "2022"],
    ["ten years ago", "2013"],
    ["a decade ago", "2013"],
    ["2 hours ago", "11:56 on 8 May 2023"],
    ["half an hour ago", "13:26 on 8 May 2023"],
    ["in 3 days", "11 May 2023"],
    ["in two weeks", "the week of 22 May 2023"],
    ["in a month", "June 2023"],
    ["in two years", "2025"],
    ["2 days from now", "10 May 2023"],
    ["a week from tomorrow", "16 May 2023"],
    ["last week", "the week of 1 May 2023"],
    ["next week", "the week of 15 May 2023"],
    ["this week", "the week of 8 May 2023"],
    ["last month", "April 2023"],
    ["next month", "June 2023"],
    ["this month", "May 2023"],
    ["last year", "2022"],
    ["this year", "2023"],
    ["next year", "2024"],
    ["last weekend", "the weekend of 6 May 2023"],
    ["this weekend", "the weekend of 13 May 2023"],
    ["next weekend", "the weekend of 20 May 2023"],
    ["two weekends ago", "the weekend of 29 April 2023"],
    ["we hiked the weekend before", "the weekend of 6 May 2023"],
    ["over the weekend I camped", "the weekend of 6 May 2023"],
    ["the week before last", "the week of 24 April 2023"],
    ["the week after next", "the week of 22 May 2023"],
    ["last Friday", "5 May 2023"],
    ["last Monday", "1 May 2023"],
    ["I joined last Tues", "2 May 2023"],
    ["next Friday", "19 May 2023"],
    ["this Friday", "12 May 2023"],
    ["this coming Friday", "12 May 2023"],
    ["Friday before last", "28 April 2023"],
    ["we met on Friday", "5 May 2023"],
    ["we will meet on Friday", "12 May 2023"],
    ["we met on Friday evening", "the evening of 5 May 2023"],
    ["Tuesday last week", "2 May 2023"],
    ["from 3 to 5 May 2023", "3–5 May 2023"],
    ["May 3-5, 2023", "3–5 May 2023"],
    ["from 30 April to 2 May 2023", "30 April – 2 May 2023"],
    ["on 7 May 2023", "7 May 2023"],
    ["on May 7th, 2023", "7 May 2023"],
    ["the 7th of May 2023", "7 May 2023"],
    ["2023-05-07", "7 May 2023"],
    ["2023-05-07T08:30", "8:30 on 7 May 2023"],
    ["5/7/2023", "7 May 2023"],
    ["25/12/2022", "25 December 2022"],
    ["I went on June 3", "3 June 2022"],
    ["I will go on June 3", "3 June 2023"],
    ["on the 5th we met", "5 May 2023"],
    ["May 2023", "May 2023"],
    ["in June I will go", "June 2023"],
    ["in June we moved", "June 2022"],
    ["last June", "June 2022"],
    ["next March", "March 2024"],
    ["in 2022", "2022"],
    ["last summer", "the summer of 2022"],
    ["next winter", "the winter of 2023"],
    ["summer 2021", "the summer of 2021"],
    ["the fall of 2020", "the autumn of 2020"],
    ["dinner at 8:30 tomorrow", "8:30 on 9 May 2023"],
    ["dinner tomorrow at 8pm", "20:00 on 9 May 2023"],
    ["in the last week of August 2022", "the last week of August 2022"],
    ["we will hike the last week of August", "the last week of August 2023"],
    ["it was moved from September to October", "September 2023", "October 2023"],
    ["in three weeks", "the week of 29 May 2023"],
    ["the week before", "the week of 1 May 2023"],
    ["大后天晚上", "2023年5月11日晚上"],
    ["4 years ago, and 3 weeks ago", "2019", "the week of 17 April 2023"],
    ["昨天我去了", "2023年5月7日"],
    ["今天", "2023年5月8日"],
    ["明天", "2023年5月9日"],
    ["前天", "2023年5月6日"],
    ["后天", "2023年5月10日"],
    ["大前天", "2023年5月5日"],
    ["大后天", "2023年5月11日"],
    ["上周五", "2023年5月5日"],
    ["下周一", "2023年5月15日"],
    ["这周三", "2023年5月10日"],
    ["上周末", "2023年5月6日那个周末"],
    ["上个月", "2023年4月"],
    ["下个月", "2023年6月"],
    ["去年", "2022年"],
    ["今年", "2023年"],
    ["明年", "2024年"],
    ["三天前", "2023年5月5日"],
    ["两周后", "2023年5月22日那一周"],
    ["前天下午", "2023年5月6日下午"],
    ["今晚", "2023年5月8日晚上"],
    ["今晚八点半", "2023年5月8日20:30"],
    ["5月7日我去了", "2023年5月7日"],
    ["2024年3月", "2024年3月"],
    ["2024年3月5日", "2024年3月5日"],
    ["去年夏天", "2022年夏天"],
    ["二〇二二年", "2022年"],
  ];
  it.each(rows)("%s", (text, ...expected) => {
    expect(written(text)).toEqual(expected);
  });
});

describe("findTimes finds no date", () => {
  it.each([
    "I may go",
    "we march on",
    "wait a second",
    "the sun is out",
    "version 1.2.3 and v2.10",
    "call 555-123-4567",
    "room 4417",
    "it costs $2022",
    "my best friend",
    "Black Friday",
    "五个人",
    "第三年级",
  ])("in %s", (text) => {
    expect(written(text)).toEqual([]);
  });

  it.each([
    ["for two hours", "duration"],
    ["it took three weeks", "duration"],
    ["over the past two months", "duration"],
    ["三年", "duration"],
    ["两个小时", "duration"],
    ["every Monday", "recurrence"],
    ["on Fridays", "recurrence"],
    ["twice a week", "recurrence"],
    ["每天", "recurrence"],
    ["每周三", "recurrence"],
  ])("for %s, which is a %s", (text, kind) => {
    const mentions = findTimes(text, MONDAY);
    expect(mentions.map((mention) => mention.kind)).toEqual([kind]);
    expect(resolveTimes(text, MONDAY).text).toBe(text);
  });
});

describe("resolveTimes gives the written form its preposition", () => {
  it.each([
    ["I ran yesterday.", "I ran on 7 May 2023."],
    ["Yesterday I ran.", "On 7 May 2023 I ran."],
    ["Today is my birthday", "8 May 2023 is my birthday"],
    ["We hiked last week.", "We hiked in the week of 1 May 2023."],
    ["I moved last month", "I moved in April 2023"],
    ["Yesterday's exam was hard", "The 7 May 2023 exam was hard"],
    ["last week's meeting", "The 1–7 May 2023 meeting"],
    ["we met on Friday", "we met on 5 May 2023"],
    ["due by Friday", "due by 12 May 2023"],
    ["early next week", "early in the week of 15 May 2023"],
    ["I was born in 1990", "I was born in 1990"],
    ["the talk on 7 May 2023", "the talk on 7 May 2023"],
    ["他上个月来的", "他2023年4月来的"],
  ])("%s", (text, expected) => {
    expect(resolveTimes(text, MONDAY).text).toBe(expected);
  });
});

describe("the speaker's local day decides", () => {
  it("reads a late evening in Los Angeles as that evening", () => {
    const reference = { instant: "2026-01-10T23:30:00-08:00", offsetMinutes: -480 };
    const [mention] = findTimes("dentist tomorrow", reference);
    expect(mention).toMatchObject({
      written: "11 January 2026",
      from: "2026-01-11T08:00:00.000Z",
      to: "2026-01-12T08:00:00.000Z",
    });
  });

  it.each([
    ["2024-02-28T12:00:00Z", "tomorrow", "29 February 2024"],
    ["2023-02-28T12:00:00Z", "tomorrow", "1 March 2023"],
    ["2024-03-31T12:00:00Z", "a month ago", "February 2024"],
    ["2024-12-31T12:00:00Z", "in 1 day", "1 January 2025"],
    ["2024-01-01T12:00:00Z", "yesterday", "31 December 2023"],
    ["2024-01-31T12:00:00Z", "next month", "February 2024"],
  ])("%s: %s is %s", (instant, text, expected) => {
    expect(written(text, { instant, offsetMinutes: 0 })).toEqual([expected]);
  });

  it("follows summer time when the zone is known", () => {
    const reference = { instant: "2024-03-30T12:00:00Z", offsetMinutes: 60, timeZone: "Europe/Berlin" };
    expect(findTimes("tomorrow", reference)[0]).toMatchObject({
      from: "2024-03-30T23:00:00.000Z",
      to: "2024-03-31T22:00:00.000Z",
    });
  });
});

describe("the process's time zone does not matter", () => {
  afterEach(() => {
    if (HOME_ZONE === undefined) delete process.env.TZ;
    else process.env.TZ = HOME_ZONE;
  });

  it("gives the same mentions in every zone", () => {
    const texts = ["yesterday", "next Friday at 8pm", "2 hours ago", "last summer", "上周五", "5月7日", "in June"];
    fc.assert(
      fc.property(
        fc.date({ min: new Date("1990-01-01"), max: new Date("2060-01-01"), noInvalidDate: true }),
        fc.integer({ min: -12 * 60, max: 14 * 60 }),
        (date, offsetMinutes) => {
          const reference = { instant: date.toISOString(), offsetMinutes };
          const results = ZONES.map((zone) => {
            process.env.TZ = zone;
            return JSON.stringify(texts.map((text) => findTimes(text, reference)));
          });
          expect(new Set(results).size).toBe(1);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("hasRelativeTime", () => {
  it.each([
    ["I ran yesterday", true],
    ["see you on Friday", true],
    ["上周五", true],
    ["on 7 May 2023", false],
    ["on 7 May", false],
    ["every Monday", false],
    ["for two days", false],
    ["in the week of 1 May 2023", false],
  ])("%s: %s", (text, expected) => {
    expect(hasRelativeTime(text)).toBe(expected);
  });

  it("finds nothing relative in a resolved text", () => {
    const texts = [
      "I ran yesterday",
      "We hiked last week",
      "two weekends ago",
      "last summer",
      "tonight",
      "昨天",
      "上周末",
      "a few days ago",
    ];
    for (const text of texts) expect(hasRelativeTime(resolveTimes(text, MONDAY).text), text).toBe(false);
  });
});

describe("parts of months and years", () => {
  it.each([
    ["a fortnight ago", "2023-04-24", "2023-05-01"],
    ["in a fortnight", "2023-05-22", "2023-05-29"],
    ["We leave in mid-May", "2023-05-11", "2023-05-21"],
    ["We met at the end of June", "2022-06-21", "2022-07-01"],
    ["We leave at the end of June", "2023-06-21", "2023-07-01"],
    ["the first week of May", "2023-05-01", "2023-05-08"],
    ["We will move the last week of June", "2023-06-24", "2023-07-01"],
    ["early March 2024", "2024-03-01", "2024-03-11"],
    ["late February 2024", "2024-02-21", "2024-03-01"],
    ["at the beginning of next month", "2023-06-01", "2023-06-11"],
    ["by the end of the month", "2023-05-21", "2023-06-01"],
    ["by the end of the year", "2023-11-01", "2024-01-01"],
    ["at the end of last year", "2022-11-01", "2023-01-01"],
    ["月底", "2023-05-21", "2023-06-01"],
    ["月初", "2023-05-01", "2023-05-11"],
    ["年底", "2023-11-01", "2024-01-01"],
    ["年初", "2023-01-01", "2023-03-01"],
    ["下个月初", "2023-06-01", "2023-06-11"],
    ["上个月底", "2023-04-21", "2023-05-01"],
    ["5月中旬", "2023-05-11", "2023-05-21"],
    ["去年年底", "2022-11-01", "2023-01-01"],
    ["明年初", "2024-01-01", "2024-03-01"],
    ["2022年3月底", "2022-03-21", "2022-04-01"],
    ["2022年底", "2022-11-01", "2023-01-01"],
  ])("%s is from %s to %s", (text, from, to) => {
    const spans = findTimes(text, MONDAY).map((one) => [one.from.slice(0, 10), one.to?.slice(0, 10)]);
    expect(spans).toEqual([[from, to]]);
    expect(hasRelativeTime(resolveTimes(text, MONDAY).text)).toBe(false);
  });

  it.each(["每月底", "其中", "三个月中"])("%s names no part of a month", (text) => {
    expect(findTimes(text, MONDAY).filter(({ kind }) => kind === "date")).toEqual([]);
  });
});

describe("arithmetic holds for any day and place", () => {
  const DAY_MS = 86_400_000;
  const moments = fc.record({
    date: fc.date({ min: new Date("1990-01-01"), max: new Date("2060-01-01"), noInvalidDate: true }),
    offsetMinutes: fc.integer({ min: -12 * 60, max: 14 * 60 }),
  });
  type Moment = { readonly date: Date; readonly offsetMinutes: number };
  /** Local day number and date on which a mention begins. */
  const begins = (text: string, { date, offsetMinutes }: Moment): Date => {
    const from = findTimes(text, { instant: date.toISOString(), offsetMinutes })[0]?.from ?? "";
    return new Date(Date.parse(from) + offsetMinutes * 60_000);
  };
  const today = ({ date, offsetMinutes }: Moment): number =>
    Math.floor((date.getTime() + offsetMinutes * 60_000) / DAY_MS) * DAY_MS;

  it("counts days back and ahead", () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: 1, max: 400 }), (moment, count) => {
        expect(begins(`${count} days ago`, moment).getTime()).toBe(today(moment) - count * DAY_MS);
        expect(begins(`${count}天前`, moment).getTime()).toBe(today(moment) - count * DAY_MS);
        expect(begins(`${count} days from now`, moment).getTime()).toBe(today(moment) + count * DAY_MS);
      }),
    );
  });

  it("counts weeks to the Monday of the week that holds the day", () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: 1, max: 200 }), (moment, count) => {
        for (const text of [`${count} weeks ago`, `${count}周前`]) {
          const monday = begins(text, moment);
          const behind = (today(moment) - count * 7 * DAY_MS - monday.getTime()) / DAY_MS;
          expect(monday.getUTCDay()).toBe(1);
          expect(behind).toBeGreaterThanOrEqual(0);
          expect(behind).toBeLessThan(7);
        }
      }),
    );
  });

  it("counts months and years on the calendar", () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: 1, max: 90 }), (moment, count) => {
        const now = new Date(today(moment));
        const months = now.getUTCFullYear() * 12 + now.getUTCMonth();
        const month = begins(`${count} months ago`, moment);
        expect(month.getUTCFullYear() * 12 + month.getUTCMonth()).toBe(months - count);
        expect(month.getUTCDate()).toBe(1);
        expect(begins(`${count} years ago`, moment).getUTCFullYear()).toBe(now.getUTCFullYear() - count);
      }),
    );
  });

  it("lands on the weekday that is named", () => {
    const names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
    const chinese = "日一二三四五六";
    fc.assert(
      fc.property(moments, fc.integer({ min: 0, max: 6 }), (moment, weekday) => {
        const name = names[weekday] ?? "";
        const said = [`last ${name}`, `next ${name}`, `we met on ${name}`, `we will meet on ${name}`];
        for (const text of [...said, `上周${chinese[weekday]}`, `下周${chinese[weekday]}`]) {
          expect(begins(text, moment).getUTCDay(), text).toBe(weekday);
        }
        expect(begins(`last ${name}`, moment).getTime()).toBeLessThan(today(moment));
        expect(begins(`next ${name}`, moment).getTime()).toBeGreaterThan(today(moment));
      }),
    );
  });

  it("gives ranges that end after they begin", () => {
    const texts = [
      "last week",
      "this weekend",
      "mid-June",
      "the end of the year",
      "last winter",
      "the last week of May",
    ];
    fc.assert(
      fc.property(moments, fc.constantFrom(...texts, "上周末", "月底", "明年初", "下个月中旬"), (moment, text) => {
        const [mention] = findTimes(text, { instant: moment.date.toISOString(), offsetMinutes: moment.offsetMinutes });
        expect(mention?.to).toBeTypeOf("string");
        expect(Date.parse(mention?.from ?? "")).toBeLessThan(Date.parse(mention?.to ?? ""));
      }),
    );
  });
});
