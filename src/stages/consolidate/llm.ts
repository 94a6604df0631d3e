import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { z } from "zod/v4";
import { StructuredCaller } from "../../models/index.js";
import type { Rejection } from "../../records/index.js";
import type { Candidate, ConsolidationItem, Consolidator, Decision } from "./consolidator.js";
import { CONSOLIDATE_SYSTEM, consolidateUserPrompt } from "./prompt.js";
import { createRuleConsolidator } from "./rules.js";

const operation = z.object({ item: z.number(), op: z.string(), target: z.number().nullable().optional() });
const schema = z.object({ operations: z.array(operation) });

/** Likeness from which two facts may be about the same thing. */
const SAME_SUBJECT = 0.5;

function fits(value: unknown): boolean {
  return typeof value === "object" && value !== null && "operations" in value && Array.isArray(value.operations);
}

function sharesSubject(item: ConsolidationItem, candidate: Candidate): boolean {
  const known = new Set([...candidate.entry.persons, ...candidate.entry.entities].map((name) => name.toLowerCase()));
  return [...item.item.persons, ...item.item.entities].some((name) => known.has(name.toLowerCase()));
}

function rejected(reason: string, item: ConsolidationItem): Rejection {
  return { reason, text: item.item.losslessRestatement.slice(0, 120) };
}

/** What the model asked for, as far as it may be done: the rules must see the same in it. */
function allowed(
  asked: z.infer<typeof operation>,
  item: ConsolidationItem,
  targets: readonly string[],
  byRule: Decision,
): Decision | Rejection {
  if (asked.op === "add") return { op: "add" };
  const target = targets[(asked.target ?? 0) - 1];
  const candidate = item.candidates.find(({ entry }) => entry.entryId === target);
  if (target === undefined || candidate === undefined) return rejected(`${asked.op} names an unknown fact`, item);
  const isNear = sharesSubject(item, candidate) && candidate.similarity >= SAME_SUBJECT;
  if (!isNear) return rejected(`${asked.op} names a fact about something else`, item);
  if (asked.op === "conflict") return { op: "conflict", target };
  if (asked.op === "supersede") {
    const isNewer = item.item.mentionedAt >= candidate.entry.mentionedAt;
    return isNewer ? { op: "supersede", target } : { op: "superseded_by", target };
  }
  // A model may not discard what the rules see a difference in: numbers, dates, names, polarity.
  if (asked.op === "skip" && byRule.op === "skip") return { op: "skip", target };
  return rejected(`${asked.op} is not borne out by the words`, item);
}

/**
 * Asks the model once per window, and only where stored neighbours exist: the window's own items came from one reply,
 * and the rules compare them. Nothing is retired or dropped on its word alone.
 */
export function createLlmConsolidator(options: { readonly model: BaseChatModel }): Consolidator {
  const caller = new StructuredCaller(options.model);
  const rules = createRuleConsolidator();
  return {
    async consolidate({ items }, run) {
      const byRule = await rules.consolidate({ items }, run);
      const ownIds = new Set(items.map((item) => item.entryId));
      const isOpen = items.map(
        (item, index) =>
          byRule.decisions[index]?.op === "add" &&
          item.candidates.some(
            (one) => !ownIds.has(one.entry.entryId) && one.similarity >= SAME_SUBJECT && sharesSubject(item, one),
          ),
      );
      if (!isOpen.some(Boolean)) return byRule;
      const { user, targets } = consolidateUserPrompt(items);
      const reply = await caller.call({
        name: "simplemem_consolidate",
        schema,
        system: CONSOLIDATE_SYSTEM,
        user,
        fits,
        run,
      });
      const asked = (reply.value as { operations: unknown[] }).operations.flatMap((one) => {
        const read = operation.safeParse(one);
        return read.success ? [read.data] : [];
      });
      const rejections: Rejection[] = [...byRule.rejections];
      const decisions = items.map((item, index): Decision => {
        const rule = byRule.decisions[index] ?? { op: "add" };
        const wish = asked.find((one) => one.item === index + 1);
        if (wish === undefined || isOpen[index] !== true) return rule;
        const result = allowed(wish, item, targets, rule);
        if ("op" in result) return result;
        rejections.push(result);
        return rule;
      });
      return { decisions, rejections };
    },
  };
}
