import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ScopedMemory, SimpleMem } from "../src/index.js";
import { type DemoData, loadLocomo, loadOwnData } from "./demo/data.js";
import { modelFromEnvironment } from "./demo/model.js";
import { heading, sideBySide } from "./demo/print.js";
import { evidenceRecall } from "./demo/recall.js";
import { type Asked, askOne, fill, historyTokens } from "./demo/run.js";

const SHOWN_FACTS = 8;
const SHOWN_QUESTIONS = 10;
const DEPTHS = [5, 10, 20];

async function printFacts(memory: ScopedMemory, { turns }: DemoData): Promise<void> {
  const { items } = await memory.list();
  console.log(heading(`\nWhat was said, and the fact it became (${turns.length} turns, ${items.length} facts)`));
  const step = Math.max(1, Math.floor(items.length / SHOWN_FACTS));
  for (const entry of items.filter((_, index) => index % step === 0).slice(0, SHOWN_FACTS)) {
    const turn = turns.find(({ id }) => id === entry.sourceIds[0]);
    console.log(sideBySide(`${turn?.speaker}: ${turn?.content}`, entry.losslessRestatement));
  }
}

function printAnswer({ question, answer, tokens }: Asked, data: DemoData, total: number): void {
  console.log(`\nQ  ${question.question}`);
  console.log(`A  ${answer.abstained ? `(abstains) ${answer.reason ?? ""}` : answer.answer}`);
  const cited = answer.citations.flatMap(({ sourceIds }) => sourceIds);
  const turn = data.turns.find(({ id }) => id === cited[0]);
  if (turn !== undefined) console.log(`   said by ${turn.speaker}, ${turn.timestamp}, turn ${turn.id}`);
  console.log(`   ${tokens} tokens of context; the full history takes ${total}`);
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
  const simplemem = await SimpleMem.open({ uri, ...(llm ? { llm } : {}) });
  const memory = simplemem.scope({ userId: "demo" });
  console.log(`Store: ${uri}\nModel: ${llm ? llm.model : "none (rules, offline)"}`);
  process.stderr.write(`Adding ${data.turns.length} turns and rewriting them into facts ...\n`);
  const report = await fill(memory, data.turns);
  const failure = report.failures[0];
  if (failure !== undefined) {
    console.error(
      `The model failed: ${failure.error.split("\n")[0]} All ${data.turns.length} turns are kept in ${uri}.`,
    );
    process.exitCode = 1;
    return simplemem.close({ flush: false });
  }
  await printFacts(memory, data);
  const total = historyTokens(data);
  for (const question of data.questions.slice(0, SHOWN_QUESTIONS))
    printAnswer(await askOne(memory, question), data, total);
  if (values.locomo) await printRecall(memory, data);
  await simplemem.close();
}

await main();
