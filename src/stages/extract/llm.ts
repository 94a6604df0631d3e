import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { z } from "zod/v4";
import { estimateTokens, ReplyCutOffError, StructuredCaller, type StructuredReply } from "../../models/index.js";
import type { ExtractedItem, Rejection } from "../../records/index.js";
import type { StageRun } from "../run.js";
import { batchesOf, lastTurnsWithin } from "./batches.js";
import type { ExtractInput, ExtractOutput, Extractor } from "./extractor.js";
import { doubted, type Judgement, judge, rejection } from "./judge.js";
import { labelsOf, withoutInjected } from "./lines.js";
import { EXTRACT_SYSTEM, extractUserPrompt, linesFor, mendPrompt } from "./prompt.js";
import { extractSchema, isExtraction, itemsOf, joinExtractions, openQuestionsOf } from "./schema.js";

export interface LlmExtractorOptions {
  readonly model: BaseChatModel;
  /** Asks the model. Share one per model, so that a way that it refuses is refused once. Default: one of its own. */
  readonly caller?: StructuredCaller;
  /**
   * Tokens of one prompt at most, by the library's estimate, 2,000 or more. Default 4,000; windows that are larger take
   * several calls. The owner's instructions count, and are never cut.
   */
  readonly maxPromptTokens?: number;
  /** Applied to entries that go back to the model: they may hold what was cut out of the turns. Default: unchanged. */
  readonly redact?: (text: string) => string;
}

const DEFAULT_PROMPT_TOKENS = 4000;
/** What every prompt holds besides the conversation: the rules, the schema, the titles of its sections and a second asking. */
const PROMPT_FRAME_TOKENS =
  estimateTokens(EXTRACT_SYSTEM) + estimateTokens(JSON.stringify(z.toJSONSchema(extractSchema))) + 160;
const MIN_LINE_TOKENS = 500;
const CONTEXT_SHARE = 0.25;
const NEIGHBOUR_SHARE = 0.15;
/** A reply that is cut off is asked for by halves, then by quarters: seven calls at most for one batch. */
const MAX_SPLITS = 2;

type Labels = ReadonlyMap<string, string>;
type Broken = Extract<Judgement, { verdict: "broken" }>;

/** The input with no more context and neighbours than a share of the room, and the tokens left for new lines. */
function withinBudget(
  input: ExtractInput,
  labels: Labels,
  maxTokens: number,
): { shown: ExtractInput; lineTokens: number } {
  const fixed = PROMPT_FRAME_TOKENS + estimateTokens(input.instructions ?? "");
  const room = Math.max(MIN_LINE_TOKENS, maxTokens - fixed);
  let left = room * NEIGHBOUR_SHARE;
  const neighbours = input.neighbours.filter((text) => {
    left -= estimateTokens(text) + 2;
    return left >= 0;
  });
  const context = lastTurnsWithin(input.context, room * CONTEXT_SHARE, linesFor(input, labels).context);
  const shown = { ...input, neighbours, context };
  const used =
    estimateTokens(extractUserPrompt({ ...shown, turns: [] }, labels)) - estimateTokens(input.instructions ?? "");
  return { shown, lineTokens: Math.max(MIN_LINE_TOKENS, room - used) };
}

function joined(outputs: readonly ExtractOutput[]): ExtractOutput {
  return {
    items: outputs.flatMap((one) => one.items),
    rejections: outputs.flatMap((one) => one.rejections),
    openQuestions: [...new Set(outputs.flatMap((one) => one.openQuestions))],
    incomplete: outputs.some((one) => one.incomplete),
  };
}

/** The input with its turns cut in two, each half seeing the end of the other as context; null for a turn alone. */
function halves(input: ExtractInput): readonly [ExtractInput, ExtractInput] | null {
  if (input.turns.length < 2) return null;
  const middle = Math.ceil(input.turns.length / 2);
  const first = input.turns.slice(0, middle);
  const context = input.context.length === 0 ? first.slice(-1) : first.slice(-input.context.length);
  return [
    { ...input, turns: first },
    { ...input, turns: input.turns.slice(middle), context },
  ];
}

/** One window's talk with the model. */
class Extraction {
  readonly #caller: StructuredCaller;
  readonly #labels: Labels;
  readonly #run: StageRun;
  readonly #redact: (text: string) => string;

  constructor(caller: StructuredCaller, labels: Labels, run: StageRun, redact: (text: string) => string) {
    this.#redact = redact;
    this.#caller = caller;
    this.#labels = labels;
    this.#run = run;
  }

  /** Extracts a batch, by halves when the reply does not fit the model's limit. */
  async batch(input: ExtractInput, splits = 0): Promise<ExtractOutput> {
    const parts = splits < MAX_SPLITS ? halves(input) : null;
    const reply = await this.#ask(extractUserPrompt(input, this.#labels), parts !== null);
    if (reply === null || (reply.isCutOff && parts !== null)) {
      const whole = await this.#byParts(parts ?? [], splits + 1, reply === null);
      if (whole !== null) return whole;
    }
    return reply === null ? joined([]) : this.#read(input, reply);
  }

  /** Null when a half failed and the whole items of the cut reply are the better part. */
  async #byParts(parts: readonly ExtractInput[], splits: number, mustSucceed: boolean): Promise<ExtractOutput | null> {
    const outputs: ExtractOutput[] = [];
    try {
      for (const part of parts) outputs.push(await this.batch(part, splits));
    } catch (error) {
      if (mustSucceed || this.#run.signal?.aborted === true) throw error;
      this.#run.logger.warn("a window that was split could not be read; its whole items are kept, and it stays open");
      return null;
    }
    return joined(outputs);
  }

  /** The reply; null when it was cut off before anything whole and there is less to ask for. */
  async #ask(user: string, canSplit: boolean): Promise<StructuredReply | null> {
    try {
      return await this.#caller.call({
        name: "simplemem_extract",
        schema: extractSchema,
        system: EXTRACT_SYSTEM,
        user,
        fits: isExtraction,
        join: joinExtractions,
        canSplit,
        run: this.#run,
      });
    } catch (error) {
      if (canSplit && error instanceof ReplyCutOffError) return null;
      throw error;
    }
  }

  async #read(input: ExtractInput, reply: StructuredReply): Promise<ExtractOutput> {
    const judged = (itemsOf(reply.value) ?? []).map((raw) => judge(raw, input, this.#labels));
    const broken = judged.filter((one): one is Broken => one.verdict === "broken");
    const mended = broken.length === 0 ? NOTHING_MENDED : await this.#mend(input, broken);
    const items = judged.flatMap((one): readonly ExtractedItem[] => {
      if (one.verdict === "rejected") return [];
      return one.verdict === "kept" ? [one.item] : (mended.items.get(one) ?? [doubted(one.item, one.problem)]);
    });
    const rejected = judged.flatMap((one) => (one.verdict === "rejected" ? [one.rejection] : []));
    return {
      items,
      rejections: [...rejected, ...mended.rejections],
      openQuestions: openQuestionsOf(reply.value),
      incomplete: reply.isCutOff,
    };
  }

  /** Sends the broken entries back once. What cannot be mended stays as it is, doubted. */
  async #mend(input: ExtractInput, broken: readonly Broken[]): Promise<Mended> {
    const list = broken.map(({ item, problem }) => ({
      text: this.#redact(item.losslessRestatement),
      problem: this.#redact(problem),
    }));
    this.#run.usage.retries += 1;
    try {
      const reply = await this.#ask(mendPrompt(linesOf(input, broken), this.#labels, list), false);
      return matched(
        broken,
        (itemsOf(reply?.value) ?? []).map((raw) => judge(raw, input, this.#labels)),
      );
    } catch (error) {
      if (this.#run.signal?.aborted === true) throw error;
      this.#run.logger.warn("entries that break a rule could not be mended; they are kept as doubtful", {
        entries: broken.length,
      });
      return NOTHING_MENDED;
    }
  }
}

interface Mended {
  /** By the judgement that sent it back. */
  readonly items: ReadonlyMap<Broken, readonly ExtractedItem[]>;
  readonly rejections: readonly Rejection[];
}

const NOTHING_MENDED: Mended = { items: new Map(), rejections: [] };

/** The lines that the broken entries stand on, and the one before each: all that is needed to mend them. */
function linesOf(input: ExtractInput, broken: readonly Broken[]): ExtractInput {
  const cited = new Set(broken.flatMap(({ item }) => item.sourceIds));
  const turns = input.turns.filter((turn, index) => {
    const next = input.turns[index + 1];
    return cited.has(turn.dialogueId) || (next !== undefined && cited.has(next.dialogueId));
  });
  return { ...input, turns };
}

/** Pairs what came back with what was sent, by order. What breaks a rule still is doubted; what was not asked for is refused. */
function matched(broken: readonly Broken[], judged: readonly Judgement[]): Mended {
  const items = new Map<Broken, readonly ExtractedItem[]>();
  const rejections: Rejection[] = [];
  for (const [index, one] of judged.entries()) {
    const sent = broken[index];
    if (sent === undefined) rejections.push(rejection("not_asked_for", textOf(one)));
    else if (one.verdict === "kept") items.set(sent, [one.item]);
    else if (one.verdict === "broken") items.set(sent, [doubted(one.item, one.problem)]);
  }
  return { items, rejections };
}

function textOf(one: Judgement): string | undefined {
  return one.verdict === "rejected" ? one.rejection.text : one.item.losslessRestatement;
}

/** Rewrites windows with a chat model, and believes nothing unchecked. */
export function createLlmExtractor(options: LlmExtractorOptions): Extractor {
  const caller = options.caller ?? new StructuredCaller(options.model);
  const maxTokens = options.maxPromptTokens ?? DEFAULT_PROMPT_TOKENS;
  return {
    by: "model",
    async extract(given, run) {
      const turns = given.turns.map(withoutInjected).filter((turn) => turn.content.trim() !== "");
      const input = { ...given, turns, context: given.context.map(withoutInjected) };
      const labels = labelsOf(turns);
      const extraction = new Extraction(caller, labels, run, options.redact ?? ((text) => text));
      const { shown, lineTokens } = withinBudget(input, labels, maxTokens);
      const outputs: ExtractOutput[] = [];
      // Each batch is judged against its own lines: a huge turn is neither shown nor read as a whole.
      for (const batch of batchesOf(turns, lineTokens, linesFor(input, labels).fresh)) {
        run.signal?.throwIfAborted();
        outputs.push(await extraction.batch({ ...shown, turns: batch }));
      }
      return joined(outputs);
    },
  };
}
