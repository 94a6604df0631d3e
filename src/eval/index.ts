export { readChats } from "./chats.js";
export { type Console, EVAL_HELP, evalCommand, evalReport, locomoFolder } from "./command.js";
export type { EvalConversation, EvalFact, EvalQuestion, EvalSession, EvalTurn } from "./conversation.js";
export { type EvalOptions, type EvalReport, evaluate } from "./evaluate.js";
export { readLocomo } from "./locomo.js";
export { type Found, retrievalScores } from "./measures.js";
export { printReport } from "./table.js";
