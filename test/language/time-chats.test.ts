import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findTimes, hasRelativeTime, resolveTimes } from "../../src/language/index.js";

/** Monday, 8 May 2023, 13:56 in London's winter clock. */
const MONDAY = { instant: "2023-05-08T13:56:00Z", offsetMinutes: 0 };
/** A Monday in November, when every month but December lies behind. */
const NOVEMBER = { instant: "2026-11-30T11:00:00Z", offsetMinutes: 0 };
const LEAP_DAY = { instant: "2024-02-29T11:00:00Z", offsetMinutes: 0 };

type Row = readonly [said: string, meant: string];

function promise(title: string, rows: readonly Row[], reference = MONDAY): void {
  it.each(rows)(`${title}: %s → %s`, (said, meant) => {
    expect(resolveTimes(said, reference).text).toBe(meant);
  });
}

describe("the tense tells the year", () => {
  promise(
    "a past question looks back",
    [
      ["Why did I stop in January?", "Why did I stop in January 2026?"],
      ["Why did I stop going to the gym in January?", "Why did I stop going to the gym in January 2026?"],
      ["Why did I want to stop in January?", "Why did I want to stop in January 2026?"],
      ["Did Ilse plan to move in March?", "Did Ilse plan to move in March 2026?"],
      ["Have you been there in December?", "Have you been there in December 2025?"],
      ["Did you hear that she will move in March?", "Did you hear that she will move in March 2027?"],
      ["What will we do in January?", "What will we do in January 2027?"],
    ],
    NOVEMBER,
  );
  promise("the words before the day do where no verb does", [
    [
      "My legs are sore after the twenty-four kilometres on Sunday.",
      "My legs are sore after the twenty-four kilometres on 7 May 2023.",
    ],
    ["ill since Friday", "ill since 5 May 2023"],
    ["Thanks for the lift on Friday", "Thanks for the lift on 5 May 2023"],
    ["Ready for the exam on Friday?", "Ready for the exam on 12 May 2023?"],
    ["I'm going to the dentist on Friday", "I'm going to the dentist on 12 May 2023"],
    ["It was moved to Friday", "It was moved to 12 May 2023"],
  ]);
});

describe("a number beside a day is not part of its date", () => {
  promise("what is counted is left alone", [
    ["I ran twenty-four kilometres on Sunday", "I ran twenty-four kilometres on 7 May 2023"],
    ["On Sunday 24 kilometres were enough", "On 7 May 2023 24 kilometres were enough"],
    ["I ran 8.45 on Sunday", "I ran 8.45 on 7 May 2023"],
    ["We bought 12 on Sunday", "We bought 12 on 7 May 2023"],
    ["I have 2 June bugs", "I have 2 June bugs"],
    ["He scored 12 in March", "He scored 12 in March 2023"],
    ["the 3 May protests", "the 3 May 2023 protests"],
    ["We met on Sunday the 7th", "We met on 7 May 2023"],
  ]);
});

describe("articles and prepositions", () => {
  promise("stay where they belong", [
    ["I've chosen the 26th of April", "I've chosen 26 April 2023"],
    ["We leave on the 26th of June", "We leave on 26 June 2023"],
    ["The 26th of April was a mess", "26 April 2023 was a mess"],
    ["The past week was hard", "The week before 8 May 2023 was hard"],
    ["Ilse, last week was hard", "Ilse, the week of 1 May 2023 was hard"],
    ["We meet the Monday after next", "We meet on 22 May 2023"],
    ["Happy Monday!", "Happy Monday!"],
    ["It is Monday and I am tired", "It is 8 May 2023 and I am tired"],
  ]);
});

describe("weeks and weekdays", () => {
  promise("are counted from the week of today", [
    ["We met the week before last", "We met in the week of 24 April 2023"],
    ["See you in two weeks' time", "See you in the week of 22 May 2023"],
    ["The exam is a week on Thursday", "The exam is 18 May 2023"],
    ["The exam is a fortnight on Tuesday", "The exam is 23 May 2023"],
    ["Let's meet Tuesday week", "Let's meet on 16 May 2023"],
    ["three Sundays ago we sailed", "On 23 April 2023 we sailed"],
    ["We sailed two Fridays ago", "We sailed on 28 April 2023"],
    ["It broke on Tuesday of last week", "It broke on 2 May 2023"],
    ["It broke last week on Tuesday", "It broke on 2 May 2023"],
    ["this week on Friday we sing", "On 12 May 2023 we sing"],
    ["We left the night before last", "We left on the night of 6 May 2023"],
    ["this time next week I will be home", "On 15 May 2023 I will be home"],
    ["the weekend after next", "On the weekend of 27 May 2023"],
  ]);
  promise("are counted within a month", [
    ["the first week of May was wet", "The first week of May 2023 was wet"],
    ["The fair is on the second Sunday of May", "The fair is on 14 May 2023"],
    ["We meet the last Friday of the month", "We meet on 26 May 2023"],
    ["the first weekend of June", "On the weekend of 3 June 2023"],
    ["every second Tuesday of the month", "every second Tuesday of the month"],
  ]);
});

describe("counted times", () => {
  promise("are as exact as the words", [
    ["a year ago today we married", "On 8 May 2022 we married"],
    ["We married two years ago to the day", "We married on 8 May 2021"],
    ["I quit a month ago today", "I quit on 8 April 2023"],
    ["I quit a year and a half ago", "I quit in November 2021"],
    ["I quit two and a half years ago", "I quit in November 2020"],
    ["It began an hour and a half ago", "It began at 12:26 on 8 May 2023"],
    ["We met thirteen days ago", "We met on 25 April 2023"],
    ["I moved a few months ago", "I moved a few months before 8 May 2023"],
    ["I moved several years ago", "I moved several years before 8 May 2023"],
    ["I moved over a year ago", "I moved over a year before 8 May 2023"],
    ["I slept badly for the past year", "I slept badly for the year before 8 May 2023"],
    ["We flew three days before Christmas", "We flew on 22 December 2022"],
    ["We left two days before the 5th of May", "We left on 3 May 2023"],
    ["It was the Sunday before 25 October 2022", "It was the Sunday before 25 October 2022"],
    ["last year in June we moved", "In June 2022 we moved"],
    ["We moved in June last year", "We moved in June 2022"],
    ["We moved on 3 May last year", "We moved on 3 May 2022"],
    ["It is due on the 5th of next month", "It is due on 5 June 2023"],
    ["this time last year I was in Rome", "In May 2022 I was in Rome"],
  ]);
  promise(
    "reach over a leap day",
    [
      ["yesterday", "On 28 February 2024"],
      ["tomorrow", "On 1 March 2024"],
      ["a year ago today", "On 28 February 2023"],
      ["a month ago today", "On 29 January 2024"],
      ["four years ago today", "On 29 February 2020"],
      ["in a month", "In March 2024"],
      ["366 days ago", "On 28 February 2023"],
    ],
    LEAP_DAY,
  );
});

describe("dates", () => {
  promise("may be spelled", [
    ["We moved on the first of June", "We moved on 1 June 2022"],
    ["We will marry on the twenty-first of June", "We will marry on 21 June 2023"],
    ["We will marry on July fourth", "We will marry on 4 July 2023"],
    ["We met May the fourth", "We met on 4 May 2023"],
  ]);
  promise("may be ranges", [
    ["We will be away June 3rd through June 7th", "We will be away from 3–7 June 2023"],
    ["We will be away from June 28 to July 2", "We will be away from 28 June – 2 July 2023"],
    ["We were away from 30 December to 2 January", "We were away from 30 December 2022 – 2 January 2023"],
  ]);
  it.each([
    ["5.6.2023", "2023-06-05", "2023-06-06"],
    ["in late 2022", "2022-11-01", "2023-01-01"],
    ["at the start of 2021", "2021-01-01", "2021-03-01"],
    ["the week of May 1", "2023-05-01", "2023-05-08"],
    ["between August 11 and August 15, 2022", "2022-08-11", "2022-08-16"],
    ["from 30 December to 2 January 2021", "2020-12-30", "2021-01-03"],
    ["the morning of 3 May 2023", "2023-05-03", "2023-05-03"],
    ["the week before 16 November 2022", "2022-11-09", "2022-11-16"],
    ["the Sunday before October 25, 2022", "2022-10-23", "2022-10-24"],
  ])("%s reaches from %s to %s", (said, from, to) => {
    expect(findTimes(said, MONDAY).map((one) => [one.from.slice(0, 10), one.to?.slice(0, 10)])).toEqual([[from, to]]);
  });
});

describe("clock times beside a day", () => {
  promise("join it, spelled or not", [
    ["Call me at half past six tomorrow", "Call me at 6:30 on 9 May 2023"],
    ["I'll come tomorrow at quarter to nine", "I'll come at 8:45 on 9 May 2023"],
    ["We meet tomorrow at noon", "We meet at 12:00 on 9 May 2023"],
    ["We met this afternoon at three", "We met at 15:00 on 8 May 2023"],
    ["I came home last night at 2", "I came home at 2:00 on 8 May 2023"],
    ["I came home last night at 11", "I came home at 23:00 on 7 May 2023"],
    ["It rang last night at 2 am", "It rang at 2:00 on 8 May 2023"],
    ["We eat at 7 pm on Friday", "We eat at 19:00 on 12 May 2023"],
  ]);
});

describe("feasts with a date", () => {
  promise("take their year from the tense", [
    ["We were in Oslo at Christmas", "We were in Oslo at Christmas 2022"],
    ["We will be in Oslo at Christmas", "We will be in Oslo at Christmas 2023"],
    ["on New Year's Eve we danced", "On New Year's Eve 2022 we danced"],
    ["I saw her last Easter", "I saw her at Easter 2023"],
    ["I will see her next Easter", "I will see her at Easter 2024"],
    ["We always ate goose at Christmas", "We always ate goose at Christmas"],
    ["I love Christmas", "I love Christmas"],
    ["We baked for Christmas dinner", "We baked for Christmas dinner"],
  ]);
  it.each([
    ["Easter 2019", "2019-04-21"],
    ["Easter 2024", "2024-03-31"],
    ["Easter 2038", "2038-04-25"],
    ["Good Friday 2023", "2023-04-07"],
    ["New Year's Day 2020", "2020-01-01"],
  ])("%s is %s", (said, day) => {
    expect(findTimes(said, MONDAY)[0]?.from.slice(0, 10)).toBe(day);
  });
});

describe("what depends on another time than now is left, and known to be unclear", () => {
  const UNCLEAR = [
    "The next day we left",
    "The following Monday he left",
    "Two days later he left",
    "It broke a week ago on Friday",
    "I can run a marathon in 4 hours",
    "第二天我们出发",
    "一个半月前我辞职了",
  ];
  it.each(UNCLEAR)("%s", (said) => {
    expect(resolveTimes(said, MONDAY).text).toBe(said);
    expect(findTimes(said, MONDAY).map(({ kind }) => kind)).toEqual(["unclear"]);
    expect(hasRelativeTime(said)).toBe(true);
  });

  it.each(["We came on 3 May 2023 and left the next day", "我们2023年5月3日到，第二天走"])(
    "an earlier date in the text explains it: %s",
    (said) => {
      expect(hasRelativeTime(said)).toBe(false);
    },
  );
});

describe("durations and recurrences", () => {
  it.each([
    ["I train every other Friday", "recurrence"],
    ["I rise at six on weekdays", "recurrence"],
    ["We go there most Fridays", "recurrence"],
    ["once every two weeks", "recurrence"],
    ["the 2nd of every month", "recurrence"],
    ["I've lived here for three years", "duration"],
    ["I've lived here for two and a half years", "duration"],
    ["I finished it in 3 weeks", "duration"],
    ["for the last three weeks", "duration"],
    ["周一到周五上班", "recurrence"],
    ["隔周五开会", "recurrence"],
    ["每年夏天去海边", "recurrence"],
    ["每个月15号发工资", "recurrence"],
    ["每年5月1日放假", "recurrence"],
    ["每隔一天跑步", "recurrence"],
    ["住了两年半", "duration"],
  ])("%s is a %s and stays", (said, kind) => {
    expect(findTimes(said, MONDAY).map((one) => one.kind)).toEqual([kind]);
    expect(resolveTimes(said, MONDAY).text).toBe(said);
  });
});

describe("Chinese chats", () => {
  promise("are written out", [
    ["上上周我去了", "2023年4月24日那一周我去了"],
    ["上上周五我去了", "2023年4月28日我去了"],
    ["下下周三开会", "2023年5月24日开会"],
    ["下周一到周三出差", "2023年5月15日至2023年5月17日出差"],
    ["下个月初交房租", "2023年6月初交房租"],
    ["上个月15号交的", "2023年4月15日交的"],
    ["周末我去爬山了", "2023年5月6日那个周末我去爬山了"],
    ["周末要去爬山", "2023年5月13日那个周末要去爬山"],
    ["去年这个时候我在北京", "2022年5月我在北京"],
    ["前几天我病了", "2023年5月8日前几天我病了"],
    ["过几天再说", "2023年5月8日后几天再说"],
    ["几年前我搬来", "2023年5月8日的几年前我搬来"],
    ["大前年毕业", "2020年毕业"],
    ["大后年毕业", "2026年毕业"],
    ["上半年很忙", "2023年上半年很忙"],
    ["去年下半年很忙", "2022年下半年很忙"],
    ["两年半前我辞职了", "2020年11月我辞职了"],
    ["一个半小时前出门", "2023年5月8日12:26出门"],
    ["5月3号到5号我在家", "2023年5月3日至2023年5月5日我在家"],
    ["6月3日到7月2日放假", "2023年6月3日至2023年7月2日放假"],
    ["2022年12月30日到1月2日", "2022年12月30日到1月2日"],
    ["昨晚两点才睡", "2023年5月8日2:00才睡"],
    ["明天中午一点见", "2023年5月9日13:00见"],
    ["明天中午见", "2023年5月9日中午见"],
    ["去年5月3日下午三点", "2022年5月3日15:00"],
    ["圣诞节我去了巴黎", "2022年圣诞节我去了巴黎"],
    ["圣诞节要去巴黎", "2023年圣诞节要去巴黎"],
    ["去年国庆节", "2022年国庆节"],
    ["大年初一", "大年初一"],
    ["一周年", "一周年"],
    ["一天到晚", "一天到晚"],
    ["三周岁", "三周岁"],
    ["十几年前", "十几年前"],
  ]);
  promise(
    "reach over a leap day",
    [
      ["昨天", "2024年2月28日"],
      ["明天", "2024年3月1日"],
      ["下个月", "2024年3月"],
      ["2月29日", "2024年2月29日"],
      ["三天后", "2024年3月3日"],
    ],
    LEAP_DAY,
  );
});

describe("a written time is read again as itself", () => {
  const SAID = [
    ..."yesterday|last week|two weekends ago|last summer|tonight|a few days ago|a few weeks ago|over a year ago".split(
      "|",
    ),
    ..."tomorrow at half past six|the other day|the past month|in late 2022|last Easter|three Sundays ago".split("|"),
    ..."at the end of last month|the first week of June|June 28 to July 2|two hours ago|in June".split("|"),
    ..."昨天|上周|上周末|明天下午三点|今晚|前几天|几年前|几天前|去年下半年|下个月初|明年春天|去年国庆节|5月3号到5号|半年前".split(
      "|",
    ),
  ];

  it("from any day", () => {
    const moments = fc.date({ min: new Date("1995-01-01"), max: new Date("2060-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(moments, moments, fc.constantFrom(...SAID), (spoken, read, said) => {
        const [first] = findTimes(said, { instant: spoken.toISOString(), offsetMinutes: 0 });
        const written = first?.written ?? "";
        const again = findTimes(written, { instant: read.toISOString(), offsetMinutes: 0 });
        expect(again.map((one) => one.written)).toEqual([written]);
        expect(hasRelativeTime(written)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});
