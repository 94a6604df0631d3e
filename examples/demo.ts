import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { showcase } from "../src/cli/demo/showcase.js";
import { type MemoryEntry, type ScopedMemory, SimpleMem } from "../src/index.js";
import { type DemoData, loadLocomo, loadOwnData } from "./demo/data.js";
import { modelFromEnvironment } from "./demo/model.js";
import { aside, heading, overwrite, progressBar, sideBySide, spokenAt } from "./demo/print.js";
import { evidenceRecall } from "./demo/recall.js";
import { type Asked, askOne, fill, historyTokens } from "./demo/run.js";

const SHOWN_TURNS = 8;
const SHOWN_QUESTIONS = 10;
const DEPTHS = [5, 10, 20];
const PAGE = 500;

/** Adds the conversation behind a progress line. @throws Error when a model failed; the turns are kept */
async function remember(memory: ScopedMemory, { turns }: DemoData): Promise<void> {
  const started = performance.now();
  const report = await fill(memory, turns, (done, total) => overwrite(`Remembering ${progressBar(done, total)}`));
  overwrite("");
  const failure = report.failures[0];
  if (failure !== undefined) {
    throw new Error(`the model failed, and the turns wait in the store: ${failure.error.split("\n")[0]}`);
  }
  console.log(`Remembered ${turns.length} turns in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}

async function allFacts(memory: ScopedMemory): Promise<MemoryEntry[]> {
  const facts: MemoryEntry[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await memory.list({ limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    facts.push(...page.items);
    if (page.cursor === undefined) return facts;
    cursor = page.cursor;
  }
}

async function printFacts(memory: ScopedMemory, { turns }: DemoData): Promise<void> {
  const facts = await allFacts(memory);
  console.log(heading(`\n1. What was said, and what is remembered (${turns.length} turns, ${facts.length} facts)\n`));
  for (const { turn, facts: became } of showcase(turns, facts, SHOWN_TURNS)) {
    console.log(sideBySide(`${turn.speaker}: ${turn.content}`, became.join(" ")));
    console.log("");
  }
}

function printAnswer({ question, answer, tokens }: Asked, data: DemoData, total: number): void {
  console.log(`Q  ${question.question}`);
  console.log(`A  ${answer.abstained ? `I do not know. ${answer.reason ?? ""}` : heading(answer.answer)}`);
  const cited = new Set(answer.citations.flatMap(({ sourceIds }) => sourceIds));
  for (const turn of data.turns.filter(({ id }) => cited.has(id)).slice(0, 2)) {
    console.log(aside(`   “${turn.content.replace(/\s+/g, " ").slice(0, 76)}”`));
    console.log(aside(`   ${turn.speaker}, ${spokenAt(turn.timestamp)}, turn ${turn.id}`));
  }
  console.log(aside(`   ${tokens} tokens read instead of ${total}\n`));
}

async function printAnswers(memory: ScopedMemory, data: DemoData): Promise<void> {
  const total = historyTokens(data);
  const asked: Asked[] = [];
  console.log(heading("2. Questions, each answered with the turn that proves it\n"));
  for (const question of data.questions.slice(0, SHOWN_QUESTIONS)) {
    const one = await askOne(memory, question);
    asked.push(one);
    printAnswer(one, data, total);
  }
  const mean = Math.round(asked.reduce((sum, { tokens }) => sum + tokens, 0) / Math.max(1, asked.length));
  const abstained = asked.filter(({ answer }) => answer.abstained).length;
  const share = Math.round((100 * mean) / Math.max(1, total));
  console.log(
    heading(
      `${asked.length - abstained} answered, ${abstained} abstained; ${mean} tokens a question, ${share} % of the full history.`,
    ),
  );
}

async function printRecall(memory: ScopedMemory, data: DemoData): Promise<void> {
  const known = new Set(data.turns.map(({ id }) => id));
  const rated = data.questions.filter(
    ({ abstain, evidence }) => !abstain && evidence.length > 0 && evidence.every((id) => known.has(id)),
  );
  const sums = DEPTHS.map(() => 0);
  for (const { question, evidence } of rated) {
    const { hits } = await memory.search(question, { k: 20, planning: "never" });
    for (const [index, k] of DEPTHS.entries()) sums[index] = (sums[index] ?? 0) + evidenceRecall(hits, evidence, k);
  }
  const shares = DEPTHS.map((k, index) => `@${k} ${((sums[index] ?? 0) / Math.max(1, rated.length)).toFixed(3)}`);
  console.log(heading(`\nEvidence recall over ${rated.length} questions: ${shares.join("  ")}`));
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { locomo: { type: "string" }, store: { type: "string" } } });
  const data = values.locomo ? await loadLocomo(values.locomo) : await loadOwnData();
  const uri = values.store ?? (await mkdtemp(join(tmpdir(), "simplemem-demo-")));
  const llm = modelFromEnvironment(process.env);
  console.log(`Store: ${uri}\nModel: ${llm ? llm.model : "none (rules, offline)"}`);
  const simplemem = await SimpleMem.open({ uri, ...(llm ? { llm } : {}) });
  try {
    const memory = simplemem.scope({ userId: "demo" });
    await remember(memory, data);
    await printFacts(memory, data);
    await printAnswers(memory, data);
    if (values.locomo) await printRecall(memory, data);
  } finally {
    // What could not be written stays in the store; trying again here would only fail again.
    await simplemem.close({ flush: false });
  }
}

try {
  await main();
} catch (error) {
  console.error(`The demo stopped: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`);
  process.exitCode = 1;
}
