import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { type FakeBuiltModel, fakeModel } from "@langchain/core/testing";
import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import {
  type AgentMiddleware,
  ClearToolUsesEdit,
  contextEditingMiddleware,
  countTokensApproximately,
  createAgent,
  summarizationMiddleware,
} from "langchain";
import { z } from "zod/v4";
import { MEMORY_FENCE } from "../../src/index.js";

/** A middleware of the agent; "memory" is ours. The first one is outermost. */
export type Layer = "summarization" | "editing" | "memory";

export interface LongConversation {
  readonly turns: number;
  /** Tokens of the model's window. */
  readonly window: number;
  readonly layers: readonly Layer[];
  /** Stands where `layers` says "memory". */
  readonly memory?: AgentMiddleware;
}

/** One request to the model. */
export interface RequestRow {
  readonly turn: number;
  /** Tokens of the request without what was injected, over the window. */
  readonly fill: number;
  readonly injectedTokens: number;
  readonly totalTokens: number;
}

export interface Talk {
  readonly rows: readonly RequestRow[];
  /** What the agent answered when it was asked for the decision. */
  readonly answer: string;
  /** Every request to the model, as text. */
  readonly requests: readonly string[];
}

/** What is decided early, and long since summarized away when it is asked for. */
export const DECISION = { turn: 5, detail: "RAL 6005" };
const QUESTION = "Which colour did we decide on for the boathouse door?";

/** Turn 290 of 300; in a shorter talk the last but ten. */
export function askedIn(turns: number): number {
  return turns - 10;
}

/** Every so many turns the agent looks something up, and gets a long result. */
const LOOKS_UP_EVERY = 3;
export const TOOL_NOISE = "ledger-line-4711";

const lookUp = tool(async () => `${TOOL_NOISE} `.repeat(40).trim(), {
  name: "look_up",
  description: "The ledger of one day.",
  schema: z.object({ day: z.number() }),
});

const PLACES = ["the orchard", "the boat shed", "the mill", "the greenhouse", "the attic", "the harbour"];
const WORKS = ["sorted the rope", "measured the beams", "counted the jars", "oiled the hinges", "swept the floor"];

function userText(turn: number, turns: number): string {
  if (turn === DECISION.turn) return `We decided to paint the boathouse door in the colour ${DECISION.detail}.`;
  if (turn === askedIn(turns)) return QUESTION;
  const place = PLACES[turn % PLACES.length];
  const work = WORKS[turn % WORKS.length];
  return `On day ${turn} I ${work} in ${place} and needed ${turn * 7} minutes for it. It rained a little, and afterwards I wrote down what was still missing, which took until the evening of that day.`;
}

function systemTextOf(messages: readonly BaseMessage[]): string {
  const first = messages[0];
  return first?.getType() === "system" ? first.text : "";
}

function replyTo(messages: readonly BaseMessage[]): string {
  if (messages.at(-1)?.text === QUESTION) return systemTextOf(messages).match(/RAL \d+/)?.[0] ?? "I do not know.";
  return "That sounds like a full day of work, and the list of what is missing will help when you plan the next one.";
}

/** Answers each turn; in some it uses the tool first. */
function scriptedModel(turns: number): FakeBuiltModel {
  const model = fakeModel();
  for (let turn = 1; turn <= turns; turn++) {
    if (turn % LOOKS_UP_EVERY === 0 && turn !== askedIn(turns)) {
      const call = { name: lookUp.name, args: { day: turn }, id: `call-${turn}`, type: "tool_call" } as const;
      model.respond(new AIMessage({ content: "", tool_calls: [call], id: `t${turn}` }));
    }
    model.respond((messages) => new AIMessage({ content: replyTo(messages), id: `a${turn}` }));
  }
  return model;
}

function summarizer(turns: number): FakeBuiltModel {
  const model = fakeModel();
  for (let turn = 0; turn < turns; turn++) model.respond(new AIMessage("The user told of work in several places."));
  return model;
}

function middlewareOf({ layers, memory, turns, window }: LongConversation): AgentMiddleware[] {
  return layers.flatMap((layer): AgentMiddleware[] => {
    if (layer === "memory") return memory === undefined ? [] : [memory];
    if (layer === "editing") {
      return [
        contextEditingMiddleware({
          edits: [new ClearToolUsesEdit({ trigger: { tokens: window / 4 }, keep: { messages: 1 } })],
        }),
      ];
    }
    const trigger = { tokens: window * 0.85 };
    return [summarizationMiddleware({ model: summarizer(turns), trigger, keep: { messages: 12 } })];
  });
}

function rowOf(turn: number, window: number, messages: BaseMessage[]): RequestRow {
  const total = countTokensApproximately(messages, [lookUp]);
  const block = systemTextOf(messages).split(MEMORY_FENCE.open)[1];
  const injected = block === undefined ? 0 : countTokensApproximately([new SystemMessage(MEMORY_FENCE.open + block)]);
  return { turn, fill: (total - injected) / window, injectedTokens: injected, totalTokens: total };
}

/** All of the messages but their ids, which are made up anew in each talk. */
function asText(messages: readonly BaseMessage[]): string {
  return JSON.stringify(messages.map((message) => ({ ...message.toDict().data, id: null, type: message.getType() })));
}

/** Talks for so many turns with an agent whose window is small, and tells what each request took. */
export async function talkAtLength(talk: LongConversation): Promise<Talk> {
  const { turns, window } = talk;
  const model = scriptedModel(turns);
  const agent = createAgent({
    model,
    tools: [lookUp],
    middleware: middlewareOf(talk),
    checkpointer: new MemorySaver(),
    systemPrompt: "Be brief.",
  });
  const rows: RequestRow[] = [];
  let answer = "";
  for (let turn = 1; turn <= turns; turn++) {
    const message = new HumanMessage({ content: userText(turn, turns), id: `h${turn}` });
    const { messages } = await agent.invoke({ messages: [message] }, { configurable: { thread_id: "long" } });
    for (const call of model.calls.slice(rows.length)) rows.push(rowOf(turn, window, call.messages));
    if (turn === askedIn(turns)) answer = messages.at(-1)?.text ?? "";
  }
  return { rows, answer, requests: model.calls.map(({ messages }) => asText(messages)) };
}
