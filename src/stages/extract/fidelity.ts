import { findNames, findNumbers, findTimes, hasNegation, splitSentences, ZoneOffsets } from "../../language/index.js";
import type { DialogueTurn, ExtractedItem } from "../../records/index.js";
import { isSmallTalk } from "./density.js";
import { withoutVocatives } from "./vocatives.js";

/** Counts of details: how many of the turns' own are found again in the items. */
export interface Fidelity {
  readonly kept: number;
  readonly total: number;
}

const lower = (text: string): string => text.normalize("NFKC").toLowerCase();

/**
 * Counts numbers, dates, names and negations of the turns that have items, and those of them that are found in the
 * items made from the turn. A name that only addresses the listener is no detail. Turns without an item count nothing.
 *
 * @param timeZone IANA zone in which days are meant
 */
export function fidelityOf(
  turns: readonly DialogueTurn[],
  items: readonly ExtractedItem[],
  timeZone = "UTC",
): Fidelity {
  const speakers = [...new Set(turns.map((turn) => turn.speaker))];
  const zone = new ZoneOffsets(timeZone);
  let kept = 0;
  let total = 0;
  for (const turn of turns) {
    const own = items.filter((item) => item.sourceIds.includes(turn.dialogueId));
    if (own.length === 0) continue;
    const found = detailsFound(turn, own, speakers, zone);
    kept += found.filter(Boolean).length;
    total += found.length;
  }
  return { kept, total };
}

/** One truth value per detail of the turn: whether the items hold it. */
function detailsFound(
  turn: DialogueTurn,
  items: readonly ExtractedItem[],
  speakers: readonly string[],
  zone: ZoneOffsets,
): boolean[] {
  const content = withoutVocatives(turn.content, speakers);
  const restated = items.map((item) => item.losslessRestatement).join("\n");
  const low = lower(restated);
  const mentions = findTimes(content, { instant: turn.timestamp, offsetMinutes: turn.offsetMinutes, zone });
  const dates = mentions.map(
    (mention) =>
      restated.includes(mention.written) ||
      low.includes(lower(mention.text)) ||
      items.some((item) => item.timestamp === mention.from),
  );
  let rest = content;
  for (const { start, end } of mentions) rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end);
  const restatedNumbers = new Set(findNumbers(restated));
  const numbers = [...new Set(findNumbers(rest))].map(
    (number) => restatedNumbers.has(number) || restated.includes(number),
  );
  const { persons, entities } = findNames(rest, speakers);
  const names = [...new Set([...persons, ...entities])]
    .filter((name) => !isSmallTalk(name))
    .map((name) => low.includes(lower(name)));
  return [...dates, ...numbers, ...names, ...negationsFound(content, restated)];
}

/** Negated sentences of the turn, questions apart; as many are found as the items have. */
function negationsFound(content: string, restated: string): boolean[] {
  const negated = (text: string) => splitSentences(text).filter((one) => hasNegation(one) && !/[?？]\s*$/u.test(one));
  // The rules join sentences that lean on each other by a semicolon.
  const left = restated.split(";").flatMap(negated).length;
  return negated(content).map((_, index) => index < left);
}
