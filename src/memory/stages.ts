import type { ReadServices, WriteServices } from "../graph/index.js";
import { createLlmAnswerer, createRuleAnswerer } from "../stages/answer/index.js";
import { createLlmConsolidator, createRuleConsolidator } from "../stages/consolidate/index.js";
import { createLlmExtractor, createRuleExtractor } from "../stages/extract/index.js";
import { createLlmPlanner, createRulePlanner, needsModel } from "../stages/plan/index.js";
import { createLlmReflector, createRuleReflector } from "../stages/reflect/index.js";
import { createWindower } from "../stages/window/index.js";
import type { ParsedOptions } from "./options.js";

/** The stages of one engine. */
export interface Stages {
  readonly write: Pick<WriteServices, "windower" | "extractor" | "consolidator">;
  readonly read: Pick<ReadServices, "planner" | "rulePlanner" | "needsModel" | "reflector" | "answerer">;
}

/** The caller's own stage, else the one over the stage's model, else the one over the common model, else the rules. */
export function chooseStages(options: ParsedOptions, countTokens: (text: string) => number): Stages {
  const { stages = {}, llms = {}, llm } = options;
  const pick = <T>(
    own: T | undefined,
    model: typeof llm,
    byModel: (model: NonNullable<typeof llm>) => T,
    byRule: () => T,
  ): T => own ?? (model === undefined ? byRule() : byModel(model));
  const { size, overlap, maxTokens } = options.window;
  const rulePlanner = createRulePlanner();
  return {
    write: {
      windower:
        stages.window ?? createWindower({ size, overlap, maxTokens, closeEarly: options.closesEarly, countTokens }),
      extractor: pick(
        stages.extract,
        llms.extract ?? llm,
        (model) => createLlmExtractor({ model }),
        createRuleExtractor,
      ),
      consolidator: pick(
        stages.consolidate,
        llms.consolidate ?? llm,
        (model) => createLlmConsolidator({ model }),
        createRuleConsolidator,
      ),
    },
    read: {
      rulePlanner,
      needsModel,
      planner: pick(
        stages.plan,
        llms.plan ?? llm,
        (model) => createLlmPlanner({ model }),
        () => rulePlanner,
      ),
      reflector: pick(
        stages.reflect,
        llms.reflect ?? llm,
        (model) => createLlmReflector({ model }),
        createRuleReflector,
      ),
      answerer: pick(stages.answer, llms.answer ?? llm, (model) => createLlmAnswerer({ model }), createRuleAnswerer),
    },
  };
}
