import type { Command } from "commander";
import type { WriteReport } from "../../records/index.js";
import { type Cli, type MemoryCall, performOnStore, type StoreCall } from "../call.js";
import type { ExitCode } from "../exit-codes.js";
import { codeOfReport, flushed, tellReport } from "../flush.js";
import { DEFAULT_URI } from "../globals.js";
import { bold, dim } from "../output/style.js";
import { counted } from "../output/words.js";

/** Whose memory the demo fills: a user of its own, so that nobody's memory is touched. */
export const DEMO_USER = "demo";

/** Adds the conversation that comes with the package. Adding it again adds nothing. */
export async function fillDemo(call: StoreCall): Promise<{ call: MemoryCall; report: WriteReport }> {
  const { demoTurns } = await import("../demo/conversation.js");
  const memory = call.simplemem.scope({ userId: call.globals.user ?? DEMO_USER });
  await memory.add(demoTurns());
  const memoryCall = { ...call, memory };
  return { call: memoryCall, report: await flushed(memoryCall) };
}

async function hints({ output, globals }: MemoryCall): Promise<void> {
  const place = globals.uri === DEFAULT_URI ? "" : ` --uri ${globals.uri}`;
  const whose = `--user ${globals.user ?? DEMO_USER}${place}`;
  await output.line();
  await output.line(bold("Go on with"));
  await output.line(`  simplemem ask ${whose} "When will Marta open the bakery?"`);
  await output.line(`  simplemem list ${whose}`);
  await output.line(`  simplemem inspect${place}`, dim("   a page to look at it"));
}

async function demo(storeCall: StoreCall): Promise<ExitCode> {
  const { call, report } = await fillDemo(storeCall);
  const { memory, output, globals } = call;
  const [{ demoTurns }, { allFacts, showAnswers, showRewriting }] = await Promise.all([
    import("../demo/conversation.js"),
    import("../demo/show.js"),
  ]);
  const stats = await memory.stats();
  await output.give({ uri: globals.uri, user: memory.scope.userId, stats, report }, async () => {
    await output.line(
      `A conversation of ${counted(stats.turns, "turn")} in ${globals.uri}, remembered by ${report.usage.modelCalls > 0 ? "a model" : "rules, offline"}.`,
    );
    await tellReport(call, report);
    await showRewriting(output, demoTurns(), await allFacts(memory));
    await showAnswers(output, memory);
    await hints(call);
  });
  return codeOfReport(report);
}

/** `simplemem demo` */
export function addDemo(program: Command, cli: Cli): void {
  program
    .command("demo")
    .summary("fill a memory with a conversation, and ask it questions")
    .description(
      `Fills a memory with the conversation that comes with the package, for the user "${DEMO_USER}", and asks it questions.`,
    )
    .action(async (_flags: unknown, self: Command) => {
      await performOnStore(cli, self, { mayCreate: true }, demo);
    });
}
