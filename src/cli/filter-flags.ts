import type { Command } from "commander";
import { ENTRY_KINDS, ENTRY_STATUSES, type EntryKind, type EntryStatus, type MemoryFilter } from "../records/index.js";
import { choices, oneMore } from "./flags.js";

/** What narrows a read. */
export interface FilterFlags {
  readonly after?: string;
  readonly before?: string;
  readonly validAt?: string;
  readonly person?: readonly string[];
  readonly entity?: readonly string[];
  readonly location?: string;
  readonly topic?: string;
  readonly speaker?: string;
  readonly kind?: readonly EntryKind[];
  readonly status?: readonly EntryStatus[];
  readonly inSession?: string;
}

/** Gives a command the options that narrow what it reads. */
export function addFilterFlags(command: Command): Command {
  return command
    .option("--after <time>", "not before this time, ISO 8601")
    .option("--before <time>", "before this time; a bare date includes that day")
    .option("--valid-at <time>", "what was true at this time")
    .option("--person <name>", "about this person; may be repeated", oneMore)
    .option("--entity <name>", "about this thing; may be repeated", oneMore)
    .option("--location <place>", "at this place")
    .option("--topic <topic>", "about this topic")
    .option("--speaker <name>", "said by")
    .addOption(choices("--kind <kind>", "of this kind", ENTRY_KINDS))
    .addOption(choices("--status <status>", "of this status", ENTRY_STATUSES))
    .option("--in-session <id>", "said in this session");
}

/** The filter that the flags describe; nothing when there are none. */
export function filterOf(flags: FilterFlags): { filter?: MemoryFilter } {
  const { after, before, validAt, person, entity, location, topic, speaker, kind, status, inSession } = flags;
  const filter: MemoryFilter = {
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
    ...(validAt === undefined ? {} : { validAt }),
    ...(person === undefined ? {} : { persons: person }),
    ...(entity === undefined ? {} : { entities: entity }),
    ...(location === undefined ? {} : { location }),
    ...(topic === undefined ? {} : { topic }),
    ...(speaker === undefined ? {} : { speaker }),
    ...(kind === undefined ? {} : { kind }),
    ...(status === undefined ? {} : { status }),
    ...(inSession === undefined ? {} : { sessionId: inSession }),
  };
  return Object.keys(filter).length === 0 ? {} : { filter };
}
