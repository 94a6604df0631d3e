import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { z } from "zod/v4";
import { estimateTokens, StructuredCaller } from "../../models/index.js";
import { ModelOutputError, type Rejection } from "../../records/index.js";
import type { StageRun } from "../run.js";
import { lossOf } from "./lossless.js";
import type { Cluster, CondenseOutput, Maintainer, Summary } from "./maintainer.js";
import { MAINTAIN_SYSTEM, maintainUserPrompt } from "./prompt.js";
import { createRuleMaintainer } from "./rules.js";

const schema = z.object({ patterns: z.array(z.object({ group: z.number(), text: z.string().nullable() })) });
const number = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]);
const pattern = z.object({ group: number, text: z.string().nullish() });
const patterns = z.union([z.object({ patterns: z.array(z.unknown()) }), z.array(z.unknown())]);

const DEFAULT_PROMPT_TOKENS = 4000;
const REJECTED_TEXT = 120;

export interface LlmMaintainerOptions {
  readonly model: BaseChatModel;
  /** Asks the model. Share one per model. Default: one of its own. */
  readonly caller?: StructuredCaller;
  /** Tokens of the facts in one prompt at most. Default 4,000; clusters that do not fit are summed up by rules. */
  readonly maxPromptTokens?: number;
}

function listOf(value: unknown): readonly unknown[] {
  const read = patterns.safeParse(value);
  if (!read.success) return [];
  return Array.isArray(read.data) ? read.data : read.data.patterns;
}

function fits(value: unknown): boolean {
  return listOf(value).some((one) => pattern.safeParse(one).success);
}

/** The clusters that one prompt takes, from the first. */
function shownWithin(clusters: readonly Cluster[], maxTokens: number): readonly Cluster[] {
  let left = maxTokens;
  return clusters.filter((cluster) => {
    left -= estimateTokens(maintainUserPrompt([cluster]));
    return left >= 0;
  });
}

/** The texts of the reply that may stand for their clusters; the others are told. */
function judged(reply: readonly unknown[], shown: readonly Cluster[]) {
  const texts = new Map<Cluster, string>();
  const rejections: Rejection[] = [];
  for (const raw of reply) {
    const read = pattern.safeParse(raw);
    const cluster = read.success ? shown[read.data.group - 1] : undefined;
    const text = read.success ? (read.data.text ?? "").trim() : "";
    if (cluster === undefined) rejections.push({ reason: "unknown_group: a text for no cluster" });
    else if (text !== "") {
      const loss = lossOf(text, cluster);
      if (loss === null) texts.set(cluster, text);
      else rejections.push({ reason: `${loss}: a pattern`, text: text.slice(0, REJECTED_TEXT) });
    }
  }
  return { texts, rejections };
}

/** Asks the model once for all clusters. A text that loses or adds anything is refused, and the rules join the parts instead. */
export function createLlmMaintainer(options: LlmMaintainerOptions): Maintainer {
  const caller = options.caller ?? new StructuredCaller(options.model);
  const maxTokens = options.maxPromptTokens ?? DEFAULT_PROMPT_TOKENS;
  const rules = createRuleMaintainer();

  async function ask(shown: readonly Cluster[], run: StageRun) {
    const user = maintainUserPrompt(shown);
    try {
      const request = { name: "simplemem_maintain", schema, system: MAINTAIN_SYSTEM, user, fits, run };
      return judged(listOf((await caller.call(request)).value), shown);
    } catch (error) {
      if (!(error instanceof ModelOutputError)) throw error;
      run.logger.warn("patterns were joined by rules, since the model's reply could not be used");
      return {
        texts: new Map<Cluster, string>(),
        rejections: [{ reason: "no_patterns: the reply could not be used" }],
      };
    }
  }

  return {
    async condense({ clusters }, run): Promise<CondenseOutput> {
      const byRule = await rules.condense({ clusters }, run);
      const shown = shownWithin(clusters, maxTokens);
      if (shown.length === 0) return byRule;
      const { texts, rejections } = await ask(shown, run);
      const summaries = clusters.map((cluster, index): Summary => {
        const text = texts.get(cluster);
        return text === undefined ? (byRule.summaries[index] ?? null) : { text, by: "model" };
      });
      return { summaries, rejections };
    },
  };
}
