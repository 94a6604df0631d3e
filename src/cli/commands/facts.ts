import type { Command } from "commander";
import type { Fact, RecallOptions, RememberOptions } from "../../records/index.js";
import { type Cli, type MemoryCall, performOnMemory } from "../call.js";
import { isConfirmed } from "../confirm.js";
import { EXIT, type ExitCode } from "../exit-codes.js";
import type { Output } from "../output/output.js";
import { bold, dim, type Words } from "../output/style.js";

interface ReadFlags {
  readonly category?: string;
  readonly allSessions?: boolean;
}

interface RememberFlags {
  readonly category?: string;
  readonly expiresAt?: string;
}

function recallOptions({ category, allSessions }: ReadFlags): RecallOptions {
  return {
    ...(category === undefined ? {} : { category }),
    ...(allSessions === true ? { sessions: "all" } : {}),
  };
}

function rememberOptions({ category, expiresAt }: RememberFlags): RememberOptions {
  return { ...(category === undefined ? {} : { category }), ...(expiresAt === undefined ? {} : { expiresAt }) };
}

function factRow({ key, value, category, sessionId, updatedAt, expiresAt }: Fact, output: Output): readonly Words[] {
  return [bold(key), dim(category), dim(sessionId), output.time(updatedAt), output.time(expiresAt), value];
}

async function tellFacts({ output }: MemoryCall, facts: readonly Fact[]): Promise<void> {
  await output.give(facts, async () => {
    if (facts.length === 0) await output.note("There are none.");
    else
      await output.table(
        ["key", "category", "session", "set", "expires", "value"],
        facts.map((fact) => factRow(fact, output)),
      );
  });
}

async function forgetFact(call: MemoryCall, key: string, yes: boolean | undefined): Promise<ExitCode> {
  const fact = (await call.memory.facts.list()).find((one) => one.key === key);
  if (fact === undefined) {
    await call.output.give({ forgotten: false }, () => call.output.note("There is no such key."));
    return EXIT.nothingFound;
  }
  if (!(await isConfirmed(call, `Forget ${fact.key} = ${fact.value}?`, yes))) return EXIT.refused;
  const forgotten = await call.memory.facts.forget(key);
  await call.output.give({ forgotten }, () => call.output.line("Forgotten: ", key));
  return EXIT.ok;
}

function addReadFlags(command: Command): Command {
  return command
    .option("--category <name>", "only facts of this category")
    .option("--all-sessions", "of all sessions, not of --session alone");
}

function addReads(facts: Command, cli: Cli): void {
  addReadFlags(facts.command("list", { isDefault: true }).description("Lists them.")).action(
    async (flags: ReadFlags, self: Command) => {
      await performOnMemory(cli, self, {}, async (call) => {
        await tellFacts(call, await call.memory.facts.list(recallOptions(flags)));
        return undefined;
      });
    },
  );
  const recall = facts.command("recall").description("Gives those whose key matches. Ends with 3 when there are none.");
  addReadFlags(recall.argument("<pattern>", "a key; * stands for any characters")).action(
    async (pattern: string, flags: ReadFlags, self: Command) => {
      await performOnMemory(cli, self, {}, async (call) => {
        const found = await call.memory.facts.recall(pattern, recallOptions(flags));
        await tellFacts(call, found);
        return found.length === 0 ? EXIT.nothingFound : EXIT.ok;
      });
    },
  );
}

function addWrites(facts: Command, cli: Cli): void {
  facts
    .command("remember")
    .description("Keeps a value under a key; a former value goes into its history.")
    .argument("<key>", "such as home.city")
    .argument("<value>", "any text")
    .option("--category <name>", "groups facts")
    .option("--expires-at <time>", "after this it is not seen, ISO 8601")
    .action(async (key: string, value: string, flags: RememberFlags, self: Command) => {
      await performOnMemory(cli, self, { mayCreate: true }, async ({ memory, output }) => {
        const fact = await memory.facts.remember(key, value, rememberOptions(flags));
        await output.give(fact, () => output.line("Remembered: ", bold(fact.key), ` = ${fact.value}`));
        return undefined;
      });
    });
  facts
    .command("forget")
    .description("Forgets a key, once that is confirmed.")
    .argument("<key>", "the key")
    .option("--yes", "confirms it")
    .action(async (key: string, { yes }: { readonly yes?: boolean }, self: Command) => {
      await performOnMemory(cli, self, {}, (call) => forgetFact(call, key, yes));
    });
}

/** `simplemem facts` */
export function addFacts(program: Command, cli: Cli): void {
  const facts = program
    .command("facts")
    .summary("exact key-values: list, recall, remember, forget")
    .description("Exact key-values beside what was said, each in a session.");
  addReads(facts, cli);
  addWrites(facts, cli);
}
