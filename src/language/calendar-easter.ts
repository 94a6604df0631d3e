import { type Day, dayOf } from "./calendar.js";

/** Easter Sunday of the western churches: the anonymous Gregorian reckoning (Nature, 20 April 1876). */
export function easterOf(year: number): Day {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const leapless = century - Math.floor(century / 4) - Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const moon = (19 * golden + leapless + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - moon - (inCentury % 4)) % 7;
  const shift = Math.floor((golden + 11 * moon + 22 * weekday) / 451);
  return dayOf(year, 3, 22 + moon + weekday - 7 * shift);
}
