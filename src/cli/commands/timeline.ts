import { type Command, Option } from "commander";
import type { TimelineItem, TimelineOptions } from "../../records/index.js";
import { type Cli, type MemoryCall, performOnMemory } from "../call.js";
import { EXIT, type ExitCode } from "../exit-codes.js";
import { wrongUsage } from "../failure.js";
import { wholeNumber } from "../flags.js";
import type { Output } from "../output/output.js";
import { dim, type Words } from "../output/style.js";
import { statusWords } from "../output/words.js";

interface TimelineFlags {
  readonly person?: string;
  readonly entity?: string;
  readonly topic?: string;
  readonly after?: string;
  readonly before?: string;
  readonly order?: NonNullable<TimelineOptions["order"]>;
  readonly archived?: boolean;
  readonly limit?: number;
  readonly cursor?: string;
}

function timelineOptions({ archived, ...flags }: TimelineFlags): TimelineOptions {
  const { person, entity, topic } = flags;
  if ([person, entity, topic].every((part) => part === undefined)) {
    throw wrongUsage("say what the timeline is about, with --person, --entity or --topic.");
  }
  return { ...flags, ...(archived === true ? { includeArchived: true } : {}) };
}

function itemRow({ at, entry, link }: TimelineItem, output: Output): readonly Words[] {
  const shared =
    link === null ? "" : [...link.persons, ...link.entities, link.topic ?? ""].filter((part) => part !== "").join(", ");
  return [output.time(at), dim(entry.entryId), statusWords(entry), dim(shared), entry.losslessRestatement];
}

async function timeline({ memory, output }: MemoryCall, flags: TimelineFlags): Promise<ExitCode> {
  const page = await memory.timeline(timelineOptions(flags));
  await output.give(page, async () => {
    if (page.items.length === 0) await output.note("Nothing is known about that.");
    else
      await output.table(
        ["when", "id", "status", "shares with the next", "statement"],
        page.items.map((item) => itemRow(item, output)),
      );
    if (page.cursor !== undefined) await output.note(`There is more: --cursor ${page.cursor}, or a higher --limit.`);
  });
  return page.items.length === 0 ? EXIT.nothingFound : EXIT.ok;
}

/** `simplemem timeline` */
export function addTimeline(program: Command, cli: Cli): void {
  program
    .command("timeline")
    .summary("what happened, in order, about a person, a thing or a topic")
    .description(
      "Tells what happened about a person, a thing or a topic, in the order of events. Ends with 3 when nothing is known.",
    )
    .option("--person <name>", "about this person")
    .option("--entity <name>", "about this thing")
    .option("--topic <topic>", "about this topic")
    .option("--after <time>", "not before this time, ISO 8601")
    .option("--before <time>", "before this time; a bare date includes that day")
    .addOption(new Option("--order <order>", "which comes first").choices(["oldest", "newest"]))
    .option("--archived", "also what was archived or superseded")
    .option("--limit <n>", "facts of a page, 1 to 1,000", wholeNumber(1, 1000))
    .option("--cursor <cursor>", "goes on where the page before ended")
    .action(async (flags: TimelineFlags, self: Command) => {
      await performOnMemory(cli, self, {}, (call) => timeline(call, flags));
    });
}
