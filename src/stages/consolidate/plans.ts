import { contentStems, findTimeSpans, hasCjk, isPastVerb, presentOf, segmentWords } from "../../language/index.js";
import type { ExtractedItem, MemoryEntry } from "../../records/index.js";

/** What later words tell of a plan. */
export type PlanOutcome = "done" | "cancelled";

/** Words that only say that something is planned, or how it ended. */
const PLANNING = new Set(
  contentStems(
    "plan plans planning planned want wants hope hopes hoping intend intends decide decided will would going gonna like need needs think thinking look looking forward schedule scheduled promise promised soon today tomorrow tonight try finally already cancel cancelled canceled call called off drop dropped give gave up abandon abandoned scrap scrapped longer anymore against finish finished complete completed done carry carried out manage managed go went 打算 计划 准备 取消 放弃 完成 已经 想 决定",
  ),
);
/** A past tense in which nothing happened. */
const NOT_HAPPENED =
  /\b(?:wants?|wanted|plan(?:s|ned|ning)?|hop(?:es?|ed|ing)|intend(?:s|ed)?|going to|will|would|might|may|could|should|if|tried|almost|nearly|wish(?:es|ed)?|thought about|thinking (?:of|about)|forgot|failed|refused|postponed|moved to|used to)\b|打算|计划|准备|想要|可能|如果|差点|忘/iu;
const CALLED_OFF =
  /\b(?:cancell?ed|(?:was|were|is|are|been) called off|called off|gave up on|abandoned|scrapped|decided (?:not to|against)|(?:is|are) (?:no longer|not) (?:going|planning|coming)|no longer (?:plans?|wants?|intends?)|(?:does|do) not (?:plan|want|intend) to|will not|won['’]t)\b|取消|放弃|不打算|不再打算|不想再/iu;
const HAPPENED_ZH = /[了过完]/u;
/** Telling words that a plan must have in common with what ended it: one alone comes in too many plans. */
const MIN_SHARED = 2;
/** A thing may be done a day before it was due, and no sooner: before that it was another time. */
const EARLY_MS = 24 * 60 * 60 * 1000;

/**
 * Whether new words tell that a plan was carried out, or that nothing will come of it; null when they tell neither. Of a plan all
 * telling words must come back; of what is called off, all that is said of it must be the plan's.
 * @param stemsOf what `thingStems` tells of a statement, from wherever it is kept
 * @example planOutcome(item("Ilse painted the garden shed."), entry("Ilse plans to paint the garden shed.")) // "done"
 */
export function planOutcome(
  item: ExtractedItem,
  plan: MemoryEntry,
  stemsOf: (statement: ExtractedItem) => ReadonlySet<string> = thingStems,
): PlanOutcome | null {
  if (plan.kind !== "plan" || item.mentionedAt <= plan.mentionedAt || !isOfSameParty(item, plan)) return null;
  const isCalledOff = CALLED_OFF.test(item.losslessRestatement);
  if (!isCalledOff && !hasHappened(item, plan)) return null;
  const [planned, told] = [stemsOf(plan), stemsOf(item)];
  if (planned.size === 0) return null;
  if (isCalledOff) return told.size > 0 && isWithin(told, planned) ? "cancelled" : null;
  const isNamed = planned.size >= MIN_SHARED || isOnTheDay(item, plan);
  return isNamed && isWithin(planned, told) ? "done" : null;
}

function hasHappened(item: ExtractedItem, plan: MemoryEntry): boolean {
  const text = item.losslessRestatement;
  if (item.kind === "plan" || NOT_HAPPENED.test(text) || !isPast(text)) return false;
  const when = Date.parse(item.timestamp ?? item.mentionedAt);
  return when >= Date.parse(plan.timestamp ?? plan.mentionedAt) - EARLY_MS;
}

function isPast(text: string): boolean {
  return hasCjk(text)
    ? HAPPENED_ZH.test(text)
    : segmentWords(text).some((word) => isPastVerb(word) || presentOf(word) !== word);
}

function isOnTheDay({ timestamp }: ExtractedItem, plan: MemoryEntry): boolean {
  return timestamp !== null && plan.timestamp !== null && timestamp.slice(0, 10) === plan.timestamp.slice(0, 10);
}

/** Whoever planned it: the one named first, or nobody where the words name none. */
function isOfSameParty(item: ExtractedItem, plan: MemoryEntry): boolean {
  if (item.persons.length === 0) return item.speaker === plan.speaker;
  const named = new Set(plan.persons.map((name) => name.toLowerCase()));
  const first = firstNamed(item);
  return first === null ? false : named.size === 0 || firstNamed(plan) === first;
}

function firstNamed({ losslessRestatement, persons }: ExtractedItem): string | null {
  const text = losslessRestatement.toLowerCase();
  const places = persons.map((name) => ({ name: name.toLowerCase(), at: text.indexOf(name.toLowerCase()) }));
  const [first] = places.filter(({ at }) => at >= 0).sort((left, right) => left.at - right.at);
  return first?.name ?? null;
}

/** Stems of what is to be done or was done, without who, when, and that it is planned. */
export function thingStems({ losslessRestatement, persons, speaker }: ExtractedItem): ReadonlySet<string> {
  const undated = findTimeSpans(losslessRestatement).reduceRight(
    (text, { start, end }) => `${text.slice(0, start)} ${text.slice(end)}`,
    losslessRestatement,
  );
  const base = undated.replace(/[\p{L}'’]+/gu, (word) => presentOf(word));
  const names = new Set([...persons, speaker].flatMap((name) => contentStems(name)));
  return new Set(contentStems(base).filter((stem) => !names.has(stem) && !PLANNING.has(stem)));
}

function isWithin(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  return [...part].every((stem) => whole.has(stem));
}
