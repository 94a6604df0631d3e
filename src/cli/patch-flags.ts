import { type Command, InvalidArgumentError, Option } from "commander";
import { ENTRY_KINDS, type EntryPatch } from "../records/index.js";
import { wrongUsage } from "./failure.js";
import { choices, oneMore } from "./flags.js";

const CLEARABLE = ["when", "until", "location", "topic", "valid-from", "valid-to", "expires-at"] as const;
type Clearable = (typeof CLEARABLE)[number];

const CLEARED: { readonly [name in Clearable]: EntryPatch } = {
  when: { timestamp: null },
  until: { timestampEnd: null },
  location: { location: null },
  topic: { topic: null },
  "valid-from": { validFrom: null },
  "valid-to": { validTo: null },
  "expires-at": { expiresAt: null },
};

/** What is to be changed of a fact. */
export interface PatchFlags {
  readonly text?: string;
  readonly when?: string;
  readonly until?: string;
  readonly location?: string;
  readonly topic?: string;
  readonly person?: readonly string[];
  readonly entity?: readonly string[];
  readonly keyword?: readonly string[];
  readonly attribute?: { readonly [name: string]: string };
  readonly kind?: NonNullable<EntryPatch["kind"]>;
  readonly importance?: number;
  readonly confidence?: number;
  readonly validFrom?: string;
  readonly validTo?: string;
  readonly expiresAt?: string;
  readonly clear?: readonly Clearable[];
  readonly reason?: string;
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError("It must be a number from 0 to 1.");
}

function oneDetail(
  text: string,
  former: { readonly [name: string]: string } = {},
): { readonly [name: string]: string } {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It must be name=value.");
  return { ...former, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Gives a command the options that say what is to be changed of a fact. */
export function addPatchFlags(command: Command): Command {
  return command
    .option("--text <statement>", "the statement, in words that need no context")
    .option("--when <time>", "when it happens or happened, ISO 8601")
    .option("--until <time>", "the end of that time")
    .option("--location <place>", "where it happens")
    .option("--topic <topic>", "what it is about")
    .option("--person <name>", "a person that it is about, in place of the former list; may be repeated", oneMore)
    .option("--entity <name>", "a thing that it is about, in place of the former list; may be repeated", oneMore)
    .option("--keyword <word>", "a word to find it by, in place of the former list; may be repeated", oneMore)
    .option("--attribute <name=value>", "a named detail to set; may be repeated", oneDetail)
    .addOption(new Option("--kind <kind>", "what kind it is of").choices(ENTRY_KINDS))
    .option("--importance <share>", "how much a later reader would miss it, 0 to 1", share)
    .option("--confidence <share>", "how sure it is, 0 to 1", share)
    .option("--valid-from <time>", "from when it has been true")
    .option("--valid-to <time>", "until when it was true")
    .option("--expires-at <time>", "after this it is not found")
    .addOption(choices("--clear <field>", "takes a value away", CLEARABLE))
    .option("--reason <words>", "why; stands in the history");
}

/** The change that the flags describe; empty when they describe none. */
export function patchOf(flags: PatchFlags): EntryPatch {
  const { when, until, person, entity, keyword, attribute, clear = [], reason: _reason, ...same } = flags;
  const { text, location, topic, kind, importance, confidence, validFrom, validTo, expiresAt } = same;
  const patch: EntryPatch = {
    ...(text === undefined ? {} : { text }),
    ...(when === undefined ? {} : { timestamp: when }),
    ...(until === undefined ? {} : { timestampEnd: until }),
    ...(location === undefined ? {} : { location }),
    ...(topic === undefined ? {} : { topic }),
    ...(person === undefined ? {} : { persons: person }),
    ...(entity === undefined ? {} : { entities: entity }),
    ...(keyword === undefined ? {} : { keywords: keyword }),
    ...(attribute === undefined ? {} : { attributes: attribute }),
    ...(kind === undefined ? {} : { kind }),
    ...(importance === undefined ? {} : { importance }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validTo === undefined ? {} : { validTo }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  return withCleared(patch, clear);
}

function withCleared(patch: EntryPatch, [name, ...others]: readonly Clearable[]): EntryPatch {
  return name === undefined ? patch : withCleared({ ...patch, ...CLEARED[name] }, others);
}

/** As `patchOf`. @throws Failure when the flags describe no change */
export function somePatchOf(flags: PatchFlags): EntryPatch {
  const patch = patchOf(flags);
  if (Object.keys(patch).length === 0) throw wrongUsage("say what is to be changed, such as --text.");
  return patch;
}

/** Why, for the history. */
export function reasonOf({ reason }: { readonly reason?: string }): { reason?: string } {
  return reason === undefined ? {} : { reason };
}
