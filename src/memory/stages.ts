import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { MaintainServices, ReadServices, WriteServices } from "../graph/index.js";
import { StructuredCaller } from "../models/index.js";
import { createLlmAnswerer, createRuleAnswerer } from "../stages/answer/index.js";
import { createLlmConsolidator, createRuleConsolidator } from "../stages/consolidate/index.js";
import { createLlmExtractor, createRuleExtractor } from "../stages/extract/index.js";
import { createLlmMaintainer, createRuleMaintainer } from "../stages/maintain/index.js";
import { createLlmPlanner, createRulePlanner, needsModel } from "../stages/plan/index.js";
import { createLlmReflector, createRuleReflector } from "../stages/reflect/index.js";
import { createWindower } from "../stages/window/index.js";
import type { ParsedOptions } from "./options.js";
import { redacting } from "./redacted.js";

/** The stages of one engine. */
export interface Stages {
  readonly write: Pick<WriteServices, "windower" | "extractor" | "consolidator">;
  readonly read: Pick<
    ReadServices,
    "planner" | "rulePlanner" | "needsModel" | "reflector" | "answerer" | "fallbackAnswerer"
  >;
  readonly maintain: Pick<MaintainServices, "maintainer">;
}

export interface StageTools {
  readonly countTokens: (text: string) => number;
  readonly redact: (text: string) => string;
}

/** A model, and what asks it. */
interface Asked {
  readonly model: BaseChatModel;
  readonly caller: StructuredCaller;
}

/** One caller per model instance: what a model refuses in one stage, it is not asked in another. */
class Callers {
  readonly #byModel = new Map<BaseChatModel, StructuredCaller>();

  of(model: BaseChatModel): Asked {
    const caller = this.#byModel.get(model) ?? new StructuredCaller(model);
    this.#byModel.set(model, caller);
    return { model, caller };
  }
}

/** The caller's own stage, else the one over the stage's model, else the one over the common model, else the rules. */
export function chooseStages(options: ParsedOptions, { countTokens, redact }: StageTools): Stages {
  const { stages = {}, llms = {}, llm } = options;
  const callers = new Callers();
  const pick = <T>(own: T | undefined, stage: keyof typeof llms, byModel: (asked: Asked) => T, byRule: () => T): T => {
    const model = llms[stage] ?? llm;
    return own ?? (model === undefined ? byRule() : byModel(callers.of(model)));
  };
  const { size, overlap, maxTokens } = options.window;
  const { maxPromptTokens } = options.limits;
  const rulePlanner = createRulePlanner();
  const extractor = pick(
    stages.extract,
    "extract",
    (asked) => createLlmExtractor({ ...asked, maxPromptTokens, redact }),
    createRuleExtractor,
  );
  return {
    write: {
      windower:
        stages.window ?? createWindower({ size, overlap, maxTokens, closeEarly: options.closesEarly, countTokens }),
      extractor: redacting(extractor, redact),
      consolidator: pick(
        stages.consolidate,
        "consolidate",
        (asked) => createLlmConsolidator({ ...asked, maxPromptTokens }),
        createRuleConsolidator,
      ),
    },
    read: {
      rulePlanner,
      needsModel,
      planner: pick(stages.plan, "plan", createLlmPlanner, () => rulePlanner),
      reflector: pick(stages.reflect, "reflect", createLlmReflector, createRuleReflector),
      answerer: pick(stages.answer, "answer", createLlmAnswerer, createRuleAnswerer),
      fallbackAnswerer: createRuleAnswerer(),
    },
    maintain: {
      maintainer: pick(
        stages.maintain,
        "maintain",
        (asked) => createLlmMaintainer({ ...asked, maxPromptTokens }),
        createRuleMaintainer,
      ),
    },
  };
}
