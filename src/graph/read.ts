import { END, START, StateGraph } from "@langchain/langgraph";
import { createAnswerErrorHandler, createAnswerNode } from "./answer-node.js";
import { isTransient } from "./deadline.js";
import { FailedCosts } from "./failed-costs.js";
import { createPlanNode, createReflectNode, createRetrieveNode } from "./read-nodes.js";
import { ReadState, type ReadStateType } from "./read-state.js";
import type { ReadServices } from "./services.js";

const retryPolicy = { maxAttempts: 2, initialInterval: 400, retryOn: isTransient, logWarning: false };

// Complexity from which coverage is judged: below it one round is the whole search, and one model call the whole cost.
const REFLECT_FROM = 0.5;

function afterRetrieve(state: ReadStateType): "reflect" | "answer" | typeof END {
  const isSimple = (state.currentPlan?.complexity ?? 0) < REFLECT_FROM || state.options.planning === "never";
  if (!isSimple) return "reflect";
  return state.wantsAnswer ? "answer" : END;
}

function afterReflect(state: ReadStateType): "retrieve" | "answer" | typeof END {
  if (state.nextQueries.length > 0) return "retrieve";
  return state.wantsAnswer ? "answer" : END;
}

/**
 * The read graph: plan → retrieve ⇄ reflect → answer. Invoke it with
 * `{ scope: { tenantId, userId, agentId }, question, wantsAnswer }`.
 */
export function createReadGraph(services: ReadServices) {
  const failed = new FailedCosts();
  return new StateGraph(ReadState)
    .addNode("plan", createPlanNode(services))
    .addNode("retrieve", createRetrieveNode(services))
    .addNode("reflect", createReflectNode(services))
    .addNode("answer", createAnswerNode(services, failed), {
      retryPolicy,
      errorHandler: createAnswerErrorHandler(services, failed),
    })
    .addEdge(START, "plan")
    .addEdge("plan", "retrieve")
    .addConditionalEdges("retrieve", afterRetrieve, ["reflect", "answer", END])
    .addConditionalEdges("reflect", afterReflect, ["retrieve", "answer", END])
    .addEdge("answer", END)
    .compile({ name: "simplemem_read" });
}
