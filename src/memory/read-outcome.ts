import { type Answer, emptyUsage } from "../records/index.js";
import type { Engine } from "./engine.js";

/** The part of the read graph's state that an answer is made of. */
export type ReadOutcome = Pick<
  Awaited<ReturnType<Engine["readGraph"]["invoke"]>>,
  "hits" | "reply" | "brokenOff" | "degraded" | "usage"
>;

/** A piece of an answer, among what the read graph reports. */
export function isPiece(event: unknown): event is { readonly type: "answer_piece"; readonly text: string } {
  return typeof event === "object" && event !== null && "type" in event && event.type === "answer_piece";
}

/** What `ask` gives of it. */
export function toAnswer({ reply, hits, degraded, usage }: ReadOutcome): Answer {
  const cited = new Set(reply?.citedIds ?? []);
  return {
    answer: reply?.answer ?? "",
    abstained: reply?.abstained ?? true,
    ...(reply?.reason === undefined ? {} : { reason: reply.reason }),
    confidence: reply?.confidence ?? 0,
    citations: hits.filter((hit) => cited.has(hit.id)).map(({ id, sourceIds }) => ({ id, sourceIds })),
    hits,
    ...(degraded === null ? {} : { degraded }),
    usage,
  };
}

/** What a blank question finds. */
export function emptyRead(question: string) {
  return {
    hits: [],
    rounds: 1,
    degraded: null,
    reply: null,
    brokenOff: null,
    usage: emptyUsage(),
    currentPlan: {
      question,
      queries: [question],
      keywords: [],
      persons: [],
      entities: [],
      location: null,
      timeRange: null,
      questionType: "open" as const,
      complexity: 0,
      depth: 3,
      source: "rules" as const,
    },
  };
}
