import { contentStems, findNames, resolveTimes } from "../../language/index.js";
import {
  type DialogueTurn,
  ENTRY_KINDS,
  type EntryKind,
  type ExtractedItem,
  InvalidInputError,
  parseInstant,
} from "../../records/index.js";
import { provenSources } from "./attribution.js";
import { countDetails } from "./density.js";
import { importanceOf, keywordsOf } from "./describe.js";
import { idsNamed } from "./lines.js";
import type { ReplyItem } from "./schema.js";

/** How sure an entry is that passed every check. */
const SURE = 0.9;
const MAX_FALLBACK_SOURCES = 3;
const BARE_DATE = /^\d{4}-\d{2}-\d{2}$/;
/** Keys that an object gives a meaning of its own. */
const RESERVED_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

function sourcesOf(
  item: ReplyItem,
  turns: readonly DialogueTurn[],
  labels: ReadonlyMap<string, string>,
): readonly DialogueTurn[] {
  const named = idsNamed(item.source_ids ?? [], labels);
  const known = turns.filter((turn) => named.has(turn.dialogueId));
  if (known.length > 0) return known;
  // Never an id that the model made up: the turns that share its words, else the whole window.
  const stems = new Set(contentStems(item.lossless_restatement));
  const shared = turns.map((turn) => contentStems(turn.content).filter((stem) => stems.has(stem)).length);
  const most = Math.max(0, ...shared);
  return most === 0 ? turns : turns.filter((_, index) => shared[index] === most).slice(0, MAX_FALLBACK_SOURCES);
}

function kindOf(name: string | undefined): EntryKind {
  return ENTRY_KINDS.find((kind) => kind === name?.toLowerCase()) ?? "fact";
}

function instantOf(text: string | null | undefined, turn: DialogueTurn): string | null {
  if (text === null || text === undefined) return null;
  try {
    const parsed = Date.parse(parseInstant(text, "UTC").instant);
    // A bare date is a day of the place where it was said.
    return new Date(BARE_DATE.test(text.trim()) ? parsed - turn.offsetMinutes * 60_000 : parsed).toISOString();
  } catch (error) {
    if (error instanceof InvalidInputError) return null;
    throw error;
  }
}

function attributesOf(given: ReplyItem["attributes"]): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(given ?? {}).filter(
      ([name, value]) => !RESERVED_KEYS.has(name) && name.isWellFormed() && value.isWellFormed() && value.trim() !== "",
    ),
  );
}

/** The persons that the model lists; when it lists none, the speakers whom the text names; when it forgot the list, all names. */
function personsOf(given: ReplyItem["persons"], text: string, speakers: readonly string[]): readonly string[] {
  if (given !== undefined && given.length > 0) return given;
  const found = findNames(text, speakers).persons;
  return given === undefined ? found : found.filter((name) => speakers.includes(name));
}

/** The item that a reply's entry becomes; null when the assistant alone said it of the user. */
export function toItem(
  reply: ReplyItem,
  turns: readonly DialogueTurn[],
  labels: ReadonlyMap<string, string>,
): ExtractedItem | null {
  const restated = reply.lossless_restatement.trim();
  const sources = provenSources(restated, sourcesOf(reply, turns, labels), turns);
  const last = sources?.at(-1);
  if (sources === null || last === undefined) return null;
  const { text, mentions } = resolveTimes(restated, { instant: last.timestamp, offsetMinutes: last.offsetMinutes });
  const relative = mentions.find((mention) => mention.relative && mention.kind === "date");
  const speakers = turns.map((turn) => turn.speaker);
  const persons = personsOf(reply.persons, text, speakers);
  const kind = kindOf(reply.kind);
  const given = reply.keywords ?? [];
  const timestamp = instantOf(reply.timestamp, last) ?? relative?.from ?? null;
  const end = instantOf(reply.timestamp_end, last);
  return {
    losslessRestatement: text,
    keywords: given.length > 0 ? given : keywordsOf(text, persons),
    timestamp,
    timestampEnd: timestamp === null || (end !== null && end <= timestamp) ? null : end,
    mentionedAt: last.timestamp,
    location: reply.location ?? null,
    persons,
    entities: reply.entities ?? [],
    topic: reply.topic ?? null,
    attributes: attributesOf(reply.attributes),
    kind,
    speaker: last.speaker,
    sourceRole: last.role,
    sourceIds: [...new Set(sources.map((turn) => turn.dialogueId))],
    confidence: SURE,
    importance: importanceOf(countDetails(text), kind),
  };
}
