import { z } from "zod/v4";
import { ImportError } from "../../records/index.js";
import { asExport, checkForeign, type ForeignTurn, nonBlank, turnRecords } from "./lines-of.js";

/** Options of `fromLocomo`. */
export interface LocomoOptions {
  /** Put before the ids of sessions and turns, so that several conversations fit into one scope. Default: none. */
  readonly name?: string;
}

/** One session of a conversation of LoCoMo. */
export interface LocomoSession {
  readonly id: string;
  readonly turns: readonly ForeignTurn[];
}

const optionsSchema = z.strictObject({ name: nonBlank.optional() });
const turnSchema = z.object({
  speaker: nonBlank,
  dia_id: nonBlank,
  text: z.string(),
  blip_caption: z.string().optional(),
});
type Turn = z.infer<typeof turnSchema>;

const MONTHS = "January February March April May June July August September October November December".split(" ");
const SESSION_TIME = /^(\d{1,2}):(\d{2}) (am|pm) on (\d{1,2}) (\w+), (\d{4})$/;
const SESSION = /^session_(\d+)$/;
const MINUTE_MS = 60_000;

/** "4:04 pm on 20 January, 2023" as milliseconds, read in UTC. */
function sessionTime(text: string): number {
  const [, hour, minute, half, day, month, year] = SESSION_TIME.exec(text) ?? [];
  const monthIndex = MONTHS.indexOf(month ?? "");
  if (monthIndex < 0) throw new ImportError(`"${text}" is no session time as LoCoMo writes them.`, null);
  const hours = (Number(hour) % 12) + (half === "pm" ? 12 : 0);
  return Date.UTC(Number(year), monthIndex, Number(day), hours, Number(minute));
}

function contentOf({ text, blip_caption }: Turn): string {
  return blip_caption === undefined ? text : `${text} [shares a picture: ${blip_caption}]`;
}

/**
 * The sessions of one conversation of LoCoMo, in their order; ids carry the name, if one is given.
 * @throws ImportError naming the session and the field that does not fit
 */
export function locomoSessions(input: unknown, name?: string): LocomoSession[] {
  const file = checkForeign(z.record(z.string(), z.unknown()), input, "a conversation of LoCoMo");
  const prefix = name === undefined ? "" : `${name}/`;
  const numbers = Object.keys(file).flatMap((key) => SESSION.exec(key)?.[1] ?? []);
  return numbers
    .map(Number)
    .sort((left, right) => left - right)
    .map((number) => {
      const session = `session_${number}`;
      const turns = checkForeign(z.array(turnSchema), file[session], session);
      const startsAt = sessionTime(checkForeign(z.string(), file[`${session}_date_time`], `${session}_date_time`));
      const sessionId = `${prefix}${session}`;
      return { id: sessionId, turns: turns.map((turn, index) => turnOf(turn, sessionId, prefix, startsAt, index)) };
    });
}

// Both speakers are people: neither is an assistant.
function turnOf(turn: Turn, sessionId: string, prefix: string, startsAt: number, index: number): ForeignTurn {
  return {
    id: `${prefix}${turn.dia_id}`,
    sessionId,
    speaker: turn.speaker,
    role: "user",
    content: contentOf(turn),
    timestamp: new Date(startsAt + index * MINUTE_MS).toISOString(),
    metadata: { importedFrom: "locomo" },
  };
}

/**
 * A conversation of LoCoMo (https://github.com/snap-research/locomo) as an export of this library. The turns wait for the next `flush`.
 * Times are read as UTC; each turn counts as a minute later than the one before.
 * @param input one conversation, parsed: the object with `session_1`, `session_1_date_time` and so on, or what holds it as `conversation`
 * @returns lines for `memory.import`
 * @throws ImportError naming the session and the field that does not fit
 * @example await memory.import(fromLocomo(JSON.parse(text), { name: "conv-26" }));
 */
export function fromLocomo(input: unknown, options: LocomoOptions = {}): Generator<string> {
  const { name } = checkForeign(optionsSchema, options, "the options of fromLocomo");
  const wrapped = z.looseObject({ conversation: z.unknown() }).safeParse(input);
  const conversation = wrapped.success && wrapped.data.conversation !== undefined ? wrapped.data.conversation : input;
  const turns = locomoSessions(conversation, name).flatMap((session) => session.turns);
  return asExport(turnRecords(turns, true));
}
