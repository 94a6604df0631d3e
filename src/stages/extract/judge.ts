import { hasCjk, hasNegation } from "../../language/index.js";
import type { DialogueTurn, ExtractedItem, Rejection } from "../../records/index.js";
import { genericLabel } from "./attribution.js";
import type { ExtractInput } from "./extractor.js";
import { checkItem, type GuardCode, type GuardProblem } from "./guards.js";
import { ownsItsPronouns } from "./owned-pronouns.js";
import { EXAMPLE_RESTATEMENT, EXTRACT_SYSTEM } from "./prompt.js";
import { toItem } from "./reply-item.js";
import { itemSchema } from "./schema.js";

/**
 * What becomes of an entry of a reply. The rule:
 * - what is no entry, comes from the prompt, puts the assistant's words in the user's mouth, or makes a preference of a
 *   question, is rejected;
 * - what the model can mend from the lines it saw (a pronoun, a relative time, a date that is none, a lost negation or
 *   condition, another language) is sent back once;
 * - what still fails, and what no turn bears out (a number, a name, a condition), is kept with less confidence, and the
 *   attribute `doubt` says why.
 */
export type Judgement =
  | { readonly verdict: "kept"; readonly item: ExtractedItem }
  | { readonly verdict: "broken"; readonly item: ExtractedItem; readonly problem: string }
  | { readonly verdict: "rejected"; readonly rejection: Rejection };

/** How sure a doubted entry is: less than what is only reported, so that it asks for a review. */
const DOUBTED = 0.5;
const REJECTED_TEXT = 120;
const REJECTED_CODES: ReadonlySet<GuardCode> = new Set(["blank", "not_well_formed", "from_prompt", "only_asked"]);
/** What no second look at the same lines can mend. */
const UNPROVEN_CODES: ReadonlySet<GuardCode> = new Set([
  "ungrounded_number",
  "ungrounded_name",
  "unknown_source",
  "added_condition",
]);
const EXAMPLE_NAMES = /\b(?:Zorvath|Quillam|Brinmoor|Yessika|Trallow)\b/u;

export function rejection(reason: string, value: unknown): Rejection {
  if (typeof value !== "string" || value.trim() === "") return { reason };
  return { reason, text: value.toWellFormed().slice(0, REJECTED_TEXT) };
}

function reject(reason: string, value: unknown): Judgement {
  return { verdict: "rejected", rejection: rejection(reason, value) };
}

/** The item, marked as doubtful for this reason: no surer than `confidence`. */
export function doubted(item: ExtractedItem, problem: string, confidence = DOUBTED): ExtractedItem {
  const doubt = problem.split(":")[0] ?? problem;
  return {
    ...item,
    confidence: Math.min(item.confidence, confidence),
    attributes: { ...item.attributes, doubt },
  };
}

function wasTranslated(item: ExtractedItem, turns: readonly DialogueTurn[]): boolean {
  const cited = turns.filter((turn) => item.sourceIds.includes(turn.dialogueId));
  return cited.length > 0 && cited.every((turn) => hasCjk(turn.content)) && !hasCjk(item.losslessRestatement);
}

// A negation that nobody said is no slip of the pen: the lines that the model saw do not bear the entry out.
function canBeMended({ code }: GuardProblem, item: ExtractedItem): boolean {
  if (code === "lost_negation") return !hasNegation(item.losslessRestatement);
  return !UNPROVEN_CODES.has(code);
}

function line({ code, detail }: GuardProblem): string {
  return `${code}: ${detail}`;
}

/** Judges one entry of a reply against the turns that the model saw. */
export function judge(raw: unknown, input: ExtractInput, labels: ReadonlyMap<string, string>): Judgement {
  const reply = itemSchema.safeParse(raw);
  if (!reply.success) {
    const issue = reply.error.issues[0];
    return reject(`not_an_entry: ${issue?.path.join(".") || "item"} ${issue?.message ?? ""}`, raw);
  }
  const { lossless_restatement: text } = reply.data;
  if (!text.isWellFormed()) return reject("not_well_formed: a lone surrogate", text);
  const said = [...input.context, ...input.turns];
  if (EXAMPLE_NAMES.test(text) && !said.some((turn) => EXAMPLE_NAMES.test(`${turn.speaker} ${turn.content}`))) {
    return reject("from_prompt: the example came back", text);
  }
  const item = toItem(reply.data, input.turns, labels);
  if (item === null) return reject("not_said_by_user: the assistant alone said it of the user", text);
  const label = genericLabel(text, said);
  if (label !== null) return reject(`generic_label: ${label}`, text);
  return weigh(item, input);
}

function weigh(item: ExtractedItem, input: ExtractInput): Judgement {
  const checked = checkItem(item, input.turns, input.context, {
    promptTexts: [
      EXAMPLE_RESTATEMENT,
      EXTRACT_SYSTEM,
      ...(input.instructions === undefined ? [] : [input.instructions]),
    ],
    neighbours: input.neighbours,
  });
  const problems = checked.problems.filter(({ code }) => code !== "bare_pronoun" || !ownsItsPronouns(item));
  const fatal = problems.find(({ code }) => REJECTED_CODES.has(code));
  if (fatal !== undefined) return reject(line(fatal), item.losslessRestatement);
  const mendable = problems.find((problem) => canBeMended(problem, item));
  if (mendable !== undefined) return { verdict: "broken", item, problem: line(mendable) };
  if (wasTranslated(item, input.turns)) {
    return { verdict: "broken", item, problem: "translated: write in the language of the line" };
  }
  const [first] = problems;
  return { verdict: "kept", item: first === undefined ? item : doubted(item, line(first)) };
}
