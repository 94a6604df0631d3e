import { readFile, writeFile } from "node:fs/promises";
import { SimpleMem, type SimpleMemOptions, type TurnInput, type Usage } from "../src/index.js";
import { estimateTokens } from "../src/models/index.js";
import { ANSWER_SYSTEM } from "../src/stages/answer/prompt.js";
import type { Consolidator } from "../src/stages/consolidate/consolidator.js";
import { PLAN_SYSTEM } from "../src/stages/plan/prompt.js";
import { REFLECT_SYSTEM } from "../src/stages/reflect/prompt.js";
import { CostsModel } from "./costs-model.js";

/**
 * Counts calls and tokens of models, with a scripted model, on the conversation of the demo, and writes docs/costs.md:
 * our defaults beside the procedure of the reference system. Nothing depends on the machine or the clock.
 *
 * npm run costs
 */
const PAGE = new URL("../docs/costs.md", import.meta.url);
const TURNS = new URL("../examples/data/conversation.json", import.meta.url);

const clock = (): number => Date.parse("2025-07-01T12:00:00Z");

interface Kind {
  readonly name: string;
  readonly questions: readonly string[];
  /** Calls of the reference system: three to plan, rounds of judging and asking again, one to answer. */
  readonly referenceJudgings: number;
  readonly referenceAskings: number;
}

const KINDS: readonly Kind[] = [
  {
    name: "simple",
    questions: ["Where does Joren live?", "What is the name of Marta's dog?", "Where does Marta work?"],
    referenceJudgings: 1,
    referenceAskings: 0,
  },
  {
    name: "temporal",
    questions: ["When did Joren move to Tarnwick?", "What did Marta do in April 2025?", "When is the concert?"],
    referenceJudgings: 2,
    referenceAskings: 1,
  },
  {
    name: "multi-hop",
    questions: [
      "Why did Marta and Joren change their plan after the concert?",
      "Which hobbies do both Marta and Joren have, and since when?",
      "What are all the things that Marta and Joren bought before the trip?",
    ],
    referenceJudgings: 2,
    referenceAskings: 2,
  },
];

/** What the reference system shows a model of what it found: 25 by meaning, 5 by words, 5 by structure. */
const REFERENCE_FACTS = 35;
const REFERENCE_PLANNING_CALLS = 3;
const PLAN_REPLY_TOKENS = 80;
const JUDGE_REPLY_TOKENS = 40;

interface Cost {
  readonly calls: number;
  readonly prompt: number;
  readonly completion: number;
}

function costOf({ modelCalls, promptTokens, completionTokens }: Usage): Cost {
  return { calls: modelCalls, prompt: promptTokens, completion: completionTokens };
}

function mean(costs: readonly Cost[]): Cost {
  const of = (key: keyof Cost): number => costs.reduce((sum, cost) => sum + cost[key], 0) / costs.length;
  return { calls: of("calls"), prompt: of("prompt"), completion: of("completion") };
}

/** The reference system's windows: 40 turns, of which two were in the window before. */
const REFERENCE_WINDOW = { size: 38, overlap: 2, idleMs: 0 } as const;

/** What the reference system does with what it extracts: it adds it. */
const ADD_ALL: Consolidator = {
  consolidate: async ({ items }) => ({ decisions: items.map(() => ({ op: "add" as const })), rejections: [] }),
};

function withoutSession({ sessionId, ...turn }: TurnInput): TurnInput {
  return turn;
}

interface Written {
  readonly cost: Cost;
  readonly windows: number;
}

/** What it costs to write the turns, per 100 of them. */
async function writingCost(turns: readonly TurnInput[], options: Partial<SimpleMemOptions>): Promise<Written> {
  await using simplemem = await SimpleMem.open({ uri: "memory://", clock, window: { idleMs: 0 }, ...options });
  const memory = simplemem.scope({ userId: "costs" });
  await memory.add(turns);
  const { usage, windows } = await memory.flush();
  const { calls, prompt, completion } = costOf(usage);
  const per100 = 100 / turns.length;
  return {
    cost: { calls: calls * per100, prompt: prompt * per100, completion: completion * per100 },
    windows: windows.stored,
  };
}

/** The reference procedure on one question, with our prompts in the place of its own, which are longer. */
function referenceCost(kind: Kind, question: string, factTokens: number): Cost {
  const asked = estimateTokens(question);
  const facts = REFERENCE_FACTS * factTokens;
  const planning = REFERENCE_PLANNING_CALLS * (estimateTokens(PLAN_SYSTEM) + asked + PLAN_REPLY_TOKENS);
  const judgings = kind.referenceJudgings + kind.referenceAskings;
  const judging = judgings * (estimateTokens(REFLECT_SYSTEM) + asked + facts);
  const answering = estimateTokens(ANSWER_SYSTEM) + asked + facts;
  return {
    calls: REFERENCE_PLANNING_CALLS + judgings + 1,
    prompt: planning + judging + answering,
    completion: REFERENCE_PLANNING_CALLS * PLAN_REPLY_TOKENS + (judgings + 1) * JUDGE_REPLY_TOKENS,
  };
}

function row(name: string, { calls, prompt, completion }: Cost): string {
  return `| ${name} | ${Number(calls.toFixed(1))} | ${Math.round(prompt)} | ${Math.round(completion)} |`;
}

const HEAD = "| | calls | prompt tokens | completion tokens |\n|---|---|---|---|";

/** What the page tells of writing. */
interface Writing {
  readonly ours: Written;
  readonly byRules: Written;
  readonly reference: Written;
}

function writingRows({ ours, byRules, reference }: Writing): string {
  return [
    row("our defaults", ours.cost),
    row("ours, compared by rules (`llms: { extract }`)", byRules.cost),
    row("reference procedure", reference.cost),
  ].join("\n");
}

function page(writing: Writing, rows: readonly string[], turns: number): string {
  return `# What models cost

Made by \`npm run costs\`: the ${turns} turns of the demo's conversation, a scripted model that answers in the usual form and length, tokens
by the library's own estimate. A real model's counts differ; \`usage\` in every receipt and \`totals\` in \`stats()\` hold what it reported.

## Writing 100 turns

${HEAD}
${writingRows(writing)}

Ours: ${writing.ours.windows} windows for ${turns} turns, one call for each, and one more where stored neighbours exist that the rules cannot place. The prompt does not grow
with the store: at most ten known facts and two earlier turns are shown.
A second call for a window is made when entries break a rule that the model can mend, and up to six when a reply is cut off.

The reference procedure: ${writing.reference.windows} windows of 40 turns, two of them shared with the window before, one call for each, counted with our prompt in the place of
its own, on the same conversation with the same model. It knows no sessions and compares nothing with what it knows, so that it makes fewer
calls, and keeps what repeats or is no longer true. A window whose replies cannot be used costs it three calls and is dropped; it costs
ours two in a flush, six in all, and is kept.

## One question

${HEAD}
${rows.join("\n")}

The reference procedure plans in three calls (what is needed, queries, their analysis), judges what was found, asks again for what
is missing, and answers: 5 to 8 calls, with 35 facts shown to each that reads. Its rows are counted with our prompts in the place of
its own. Ours: rules plan a simple question, and the one call is the answer; a question that joins facts or points back is planned by one
call, judged by at most two, and answered by one. \`search\` and \`context\` make no answer, and so one call fewer.

## Caps

| option | default | what happens beyond it |
|---|---|---|
| \`limits.maxCallsPerFlush\` | none | windows that were not come to stay pending, and no try is counted |
| \`limits.maxPromptTokens\` | 4,000 | a window takes several calls; a huge turn is shown in pieces |
| \`limits.maxConcurrency\` | 4 | windows wait |
| \`limits.stageTimeoutMs\` | 120,000 | the call is aborted; the window stays pending, a question is planned or answered by rules |
| \`limits.tries\` | 3 | the window is \`failed\`, listed, and taken up by \`flush({ retryFailed: true })\` |
| \`limits.maxReflectionRounds\` | 2 | what was found is taken as it is |

Models are called with \`maxRetries: 0\` where they take it: a failed call is tried once more within a flush, by the library, and counted in
\`usage.retries\`. After three time-outs or nine other failures to reach a model in a row it is left alone for 30 seconds, and so is one kind of
call that fails so often while others are answered: windows stay pending, questions are planned and answered by rules, and the
result says \`degraded\`. A call that is left behind at a time limit is counted.

## What becomes of an entry that fails a check

1. No entry, blank, ill-formed, from the prompt itself, the assistant's words put in the user's mouth, a preference that was only asked
   about: rejected, and counted in \`rejections\` with its reason.
2. A pronoun, a relative time, a date that is none, a lost negation or condition, another language: sent back to the model once, with
   all such entries of the window in one call.
3. What still fails then, and a number, name or condition that no turn bears out: kept with confidence 0.5, and the attribute \`doubt\` says why.

The same checks hold for entries that the rules wrote. There is nobody to send them back to: what falls under 1, and a date that is none, is
rejected; everything else is kept with confidence 0.4, and the attribute \`doubt\` says why. An entry that rests on the assistant's own words has
\`sourceRole: "assistant"\`.
`;
}

async function questionRows(turns: readonly TurnInput[], model: CostsModel): Promise<string[]> {
  await using simplemem = await SimpleMem.open({ uri: "memory://", llm: model, clock, window: { idleMs: 0 } });
  const memory = simplemem.scope({ userId: "costs" });
  await memory.add(turns);
  await memory.flush();
  const { items } = await memory.list();
  const tokens = items.map((entry) => estimateTokens(entry.losslessRestatement) + 8);
  const factTokens = tokens.reduce((sum, count) => sum + count, 0) / items.length;
  const rows: string[] = [];
  for (const kind of KINDS) {
    const ours: Cost[] = [];
    for (const question of kind.questions) ours.push(costOf((await memory.ask(question)).usage));
    const theirs = kind.questions.map((question) => referenceCost(kind, question, factTokens));
    rows.push(row(`${kind.name}, our defaults`, mean(ours)), row(`${kind.name}, reference procedure`, mean(theirs)));
  }
  return rows;
}

async function main(): Promise<void> {
  const turns: TurnInput[] = JSON.parse(await readFile(TURNS, "utf8"));
  const hard = new Set(KINDS.at(-1)?.questions);
  const newModel = (): CostsModel =>
    new CostsModel((prompt) => [...hard].some((question) => prompt.includes(question)));
  const writing: Writing = {
    ours: await writingCost(turns, { llm: newModel() }),
    byRules: await writingCost(turns, { llms: { extract: newModel() } }),
    reference: await writingCost(turns.map(withoutSession), {
      llm: newModel(),
      window: REFERENCE_WINDOW,
      stages: { consolidate: ADD_ALL },
    }),
  };
  const rows = await questionRows(turns, newModel());
  await writeFile(PAGE, page(writing, rows, turns.length));
  console.log(`${HEAD}\n${writingRows(writing)}\n${rows.join("\n")}`);
}

await main();
