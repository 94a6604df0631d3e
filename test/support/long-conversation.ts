import { AIMessage, type BaseMessage, SystemMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { MemorySaver } from "@langchain/langgraph";
import { contextEditingMiddleware, countTokensApproximately, createAgent, summarizationMiddleware } from "langchain";
import { simpleMemMiddleware } from "../../src/agents/middleware.js";
import { MEMORY_FENCE, type ScopedMemory } from "../../src/index.js";

/** One request to the model. */
export interface RequestRow {
  readonly turn: number;
  /** Tokens of the request without what was injected, over the window. */
  readonly fill: number;
  readonly injectedTokens: number;
  readonly totalTokens: number;
}

export interface LongConversation {
  readonly memory: ScopedMemory;
  readonly turns: number;
  /** Tokens of the model's window. */
  readonly window: number;
  /** Where context editing stands; absent: nowhere. */
  readonly editing?: "before" | "after";
}

export const DECISION = { turn: 5, asked: 290, detail: "RAL 6005" };

const PLACES = ["the orchard", "the boat shed", "the mill", "the greenhouse", "the attic", "the harbour"];
const WORKS = ["sorted the rope", "measured the beams", "counted the jars", "oiled the hinges", "swept the floor"];

function userText(turn: number, turns: number): string {
  if (turn === DECISION.turn) return `We decided to paint the boathouse door in the colour ${DECISION.detail}.`;
  if (turn === Math.min(DECISION.asked, turns)) return "Which colour did we decide on for the boathouse door?";
  const place = PLACES[turn % PLACES.length];
  const work = WORKS[turn % WORKS.length];
  return `On day ${turn} I ${work} in ${place} and needed ${turn * 7} minutes for it. It rained a little, and afterwards I wrote down what was still missing, which took until the evening of that day.`;
}

function replyTo(messages: readonly BaseMessage[]): string {
  const question = messages.at(-1)?.text ?? "";
  const known = messages[0]?.getType() === "system" ? messages[0].text : "";
  if (question.startsWith("Which colour")) return known.match(/RAL \d+/)?.[0] ?? "I do not know.";
  return "That sounds like a full day of work, and the list of what is missing will help when you plan the next one.";
}

function rowOf(turn: number, window: number, messages: BaseMessage[]): RequestRow {
  const total = countTokensApproximately(messages);
  const block = (messages[0]?.text ?? "").split(MEMORY_FENCE.open)[1];
  const injected = block === undefined ? 0 : countTokensApproximately([new SystemMessage(MEMORY_FENCE.open + block)]);
  return { turn, fill: (total - injected) / window, injectedTokens: injected, totalTokens: total };
}

/** Talks for so many turns with an agent whose history is summarized, and tells what each request took. */
export async function talkAtLength(options: LongConversation): Promise<{ rows: RequestRow[]; answer: string }> {
  const { memory, turns, window, editing } = options;
  const model = fakeModel();
  const summarizer = fakeModel();
  for (let turn = 0; turn < turns; turn++) {
    model.respond((messages) => new AIMessage(replyTo(messages)));
    summarizer.respond(new AIMessage("The user told of work in several places."));
  }
  const summarization = summarizationMiddleware({
    model: summarizer,
    trigger: { tokens: window * 0.85 },
    keep: { messages: 12 },
  });
  const ours = simpleMemMiddleware({ memory, maxInputTokens: window });
  const edits = contextEditingMiddleware();
  const middleware =
    editing === undefined
      ? ([summarization, ours] as const)
      : editing === "before"
        ? ([edits, summarization, ours] as const)
        : ([ours, summarization, edits] as const);
  const agent = createAgent({
    model,
    tools: [],
    middleware,
    checkpointer: new MemorySaver(),
    systemPrompt: "Be brief.",
  });
  const rows: RequestRow[] = [];
  let answer = "";
  for (let turn = 1; turn <= turns; turn++) {
    const { messages } = await agent.invoke(
      { messages: [{ role: "user", content: userText(turn, turns) }] },
      { configurable: { thread_id: "long" } },
    );
    rows.push(rowOf(turn, window, model.calls.at(-1)?.messages ?? []));
    if (userText(turn, turns).startsWith("Which colour")) answer = messages.at(-1)?.text ?? "";
  }
  return { rows, answer };
}
