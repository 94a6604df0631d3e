import type { ExtractedItem } from "../../records/index.js";

/** A date in a text: year, month, and day where it has one. */
export const ISO_DATE = /(?<!\d)(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ]\d{2}:\d{2}(?::\d{2})?)?(?![\d])/gu;

function isInstant(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/u.test(text) && !Number.isNaN(Date.parse(text));
}

function isCalendarDate(year: string, month: string, day = "01"): boolean {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** Times of an item that are none, dates that no calendar has, and ends without a start or before it. */
export function wrongTimes(item: ExtractedItem): string[] {
  const { timestamp, timestampEnd, mentionedAt, losslessRestatement: text } = item;
  const wrong = [timestamp, timestampEnd, mentionedAt].filter((time) => time !== null && !isInstant(time));
  for (const [date, year = "", month = "", day] of text.matchAll(ISO_DATE)) {
    if (!isCalendarDate(year, month, day)) wrong.push(date);
  }
  if (timestamp !== null && timestampEnd !== null && Date.parse(timestampEnd) < Date.parse(timestamp)) {
    wrong.push(`${timestampEnd} is before ${timestamp}`);
  }
  if (timestamp === null && timestampEnd !== null) wrong.push("an end without a start");
  return wrong.map(String);
}
