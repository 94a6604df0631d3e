import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
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
import { importanceOf, keywordsOf } from "./describe.js";
import type { ExtractInput, ExtractOutput, Extractor } from "./extractor.js";
import { checkItem } from "./guards.js";
import { EXTRACT_SYSTEM, extractUserPrompt, lineOf } from "./prompt.js";
import { extractSchema, isExtraction, itemSchema, itemsOf, type ReplyItem } from "./schema.js";

export interface LlmExtractorOptions {
  readonly model: BaseChatModel;
  /** Tokens of new lines per call, by the library's estimate. Default 4,000; larger windows take several calls. */
  readonly maxPromptTokens?: number;
}

const DEFAULT_PROMPT_TOKENS = 4000;
/** What a reply may cost in confidence when a guard doubts it. */
const DOUBT = 0.3;
const HARD_CODES: ReadonlySet<string> = new Set(["blank", "not_well_formed", "from_prompt"]);
const REJECTED_TEXT = 120;

/** Cuts a text at white space into pieces of at most `maxTokens`, by code points. */
function* piecesOf(text: string, maxTokens: number): Generator<string> {
  // A token never takes more than four characters by our own estimate, so this many points always fit.
  const size = maxTokens;
  const points = Array.from(text);
  for (let start = 0; start < points.length; ) {
    let end = Math.min(points.length, start + size);
    if (end < points.length) {
      const space = points.slice(start, end).findLastIndex((point) => /\s/u.test(point));
      if (space > size / 2) end = start + space + 1;
    }
    yield points.slice(start, end).join("");
    start = end;
  }
}

/** Lines in groups that each fit one prompt; a turn that is too long for one is cut into pieces. */
function batchesOf(turns: readonly DialogueTurn[], maxTokens: number): string[][] {
  const batches: string[][] = [];
  let current: string[] = [];
  let used = 0;
  const push = (line: string, tokens: number): void => {
    if (used + tokens > maxTokens && current.length > 0) {
      batches.push(current);
      current = [];
      used = 0;
    }
    current.push(line);
    used += tokens;
  };
  for (const turn of turns) {
    const line = lineOf(turn);
    const tokens = estimateTokens(line);
    if (tokens <= maxTokens) push(line, tokens);
    else
      for (const piece of piecesOf(turn.content, maxTokens - 100))
        push(lineOf(turn, piece), estimateTokens(lineOf(turn, piece)));
  }
  if (current.length > 0) batches.push(current);
  return batches;
}

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
  const sources = sourcesOf(reply, turns);
  const last = sources.at(-1);
  if (last === undefined) return null;
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
    sourceIds: sources.map((turn) => turn.dialogueId),
    confidence: 0.9,
    importance: importanceOf(text, kind),
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
  if (item === null) return { rejection: rejection("unknown_source", text) };
  const { problems } = checkItem(item, input.turns, input.context, { promptTexts: [EXTRACT_SYSTEM] });
  const hard = problems.find((problem) => HARD_CODES.has(problem.code));
  if (hard !== undefined) return { rejection: rejection(`${hard.code}: ${hard.detail}`, text) };
  return { item: problems.length === 0 ? item : { ...item, confidence: item.confidence - DOUBT } };
}

/** Rewrites windows with a chat model, and believes nothing unchecked. */
export function createLlmExtractor(options: LlmExtractorOptions): Extractor {
  const caller = new StructuredCaller(options.model);
  const maxTokens = options.maxPromptTokens ?? DEFAULT_PROMPT_TOKENS;

  async function extractBatch(input: ExtractInput, lines: readonly string[], run: StageRun): Promise<ExtractOutput> {
    const reply = await caller.call({
      name: "simplemem_extract",
      schema: extractSchema,
      system: EXTRACT_SYSTEM,
      user: extractUserPrompt(input, lines),
      fits: isExtraction,
      run,
    });
    const judged = (itemsOf(reply.value) ?? []).map((raw) => judge(raw, input));
    const questions = (reply.value as { open_questions?: unknown }).open_questions;
    return {
      items: judged.flatMap((one) => ("item" in one ? [one.item] : [])),
      rejections: judged.flatMap((one) => ("rejection" in one ? [one.rejection] : [])),
      openQuestions: Array.isArray(questions) ? questions.filter((one): one is string => typeof one === "string") : [],
      incomplete: reply.isCutOff,
    };
  }

  return {
    async extract(input, run) {
      const items: ExtractedItem[] = [];
      const rejections: Rejection[] = [];
      const openQuestions: string[] = [];
      let incomplete = false;
      for (const lines of batchesOf(input.turns, maxTokens)) {
        run.signal?.throwIfAborted();
        const output = await extractBatch(input, lines, run);
        items.push(...output.items);
        rejections.push(...output.rejections);
        openQuestions.push(...output.openQuestions);
        incomplete ||= output.incomplete;
      }
      return { items, rejections, openQuestions, incomplete };
    },
  };
}
