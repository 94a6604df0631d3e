import { contentStems } from "../../language/index.js";
import type { Rejection } from "../../records/index.js";
import type { Candidate, ConsolidationItem, Decision } from "./consolidator.js";
import { holdsNames, isSubset, type Profile, profileOf } from "./profile.js";
import { competing } from "./slots.js";

/** Likeness from which two facts may be about the same thing. */
export const NEAR = 0.5;
const REJECTED_TEXT = 120;
/** Telling words that a paraphrase may bring: "has her home in" for "lives in". Two of them say something else. */
const PARAPHRASE_NEWS = 1;

/** What a model wants done with one item. */
export interface Wish {
  readonly op: string;
  readonly target: string | undefined;
}

function namesOf({ persons, entities }: ConsolidationItem["item"]): string[] {
  return [...persons, ...entities].map((name) => name.toLowerCase());
}

/** Whether both name a same person or thing. */
export function sharesSubject(item: ConsolidationItem["item"], candidate: Candidate): boolean {
  const known = new Set([...namesOf(candidate.entry), ...profileOf(candidate.entry).names]);
  return [...namesOf(item), ...profileOf(item).names].some((name) => known.has(name));
}

/** Stems that tell what is said, without those that tell of whom. */
function tellingStems(item: ConsolidationItem["item"], profile: Profile): Set<string> {
  const names = new Set([...namesOf(item), ...profile.names].flatMap((name) => contentStems(name)));
  return new Set(profile.stems.filter((stem) => !names.has(stem)));
}

/** Whether both speak of the same attribute: by the slots that they state, else by a topic or a telling word. */
function sharesAttribute(item: ConsolidationItem["item"], entry: Candidate["entry"]): boolean {
  const mine = profileOf(item);
  const theirs = profileOf(entry);
  if (mine.slot !== null && theirs.slot !== null) return competing(mine.slot, theirs.slot);
  if (item.topic !== null && item.topic === entry.topic) return true;
  const held = tellingStems(entry, theirs);
  return [...tellingStems(item, mine)].some((stem) => held.has(stem));
}

/** Whether nothing that a paraphrase must keep differs: numbers, names, polarity, bounds, times, all but one of its words. */
function sharesDetails(item: ConsolidationItem["item"], entry: Candidate["entry"]): boolean {
  const mine = profileOf(item);
  const theirs = profileOf(entry);
  const held = new Set(theirs.stems);
  const news = [...tellingStems(item, mine)].filter((stem) => !held.has(stem));
  return (
    news.length <= PARAPHRASE_NEWS &&
    mine.negated === theirs.negated &&
    mine.bounds === theirs.bounds &&
    isSubset(mine.numbers, theirs.numbers) &&
    holdsNames(mine, theirs) &&
    (item.timestamp === null || item.timestamp === entry.timestamp) &&
    item.sourceRole === entry.sourceRole
  );
}

/** Whether the item may tell that the known entry, a plan, was carried out. */
function endsPlan(item: ConsolidationItem["item"], entry: Candidate["entry"]): boolean {
  return (
    entry.kind === "plan" &&
    item.kind !== "plan" &&
    item.mentionedAt > entry.mentionedAt &&
    !profileOf(item).negated &&
    (item.sourceRole === "user" || entry.sourceRole !== "user") &&
    sharesAttribute(item, entry)
  );
}

export function refused(reason: string, item: ConsolidationItem): Rejection {
  return { reason, text: item.item.losslessRestatement.slice(0, REJECTED_TEXT) };
}

/**
 * What the model asked for, as far as it may be done: the ids, the subject, the attribute and the details are checked.
 * Nothing is deleted, and what an assistant or a tool says ends nothing that the user said.
 */
export function verified({ op, target }: Wish, item: ConsolidationItem): Decision | Rejection {
  if (op === "add") return { op: "add" };
  const candidate = item.candidates.find(({ entry }) => entry.entryId === target);
  if (target === undefined || candidate === undefined)
    return refused(`unknown_target: ${op} names no known fact`, item);
  const { entry, similarity } = candidate;
  if (similarity < NEAR || !sharesSubject(item.item, candidate)) return refused(`other_subject: ${op}`, item);
  if (op === "skip") {
    return sharesDetails(item.item, entry) ? { op, target } : refused("other_details: skip", item);
  }
  if (op === "done") return endsPlan(item.item, entry) ? { op, target } : refused("no_such_plan: done", item);
  if (op !== "supersede" && op !== "conflict") return refused(`unknown_operation: ${op.slice(0, 40)}`, item);
  if (!sharesAttribute(item.item, entry)) return refused(`other_attribute: ${op}`, item);
  if (op === "conflict") return { op, target };
  if (item.item.sourceRole !== "user" && entry.sourceRole === "user") return refused("other_voice: supersede", item);
  return { op: item.item.mentionedAt >= entry.mentionedAt ? "supersede" : "superseded_by", target };
}
