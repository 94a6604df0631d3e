import { findNames, findNumbers, hasCjk, type TimeMention } from "../../language/index.js";
import { type DialogueTurn, type EntryKind, type ExtractedItem, QUOTED_TURN } from "../../records/index.js";
import { isSmallTalk } from "./density.js";
import { attributesOf, importanceOf, keywordsOf, kindOf, placeOf } from "./describe.js";
import { capitalised } from "./restate.js";
import { topicOf } from "./topics.js";

export const CONFIDENCE = Object.freeze({ sure: 0.8, reported: 0.6, unsure: 0.4 });

/** A statement on its way to becoming an item. */
export interface Draft {
  readonly turn: DialogueTurn;
  readonly text: string;
  /** The text without who said it: what kind and topic are read from. */
  readonly body: string;
  readonly mentions: readonly TimeMention[];
  /** Words for persons whose owner is not known, and times that could not be reckoned. */
  readonly unresolved: readonly string[];
  /** The sentence in which to look for what is unclear. */
  readonly quote?: string;
  /** The turn that states it first, then the question that it answers or the turn that is quoted. */
  readonly sourceIds: readonly string[];
  /** The source that the quote is of, when it states nothing else here. */
  readonly quotedTurn?: string;
  readonly confidence: number;
  /** Persons of the talk that the text is about. */
  readonly about: readonly string[];
  /** Set where the words do not tell it: a question about a liking is no preference. */
  readonly kind?: EntryKind;
}

/** @param known names that are certainly persons */
export function itemOf(draft: Draft, known: readonly string[]): ExtractedItem {
  const { turn, text, body, mentions, unresolved } = draft;
  const found = findNames(text, known);
  const telling = (names: readonly string[]) => names.filter((name) => !isSmallTalk(name));
  const persons = subjectFirst(text, [...new Set([...draft.about, ...telling(found.persons)])]);
  const entities = telling(found.entities);
  const names = [...persons, ...entities];
  const mention = mentions.find(({ kind }) => kind === "date") ?? null;
  const keywords = keywordsOf(body, names);
  const kind = draft.kind ?? kindOf(body, mention, turn.timestamp);
  const details = names.length + mentions.length + findNumbers(body).length;
  return {
    losslessRestatement: draft.quote === undefined ? text : withQuote(text, draft.quote),
    keywords,
    timestamp: mention?.from ?? null,
    timestampEnd: mention?.to ?? null,
    mentionedAt: turn.timestamp,
    location: placeOf(body, persons),
    persons,
    entities,
    topic: topicOf(body, keywords, names),
    attributes: {
      ...attributesOf(text),
      ...(draft.quotedTurn === undefined ? {} : { [QUOTED_TURN]: draft.quotedTurn }),
    },
    kind,
    speaker: turn.speaker,
    sourceRole: turn.role,
    sourceIds: draft.sourceIds,
    confidence: unresolved.length > 0 ? CONFIDENCE.unsure : draft.confidence,
    importance: importanceOf(details, kind),
  };
}

/** "Ilse's sister Ane repairs clocks" is about Ane: the owner of what is spoken of comes after it. */
function subjectFirst(text: string, persons: readonly string[]): string[] {
  const isOwner = (name: string) => new RegExp(`^${escapePattern(name)}(?:['’]s?\\s|的)`, "u").test(text);
  const owners = persons.filter(isOwner);
  return owners.length === 0 ? [...persons] : [...persons.filter((name) => !owners.includes(name)), ...owners];
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");
}

/** The assistant stays the subject: what it says about the user is its word, not the user's. */
export function assistantSaid(text: string, speaker: string): string {
  if (text.toLowerCase().startsWith(speaker.toLowerCase())) return text;
  return hasCjk(text) ? `${speaker}说：${text}` : `${capitalised(speaker)} said: ${text}`;
}

export function questionText(asker: string, question: string): string {
  const quoted = question.replace(/["“”]/gu, "'");
  return hasCjk(question) ? `${asker}问：“${quoted}”` : `${capitalised(asker)} asked: "${quoted}"`;
}

export function exchangeText(
  asker: string,
  question: string,
  answerer: string,
  answer: string,
  byAssistant: boolean,
): string {
  const reply = capitalised(answer);
  if (hasCjk(question)) return `${questionText(asker, question)}${answerer}回答：“${reply}”`;
  return byAssistant
    ? `${capitalised(answerer)} was asked by ${asker}: "${question}" and answered: "${reply}"`
    : `${capitalised(asker)} asked: "${question}" ${capitalised(answerer)} answered: "${reply}"`;
}

/** Characters of an earlier sentence that an unclear statement carries along. */
const MAX_QUOTED_CHARS = 160;

/** The text with the sentence in which its unclear words are explained. */
function withQuote(text: string, sentence: string): string {
  const quote = [...sentence.replace(/["“”]/gu, "'").replace(/ \[after: .*$|（前文：.*$/su, "")]
    .slice(0, MAX_QUOTED_CHARS)
    .join("");
  return hasCjk(text) ? `${text}（前文：“${quote}”）` : `${text} [after: "${quote}"]`;
}
