import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { z } from "zod/v4";
import { estimateTokens, StructuredCaller } from "../../models/index.js";
import { type ChangeAuthor, ModelOutputError, type Rejection } from "../../records/index.js";
import type { StageRun } from "../run.js";
import type { ConsolidateOutput, ConsolidationItem, Consolidator, Decision } from "./consolidator.js";
import { CONSOLIDATE_SYSTEM, consolidateUserPrompt } from "./prompt.js";
import { createRuleConsolidator } from "./rules.js";
import { NEAR, refused, sharesSubject, verified } from "./verify.js";

const schema = z.object({
  operations: z.array(z.object({ item: z.number(), op: z.string(), target: z.number().nullable() })),
});
const number = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]);
const operation = z.object({ item: number, op: z.string(), target: number.nullish().catch(null) });
const operations = z.union([z.object({ operations: z.array(z.unknown()) }), z.array(z.unknown())]);

/** Known facts that are shown for one item. */
const SHOWN_NEIGHBOURS = 4;
const DEFAULT_PROMPT_TOKENS = 4000;

export interface LlmConsolidatorOptions {
  readonly model: BaseChatModel;
  /** Asks the model. Share one per model. Default: one of its own. */
  readonly caller?: StructuredCaller;
  /** Tokens of the facts in one prompt at most. Default 4,000; items that do not fit are decided by rules. */
  readonly maxPromptTokens?: number;
}

function fits(value: unknown): boolean {
  const read = operations.safeParse(value);
  if (!read.success) return false;
  const list = Array.isArray(read.data) ? read.data : read.data.operations;
  return list.some((one) => operation.safeParse(one).success) || (!Array.isArray(read.data) && list.length === 0);
}

function operationsOf(value: unknown): unknown[] {
  const read = operations.parse(value);
  return Array.isArray(read) ? read : read.operations;
}

/** An item that the rules would add, with the stored neighbours that only a reader can compare it with. */
interface OpenItem {
  readonly index: number;
  readonly shown: ConsolidationItem;
}

function openItems(items: readonly ConsolidationItem[], byRule: readonly Decision[], maxTokens: number): OpenItem[] {
  const ownIds = new Set(items.map((item) => item.entryId));
  let left = maxTokens;
  return items.flatMap((item, index) => {
    if (byRule[index]?.op !== "add") return [];
    // The window's own items came from one reply, and the rules have compared them.
    const candidates = item.candidates
      .filter((one) => !ownIds.has(one.entry.entryId) && one.similarity >= NEAR && sharesSubject(item.item, one))
      .slice(0, SHOWN_NEIGHBOURS);
    const texts = [item.item, ...candidates.map((one) => one.entry)].map((one) => one.losslessRestatement);
    left -= candidates.length === 0 ? 0 : estimateTokens(texts.join("\n"));
    return candidates.length === 0 || left < 0 ? [] : [{ index, shown: { ...item, candidates } }];
  });
}

/** The wishes of the reply, each checked; one that names nothing, or an item a second time, is refused. */
function decide(
  asked: readonly unknown[],
  open: readonly OpenItem[],
  targets: readonly string[],
  byRule: ConsolidateOutput,
) {
  const decisions = [...byRule.decisions];
  const decidedBy: ChangeAuthor[] = decisions.map(() => "rule");
  const rejections: Rejection[] = [...byRule.rejections];
  const done = new Set<number>();
  for (const raw of asked) {
    const wish = operation.safeParse(raw);
    const item = wish.success ? open[wish.data.item - 1] : undefined;
    if (!wish.success || item === undefined || done.has(item.index)) {
      rejections.push({ reason: "unknown_item: an operation names no new fact, or one twice" });
      continue;
    }
    done.add(item.index);
    const { op, target } = wish.data;
    const result = verified({ op, target: targets[(target ?? 0) - 1] }, item.shown);
    if ("op" in result) {
      decisions[item.index] = result;
      decidedBy[item.index] = "model";
    } else rejections.push(result);
  }
  return { decisions, decidedBy, rejections };
}

/**
 * Asks the model once per window, and only where stored neighbours exist that the rules cannot place. Nothing is retired
 * or dropped on its word alone; what it cannot say is decided by the rules.
 */
export function createLlmConsolidator(options: LlmConsolidatorOptions): Consolidator {
  const caller = options.caller ?? new StructuredCaller(options.model);
  const maxTokens = options.maxPromptTokens ?? DEFAULT_PROMPT_TOKENS;
  const rules = createRuleConsolidator();

  async function ask(open: readonly OpenItem[], run: StageRun) {
    const { user, targets } = consolidateUserPrompt(open.map(({ shown }) => shown));
    const request = { name: "simplemem_consolidate", schema, system: CONSOLIDATE_SYSTEM, user, fits, run };
    const reply = await caller.call(request);
    return { asked: operationsOf(reply.value), targets };
  }

  return {
    inDoubt: (lost) => rules.inDoubt?.(lost) ?? [],
    async consolidate({ items }, run) {
      const byRule = await rules.consolidate({ items }, run);
      const open = openItems(items, byRule.decisions, maxTokens);
      const [first] = open;
      if (first === undefined) return byRule;
      try {
        const { asked, targets } = await ask(open, run);
        return decide(asked, open, targets, byRule);
      } catch (error) {
        if (!(error instanceof ModelOutputError)) throw error;
        run.logger.warn("what is new was compared by rules, since the model's reply could not be used");
        return {
          ...byRule,
          rejections: [...byRule.rejections, refused("no_decision: the reply could not be used", first.shown)],
        };
      }
    },
  };
}
