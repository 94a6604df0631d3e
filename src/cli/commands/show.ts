import type { Command } from "commander";
import type { DialogueTurn, EntryVersion, Explanation, MemoryEntry } from "../../records/index.js";
import { type Cli, type MemoryCall, performOnMemory } from "../call.js";
import type { Output } from "../output/output.js";
import { bold, dim, styled, type Words } from "../output/style.js";

type Field = readonly [name: string, value: string];

function fieldsOf(entry: MemoryEntry, output: Output): readonly Field[] {
  const { timestamp, timestampEnd, attributes } = entry;
  const end = timestampEnd === null ? "" : ` until ${output.time(timestampEnd)}`;
  return [
    ["id", entry.entryId],
    ["kind", `${entry.kind}, ${entry.status.replace("_", " ")}${entry.pinned ? ", pinned" : ""}`],
    ["happens", timestamp === null ? "" : `${output.time(timestamp)}${end}`],
    ["said", `${output.time(entry.mentionedAt)} by ${entry.speaker}, session ${entry.sessionId}`],
    ["persons", entry.persons.join(", ")],
    ["things", entry.entities.join(", ")],
    ["place", entry.location ?? ""],
    ["topic", entry.topic ?? ""],
    [
      "details",
      Object.entries(attributes)
        .map(([name, value]) => `${name}: ${value}`)
        .join(", "),
    ],
    ["true from", output.time(entry.validFrom)],
    ["true until", output.time(entry.validTo)],
    ["expires", output.time(entry.expiresAt)],
    ["replaced by", entry.supersededBy ?? ""],
    ["replaces", entry.supersedes.join(", ")],
    ["sums up", entry.derivedFrom.join(", ")],
    ["trust", `${entry.trust}, confidence ${entry.confidence}, importance ${entry.importance}`],
    ["found", `${entry.accessCount} times`],
  ];
}

function turnRow({ dialogueId, timestamp, speaker, content }: DialogueTurn, output: Output): readonly Words[] {
  return [dim(dialogueId), output.time(timestamp), speaker, content];
}

function versionRow({ version, at, op, by, reason, entry }: EntryVersion, output: Output): readonly Words[] {
  return [String(version), output.time(at), op, by, reason ?? "", entry.losslessRestatement];
}

async function tellProof({ output }: MemoryCall, why: Explanation): Promise<void> {
  await output.line();
  await output.line(bold("Said"));
  await output.table(
    ["turn", "when", "who", "words"],
    why.sources.map((turn) => turnRow(turn, output)),
  );
  if (why.missingSources.length > 0) await output.line("No longer in the log: ", why.missingSources.join(", "));
  for (const { code, detail } of why.guards)
    await output.line(styled("yellow", "The turns do not bear out: "), `${detail} (${code})`);
  if (why.review.length > 0) await output.line(styled("yellow", "Waits for a review: "), why.review.join(", "));
}

async function tell(call: MemoryCall, why: Explanation, history: readonly EntryVersion[]): Promise<void> {
  const { output } = call;
  await output.line(bold(why.entry.losslessRestatement));
  const fields = fieldsOf(why.entry, output).filter(([, value]) => value !== "");
  await output.table(
    null,
    fields.map(([name, value]) => [dim(name), value]),
  );
  await tellProof(call, why);
  await output.line();
  await output.line(bold("History"));
  await output.table(
    ["version", "when", "what", "by", "why", "statement"],
    history.map((one) => versionRow(one, output)),
  );
}

async function show(call: MemoryCall, id: string): Promise<undefined> {
  const [why, history] = await Promise.all([call.memory.why(id), call.memory.history(id)]);
  await call.output.give({ ...why, history }, () => tell(call, why, history));
  return undefined;
}

/** `simplemem show` */
export function addShow(program: Command, cli: Cli): void {
  program
    .command("show")
    .summary("show a fact, the turns that prove it, and its history")
    .description(
      "Shows a fact, the turns that prove it as they were said, what checks of its words find, and its history.",
    )
    .argument("<id>", "id of a fact, as `list` and `search` give it")
    .action(async (id: string, _flags: unknown, self: Command) => {
      await performOnMemory(cli, self, {}, (call) => show(call, id));
    });
}
