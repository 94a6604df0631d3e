import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { z } from "zod/v4";
import { contentStems, findNames, resolveTimes } from "../../language/index.js";
import { estimateTokens, StructuredCaller } from "../../models/index.js";
import {
  type DialogueTurn,
  ENTRY_KINDS,
  type EntryKind,
  type ExtractedItem,
  InvalidInputError,
  parseInstant,
  type Rejection,
} from "../../records/index.js";
import type { StageRun } from "../run.js";
import { genericLabel, provenSources } from "./attribution.js";
import { batchesOf, lastTurnsWithin } from "./batches.js";
import { countDetails } from "./density.js";
import { importanceOf, keywordsOf } from "./describe.js";
import type { ExtractInput, ExtractOutput, Extractor } from "./extractor.js";
import { checkItem } from "./guards.js";
import { EXTRACT_SYSTEM, extractUserPrompt, lineOf } from "./prompt.js";
import { extractSchema, isExtraction, itemSchema, itemsOf, type ReplyItem } from "./schema.js";

export interface LlmExtractorOptions {
  readonly model: BaseChatModel;
  /**
   * Tokens of one prompt at most, by the library's estimate, 2,000 or more. Default 4,000; windows that are larger take
   * several calls. The owner's instructions count, and are never cut.
   */
  readonly maxPromptTokens?: number;
}

const DEFAULT_PROMPT_TOKENS = 4000;
/** What every prompt holds besides the conversation: the rules, the schema, the titles of its sections and a second asking. */
const PROMPT_FRAME_TOKENS =
  estimateTokens(EXTRACT_SYSTEM) + estimateTokens(JSON.stringify(z.toJSONSchema(extractSchema))) + 120;
const MIN_LINE_TOKENS = 500;
const CONTEXT_SHARE = 0.25;
const NEIGHBOUR_SHARE = 0.15;
/** What a reply may cost in confidence when a guard doubts it. */
const DOUBT = 0.3;
const HARD_CODES: ReadonlySet<string> = new Set(["blank", "not_well_formed", "from_prompt"]);
const REJECTED_TEXT = 120;

function sourcesOf(item: ReplyItem, turns: readonly DialogueTurn[]): DialogueTurn[] {
  const named = new Set(item.source_ids ?? []);
  const known = turns.filter((turn) => named.has(turn.dialogueId));
  if (known.length > 0) return known;
  // Never an id that the model made up: the turns that share its words, else the whole window.
  const stems = new Set(contentStems(item.lossless_restatement));
  const shared = turns.map((turn) => contentStems(turn.content).filter((stem) => stems.has(stem)).length);
  const most = Math.max(0, ...shared);
  return most === 0 ? [...turns] : turns.filter((_, index) => shared[index] === most).slice(0, 3);
}

function openQuestionsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null || !("open_questions" in value)) return [];
  const { open_questions: questions } = value;
  return Array.isArray(questions) ? questions.filter((one): one is string => typeof one === "string") : [];
}

function kindOf(name: string | undefined): EntryKind {
  return ENTRY_KINDS.find((kind) => kind === name) ?? "fact";
}

function instantOf(text: string | null | undefined, turn: DialogueTurn): string | null {
  if (text === null || text === undefined) return null;
  try {
    const isBare = /^\d{4}-\d{2}-\d{2}$/.test(text.trim());
    const parsed = Date.parse(parseInstant(text, "UTC").instant);
    // A bare date is a day of the place where it was said.
    return new Date(isBare ? parsed - turn.offsetMinutes * 60_000 : parsed).toISOString();
  } catch (error) {
    if (error instanceof InvalidInputError) return null;
    throw error;
  }
}

function toItem(reply: ReplyItem, turns: readonly DialogueTurn[]): ExtractedItem | null {
  const sources = provenSources(reply.lossless_restatement.trim(), sourcesOf(reply, turns), turns);
  const last = sources?.at(-1);
  if (sources === null || last === undefined) return null;
  const { text, mentions } = resolveTimes(reply.lossless_restatement.trim(), {
    instant: last.timestamp,
    offsetMinutes: last.offsetMinutes,
  });
  const relative = mentions.find((mention) => mention.relative && mention.kind === "date");
  const speakers = turns.map((turn) => turn.speaker);
  const persons = reply.persons ?? findNames(text, speakers).persons;
  const kind = kindOf(reply.kind);
  const given = reply.keywords ?? [];
  return {
    losslessRestatement: text,
    keywords: given.length > 0 ? given : keywordsOf(text, persons),
    timestamp: instantOf(reply.timestamp, last) ?? relative?.from ?? null,
    timestampEnd: instantOf(reply.timestamp_end, last),
    mentionedAt: last.timestamp,
    location: reply.location ?? null,
    persons,
    entities: reply.entities ?? [],
    topic: reply.topic ?? null,
    attributes: reply.attributes ?? {},
    kind,
    speaker: last.speaker,
    sourceRole: last.role,
    sourceIds: [...new Set(sources.map((turn) => turn.dialogueId))],
    confidence: 0.9,
    importance: importanceOf(countDetails(text), kind),
  };
}

function rejection(reason: string, value: unknown): Rejection {
  const text = typeof value === "string" ? value : undefined;
  return text === undefined ? { reason } : { reason, text: text.slice(0, REJECTED_TEXT) };
}

function judge(raw: unknown, input: ExtractInput): { item: ExtractedItem } | { rejection: Rejection } {
  const reply = itemSchema.safeParse(raw);
  if (!reply.success) {
    const issue = reply.error.issues[0];
    return { rejection: rejection(`not an entry: ${issue?.path.join(".") || "item"} ${issue?.message ?? ""}`, raw) };
  }
  const { lossless_restatement: text } = reply.data;
  if (!text.isWellFormed()) return { rejection: rejection("not_well_formed", text.toWellFormed()) };
  const item = toItem(reply.data, input.turns);
  if (item === null) return { rejection: rejection("not_said_by_user: the assistant alone said it of the user", text) };
  const label = genericLabel(text, [...input.context, ...input.turns]);
  if (label !== null) return { rejection: rejection(`generic_label: ${label}`, text) };
  const { problems } = checkItem(item, input.turns, input.context, {
    promptTexts: [EXTRACT_SYSTEM, ...(input.instructions === undefined ? [] : [input.instructions])],
    neighbours: input.neighbours,
    timeZone: input.timeZone,
  });
  const hard = problems.find((problem) => HARD_CODES.has(problem.code));
  if (hard !== undefined) return { rejection: rejection(`${hard.code}: ${hard.detail}`, text) };
  return { item: problems.length === 0 ? item : { ...item, confidence: item.confidence - DOUBT } };
}

/** The input with no more context and neighbours than a share of the room, and the tokens left for new lines. */
function withinBudget(input: ExtractInput, maxTokens: number): { shown: ExtractInput; lineTokens: number } {
  const fixed = PROMPT_FRAME_TOKENS + estimateTokens(input.instructions ?? "");
  const room = Math.max(MIN_LINE_TOKENS, maxTokens - fixed);
  let left = room * NEIGHBOUR_SHARE;
  const neighbours = input.neighbours.filter((text) => {
    left -= estimateTokens(text) + 2;
    return left >= 0;
  });
  const context = lastTurnsWithin(input.context, room * CONTEXT_SHARE);
  const shown = { ...input, neighbours, context };
  const used =
    estimateTokens(extractUserPrompt({ ...shown, turns: [] }, [])) - estimateTokens(input.instructions ?? "");
  return { shown, lineTokens: Math.max(MIN_LINE_TOKENS, room - used) };
}

/** Rewrites windows with a chat model, and believes nothing unchecked. */
export function createLlmExtractor(options: LlmExtractorOptions): Extractor {
  const caller = new StructuredCaller(options.model);
  const maxTokens = options.maxPromptTokens ?? DEFAULT_PROMPT_TOKENS;

  async function extractBatch(input: ExtractInput, run: StageRun): Promise<ExtractOutput> {
    const reply = await caller.call({
      name: "simplemem_extract",
      schema: extractSchema,
      system: EXTRACT_SYSTEM,
      user: extractUserPrompt(
        input,
        input.turns.map((turn) => lineOf(turn)),
      ),
      fits: isExtraction,
      run,
    });
    const judged = (itemsOf(reply.value) ?? []).map((raw) => judge(raw, input));
    return {
      items: judged.flatMap((one) => ("item" in one ? [one.item] : [])),
      rejections: judged.flatMap((one) => ("rejection" in one ? [one.rejection] : [])),
      openQuestions: openQuestionsOf(reply.value),
      incomplete: reply.isCutOff,
    };
  }

  return {
    async extract(input, run) {
      const outputs: ExtractOutput[] = [];
      const { shown, lineTokens } = withinBudget(input, maxTokens);
      // Each batch is judged against its own lines: a huge turn is neither shown nor read as a whole.
      for (const turns of batchesOf(input.turns, lineTokens)) {
        run.signal?.throwIfAborted();
        outputs.push(await extractBatch({ ...shown, turns }, run));
      }
      return {
        items: outputs.flatMap((one) => one.items),
        rejections: outputs.flatMap((one) => one.rejections),
        openQuestions: outputs.flatMap((one) => one.openQuestions),
        incomplete: outputs.some((one) => one.incomplete),
      };
    },
  };
}
