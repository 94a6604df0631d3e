import { isGraphBubbleUp, type NodeError } from "@langchain/langgraph";
import { emptyUsage, SimpleMemError } from "../records/index.js";
import { renderNumberedBlock } from "../retrievers/index.js";
import type { AnswerInput, AnswerOutput } from "../stages/answer/answerer.js";
import type { StageRun } from "../stages/run.js";
import { errorLine, withDeadline } from "./deadline.js";
import type { FailedCosts } from "./failed-costs.js";
import { type NodeRuntime, report } from "./progress.js";
import type { ReadStateType, ReadUpdate } from "./read-state.js";
import type { ReadServices } from "./services.js";

/** What is told as the reason for a lesser answer. */
const BY_RULES = "the model failed; answered by rules";

function inputOf(services: ReadServices, state: ReadStateType): AnswerInput | null {
  const { currentPlan: plan, question, hits } = state;
  if (plan === null) return null;
  return { question, plan, hits, contextBlock: renderNumberedBlock(hits), timeZone: services.timeZone };
}

function workOf({ scope, question }: ReadStateType): string {
  return JSON.stringify([scope, question]);
}

/** A failure after the first piece: a second try, or the rules, would say another beginning. */
class BrokenOffError extends SimpleMemError {
  override readonly name = "BrokenOffError";
  readonly told: string;

  constructor(cause: unknown) {
    const told = `the answer broke off: ${errorLine(cause)}`;
    super(told, { cause });
    this.told = told;
  }
}

/** Tells the pieces as they come. */
async function streamed(
  services: ReadServices,
  input: AnswerInput,
  run: StageRun,
  tell: (text: string) => void,
): Promise<AnswerOutput> {
  const pieces = services.answerer.stream?.(input, run);
  if (pieces === undefined) {
    const output = await services.answerer.answer(input, run);
    if (output.answer !== "") tell(output.answer);
    return output;
  }
  for (let next = await pieces.next(); ; next = await pieces.next()) {
    if (next.done === true) return next.value;
    tell(next.value);
  }
}

/** Answers from the hits only. */
export function createAnswerNode(services: ReadServices, failed: FailedCosts) {
  return async (state: ReadStateType, runtime?: NodeRuntime): Promise<ReadUpdate> => {
    const input = inputOf(services, state);
    if (input === null) return {};
    const usage = failed.takeForRetry(workOf(state));
    const context = { usage, logger: services.logger, now: services.clock };
    const { stageTimeoutMs } = services.limits;
    let hasTold = false;
    const tell = (text: string): void => {
      hasTold = true;
      report(runtime, { type: "answer_piece", text });
    };
    try {
      const reply = await withDeadline("answer", stageTimeoutMs, runtime?.signal, context, (run) =>
        state.streamsAnswer ? streamed(services, input, run, tell) : services.answerer.answer(input, run),
      );
      return { reply, usage };
    } catch (error) {
      failed.keep(workOf(state), usage);
      throw hasTold ? new BrokenOffError(error) : error;
    }
  };
}

/**
 * After the last try: the rules answer, and the result says so. An answer that broke off while it was told is noted, for
 * its reader to raise: LangGraph takes an error that is thrown on from here for a handled one, and its cost would be lost.
 */
export function createAnswerErrorHandler(services: ReadServices, failed: FailedCosts) {
  return async (state: ReadStateType, failure: NodeError, runtime?: NodeRuntime): Promise<ReadUpdate> => {
    const { error } = failure;
    const usage = failed.take(workOf(state));
    if (isGraphBubbleUp(error)) throw error;
    if (runtime?.signal?.aborted === true) throw runtime.signal.reason;
    if (error instanceof BrokenOffError) return { brokenOff: error.told, usage };
    const input = inputOf(services, state);
    if (input === null) return { usage };
    services.logger.warn(BY_RULES, { error: errorLine(error) });
    const run = { usage: emptyUsage(), logger: services.logger, now: services.clock };
    const reply = await services.fallbackAnswerer.answer(input, run);
    if (state.streamsAnswer && reply.answer !== "") report(runtime, { type: "answer_piece", text: reply.answer });
    return { reply, degraded: state.degraded ?? BY_RULES, usage };
  };
}
