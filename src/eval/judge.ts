import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { Asked } from "./ask.js";

const INSTRUCTION =
  "You grade an answer against the right one. Say YES when it states the same, in whatever words and however much longer; " +
  "a date counts when it means the same day or span. Otherwise say NO. Reply with one word.";

/** Asks a model about every answer that was given; an abstention is wrong without asking. */
export async function judgeAnswers(asked: readonly Asked[], model: BaseChatModel): Promise<Map<Asked, boolean>> {
  const verdicts = new Map<Asked, boolean>();
  for (const one of asked) {
    const { question, answer } = one;
    if (answer === undefined || question.answer === null) continue;
    if (answer.abstained) {
      verdicts.set(one, false);
      continue;
    }
    const reply = await model.invoke([
      ["system", INSTRUCTION],
      ["human", `Question: ${question.question}\nRight answer: ${question.answer}\nAnswer to grade: ${answer.answer}`],
    ]);
    verdicts.set(one, /^\W*yes\b/i.test(reply.text));
  }
  return verdicts;
}
