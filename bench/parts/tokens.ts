import { existsSync } from "node:fs";
import { meanOf } from "../../src/eval/bootstrap.js";
import { type EvalConversation, turnsOf } from "../../src/eval/conversation.js";
import { type Found, readChats, readLocomo } from "../../src/eval/index.js";
import { recallWithin, tokensOf } from "../../src/eval/measures.js";
import { openSpace } from "../../src/eval/space.js";
import { LocalEmbeddings } from "../../src/models/index.js";
import { cosine } from "../../src/store/index.js";
import { inFreshFolder } from "../suite/folders.js";
import { rounded } from "../suite/numbers.js";
import type { BenchOptions, BenchTable, Part, Target } from "../suite/part.js";

const CHATS = "test/fixtures/chats";
/** Tokens of what is put before a model: words × 1.33, as in the evaluation. */
const BUDGETS = [125, 250, 500, 1_000, 2_000];
const HITS = 50;

/** Everything that was found for a question, best first, and what would have to be. */
interface Question {
  readonly evidence: readonly string[];
  readonly ours: readonly Found[];
  readonly raw: readonly Found[];
  /** Tokens of the whole conversation. */
  readonly history: number;
}

function conversationsOf({ locomo, files }: BenchOptions): EvalConversation[] {
  return existsSync(locomo) ? readLocomo(locomo, files) : readChats(CHATS, files);
}

/** RAG over the turns as they were said: the nearest first, with the same embedder. */
function rawSearch(conversation: EvalConversation): (question: string) => Found[] {
  const embeddings = new LocalEmbeddings();
  const turns = turnsOf(conversation).map(({ id, speaker, content }) => {
    const text = `${speaker}: ${content}`;
    return { text, sourceIds: [id], vector: embeddings.embedSync(text) };
  });
  return (question) => {
    const asked = embeddings.embedSync(question);
    const scored = turns.map((turn) => ({ turn, score: cosine(asked, turn.vector) }));
    return scored.sort((left, right) => right.score - left.score).map(({ turn }) => turn);
  };
}

async function ask(conversation: EvalConversation, folder: string): Promise<Question[]> {
  const { memory, close } = await openSpace({ name: conversation.name, conversations: [conversation] }, { folder });
  const raw = rawSearch(conversation);
  const history = turnsOf(conversation).reduce(
    (sum, { speaker, content }) => sum + tokensOf(`${speaker}: ${content}`),
    0,
  );
  const asked: Question[] = [];
  for (const { question, answer, evidence } of conversation.questions) {
    if (answer === null || evidence.length === 0) continue;
    const { hits } = await memory.search(question, { k: HITS });
    asked.push({ evidence, ours: hits, raw: raw(question), history });
  }
  await close();
  return asked;
}

type Way = (question: Question) => readonly Found[];

function recallAt(questions: readonly Question[], way: Way, budget: number): number {
  return meanOf(questions.map((question) => recallWithin(way(question), question.evidence, budget)));
}

/** The least budget, to one percent, at which raw turns reach a recall. */
function budgetFor(questions: readonly Question[], recall: number): number {
  const raw: Way = (question) => question.raw;
  let [low, high] = [1, Math.max(...questions.map(({ history }) => history))];
  while (high - low > high / 100) {
    const middle = (low + high) / 2;
    if (recallAt(questions, raw, middle) >= recall) high = middle;
    else low = middle;
  }
  return high;
}

function rowsOf(questions: readonly Question[]): BenchTable["rows"] {
  const history = meanOf(questions.map((question) => question.history));
  return BUDGETS.map((budget) => {
    const recall = recallAt(questions, ({ ours }) => ours, budget);
    const same = budgetFor(questions, recall);
    return {
      "tokens of memory": budget,
      recall: rounded(recall),
      "recall of raw turns": rounded(recallAt(questions, ({ raw }) => raw, budget)),
      "tokens that raw turns need for ours": Math.round(same),
      "raw ÷ ours": rounded(same / budget),
      "full history": Math.round(history),
      "history ÷ ours": rounded(history / budget),
    };
  });
}

/** What a question costs in tokens of its prompt, beside the whole history and beside raw turns that were found by meaning. */
export const tokens: Part = async (options) => {
  const conversations = conversationsOf(options);
  const questions = await inFreshFolder(async (folder) => {
    const all: Question[] = [];
    for (const conversation of conversations) all.push(...(await ask(conversation, folder)));
    return all;
  });
  const rows = rowsOf(questions);
  const at = rows.find((row) => row["tokens of memory"] === 1_000);
  const targets: Target[] = [
    {
      what: "full history ÷ 1,000 tokens of memory",
      measured: Number(at?.["history ÷ ours"]),
      limit: 1,
      atLeast: true,
    },
    {
      what: "raw turns ÷ ours, at the recall of 1,000 tokens",
      measured: Number(at?.["raw ÷ ours"]),
      limit: 1,
      atLeast: true,
    },
  ];
  const names = conversations.map(({ name }) => name).join(", ");
  return { tables: [{ title: `Tokens a question: ${questions.length} questions about ${names}`, rows }], targets };
};
