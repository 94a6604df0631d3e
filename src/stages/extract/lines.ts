import type { DialogueTurn } from "../../records/index.js";
import { MEMORY_FENCE, stripContextBlocks } from "../../retrievers/index.js";

/** Writes one turn, or a piece of it, as one line of a prompt. */
export type LineOf = (turn: DialogueTurn, content?: string) => string;

/** Ids up to this length are shown as they are; longer ones, such as UUIDs, cost more than the words and come back mangled. */
const SHORT_ID_CHARS = 8;
const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;

function isShort(id: string): boolean {
  return id.length <= SHORT_ID_CHARS && /^[\p{L}\p{N}._:-]+$/u.test(id);
}

/** The name under which each turn is shown, by its id: the id, or a number when ids are long. */
export function labelsOf(turns: readonly DialogueTurn[]): ReadonlyMap<string, string> {
  const ids = [...new Set(turns.map((turn) => turn.dialogueId))];
  const areShort = ids.every(isShort);
  return new Map(ids.map((id, index) => [id, areShort ? id : String(index + 1)]));
}

/** The ids that a reply names, by label or as they are: "3", "[3]". What no turn has is left out. */
export function idsNamed(names: readonly string[], labels: ReadonlyMap<string, string>): Set<string> {
  const byLabel = new Map([...labels].map(([id, label]) => [label, id]));
  const plain = names.map((name) => name.trim().replace(/^\[|\]$/g, ""));
  return new Set(plain.flatMap((name) => byLabel.get(name) ?? (labels.has(name) ? name : [])));
}

function localTime(turn: DialogueTurn): string {
  const local = new Date(Date.parse(turn.timestamp) + turn.offsetMinutes * 60_000);
  const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "long", timeZone: "UTC" }).format(local);
  return `${weekday} ${local.toISOString().slice(0, 16).replace("T", " ")}`;
}

/** An offset as it is written: "UTC+08:00". */
export function zoneOf(offsetMinutes: number): string {
  const minutes = Math.abs(offsetMinutes);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `UTC${offsetMinutes < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

// Split and trimmed: one pattern for all white space around a line feed takes quadratic time on a long run of blanks.
export function onOneLine(text: string): string {
  if (!LINE_END.test(text)) return text;
  return text
    .split(LINE_END)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" / ");
}

/** The turn without what memory had put into it, which is never extracted again. */
export function withoutInjected(turn: DialogueTurn): DialogueTurn {
  return turn.content.includes(MEMORY_FENCE.open) ? { ...turn, content: stripContextBlocks(turn.content) } : turn;
}

/**
 * Writes turns as lines: label, local time, speaker, role, words. Without labels for turns that explain only. The zone
 * is told once when all turns share it, so `zone` is that of the section.
 */
export function lineWriter(labels: ReadonlyMap<string, string> | null, zone: string | null): LineOf {
  return (turn, content = turn.content) => {
    const label = labels?.get(turn.dialogueId);
    const own = zoneOf(turn.offsetMinutes);
    const time = own === zone ? localTime(turn) : `${localTime(turn)} ${own}`;
    const who = `${onOneLine(turn.speaker)} (${turn.role})`;
    return `${label === undefined ? "-" : `[${label}]`} (${time}) ${who}: ${onOneLine(content)}`;
  };
}
