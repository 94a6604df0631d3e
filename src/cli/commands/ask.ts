import type { Command } from "commander";
import type { Answer, DialogueTurn } from "../../records/index.js";
import { type Cli, type MemoryCall, performOnMemory } from "../call.js";
import { EXIT, type ExitCode } from "../exit-codes.js";
import { bold, dim } from "../output/style.js";
import { counted } from "../output/words.js";
import { addSearchFlags, type SearchFlags, searchOptions } from "../search-flags.js";

/** Turns that are shown under an answer at most. */
const SHOWN_TURNS = 3;

function proofs({ hits, citations }: Answer): string[] {
  const entries = new Set(hits.filter(({ kind }) => kind === "entry").map(({ id }) => id));
  return citations.flatMap(({ id }) => (entries.has(id) ? [id] : []));
}

/** The turns that prove an answer, as they were said. */
async function provingTurns({ memory }: MemoryCall, answer: Answer): Promise<readonly DialogueTurn[]> {
  const explained = await Promise.all(proofs(answer).map((id) => memory.why(id)));
  const turns = new Map(explained.flatMap(({ sources }) => sources.map((turn) => [turn.dialogueId, turn] as const)));
  return [...turns.values()].slice(0, SHOWN_TURNS);
}

async function tellAnswer(call: MemoryCall, answer: Answer): Promise<void> {
  const { output } = call;
  if (answer.abstained) {
    await output.line("I do not know. ", dim(answer.reason ?? ""));
    return;
  }
  await output.line(bold(answer.answer));
  for (const { speaker, timestamp, dialogueId, content } of await provingTurns(call, answer)) {
    await output.line(dim(`  ${speaker}, ${output.time(timestamp)}, turn ${dialogueId}: “${content}”`));
  }
}

async function ask(call: MemoryCall, question: string, flags: SearchFlags): Promise<ExitCode> {
  const answer = await call.memory.ask(question, searchOptions(flags, call.terminal.signal));
  await call.output.give(answer, () => tellAnswer(call, answer));
  if (answer.degraded !== undefined) await call.output.note(dim(`Not as good as it could be: ${answer.degraded}`));
  const { modelCalls } = answer.usage;
  if (modelCalls > 0 && !call.output.json) await call.output.note(dim(`${counted(modelCalls, "call")} of the model.`));
  return answer.abstained ? EXIT.nothingFound : EXIT.ok;
}

/** `simplemem ask` */
export function addAsk(program: Command, cli: Cli): void {
  const command = program
    .command("ask")
    .summary("answer a question from memory, with what proves it")
    .description(
      "Answers a question from memory alone, with the turns that prove it. Ends with 3 when memory does not hold the answer.",
    )
    .argument("<question...>", "the question; it needs no quotes");
  addSearchFlags(command).action(async (words: string[], flags: SearchFlags, self: Command) => {
    await performOnMemory(cli, self, {}, (call) => ask(call, words.join(" "), flags));
  });
}
