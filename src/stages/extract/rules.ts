import { contentStems, findNames, hasCjk, splitSentences, type TimeMention } from "../../language/index.js";
import type { DialogueTurn, ExtractedItem, Rejection } from "../../records/index.js";
import { stripContextBlocks } from "../../retrievers/index.js";
import { DEFAULT_DENSITY_THRESHOLD, informationGain, isSmallTalk, isUnderThreshold, tellingStems } from "./density.js";
import { attributesOf, importanceOf, keywordsOf, kindOf, placeOf, topicOf } from "./describe.js";
import { bareAnswer, closingQuestion } from "./exchange.js";
import type { ExtractInput, ExtractOutput, Extractor } from "./extractor.js";
import { checkItem, type GuardCode } from "./guards.js";
import { addresseeOf, isNamed, nameOf, partiesOf } from "./parties.js";
import { partPasted, withoutAnnouncement } from "./pasted.js";
import { Referents } from "./referents.js";
import { attributed, capitalised, type Restated, restate } from "./restate.js";
import { type Statement, statementsOf } from "./statements.js";
import { withoutVocatives } from "./vocatives.js";

export interface RuleExtractorOptions {
  /** Sentences and windows of less information gain give no entry, 0 to 1. Default 0.35. */
  readonly densityThreshold?: number;
}

const CONFIDENCE = { sure: 0.8, reported: 0.6, unsure: 0.4 } as const;
/** What the rules may leave standing, with lowered confidence: the words are the speaker's own. */
const TOLERATED: ReadonlySet<GuardCode> = new Set<GuardCode>([
  "bare_pronoun",
  "relative_time",
  "ungrounded_name",
  "ungrounded_number",
  "lost_negation",
]);
/** An assistant's sentence of which this share was said by others before is an echo. */
const ECHO_SHARE = 0.8;
/** Phrases by which an assistant keeps the talk going. */
const ASSISTANT_PHRASE =
  /^(?:let me know|feel free|i can help|i'd be happy|i’d be happy|happy to help|i['’]?ll (?:remember|note|keep)|i(?:['’]ve| have) (?:noted|saved)|is there anything|as an ai|here (?:is|are)|would you like|noted|got it|sure|of course|great question)\b|^(?:我会记住|已记录|好的|请告诉我|如果您?需要)/iu;
/** Pronouns of one person; "they" are several, whom one name would not do justice. */
const ONE_PERSON = /\b(?:he|she|him|her|his|hers|himself|herself)\b|[他她](?!们)/iu;
/** Characters of the statement before that an unclear one carries along. */
const MAX_QUOTED_CHARS = 160;
const REJECTED_TEXT_CHARS = 120;

/**
 * Extracts without a model: sentence by sentence, names for pronouns, dates for relative times (reckoned from the time
 * and offset of the turn, never the clock), a question and its short answer as one entry. Keeps the speaker's words.
 *
 * What it cannot resolve (an unclear "they") stays in the text, with confidence 0.4 and an open question.
 *
 * @example
 * const extractor = createRuleExtractor();
 * (await extractor.extract(input, run)).items[0]?.losslessRestatement; // "Ilse sold the loom on 4 November 2024."
 */
export function createRuleExtractor(options: RuleExtractorOptions = {}): Extractor {
  const threshold = options.densityThreshold ?? DEFAULT_DENSITY_THRESHOLD;
  return {
    async extract(input, run) {
      run.signal?.throwIfAborted();
      return new WindowReading(input, threshold).read();
    },
  };
}

interface Draft {
  readonly turn: DialogueTurn;
  readonly text: string;
  /** The text without who said it: what kind and topic are read from. */
  readonly body: string;
  readonly mentions: readonly TimeMention[];
  readonly unresolved: readonly string[];
  readonly sourceIds: readonly string[];
  readonly confidence: number;
  /** Persons of the talk that the text is about. */
  readonly about: readonly string[];
}

/** One pass over one window. Lives as long as one call. */
class WindowReading {
  readonly #input: ExtractInput;
  readonly #threshold: number;
  readonly #parties: readonly string[];
  readonly #speakers: readonly string[];
  readonly #referents: Referents;
  readonly #saidByOthers = new Set<string>();
  #lastDraft: Draft | null = null;
  readonly #openQuestions: string[] = [];

  constructor(input: ExtractInput, threshold: number) {
    const all = [...input.context, ...input.turns];
    this.#input = input;
    this.#threshold = threshold;
    this.#parties = partiesOf(all);
    this.#speakers = [...new Set(all.filter(isNamed).map((turn) => turn.speaker))];
    // A name at the head of a sentence is known for one by its other mentions.
    const texts = [...all.filter(({ role }) => role !== "system").map(({ content }) => content), ...input.neighbours];
    const mentioned = texts
      .flatMap((text) => findNames(text, this.#speakers).persons)
      .filter((one) => !isSmallTalk(one));
    this.#referents = new Referents([...new Set([...this.#speakers, ...mentioned])]);
    for (const turn of input.context) this.#referents.hearTurn(turn);
  }

  read(): ExtractOutput {
    const items: ExtractedItem[] = [];
    const rejections: Rejection[] = [];
    let previous = this.#input.context.at(-1);
    for (const turn of this.#input.turns) {
      for (const draft of this.#draftsOf(turn, previous)) this.#admit(this.#itemOf(draft), items, rejections);
      if (turn.role === "user") for (const stem of contentStems(turn.content)) this.#saidByOthers.add(stem);
      if (turn.role !== "system" && turn.role !== "tool") previous = turn;
    }
    return { items, rejections, openQuestions: this.#openQuestions, incomplete: false };
  }

  #draftsOf(turn: DialogueTurn, previous: DialogueTurn | undefined): Draft[] {
    if (turn.role === "system") return [];
    if (turn.role === "tool") return this.#toolDraft(turn);
    const { prose: said, pasted } = partPasted(wellFormed(turn.content));
    const { prose, announcement } = pasted === null ? { prose: said, announcement: "" } : withoutAnnouncement(said);
    const exchange = this.#exchange(turn, prose, previous);
    const drafts: Draft[] = exchange === null ? [] : [exchange.draft];
    if (exchange !== null) this.#lastDraft = exchange.draft;
    const context = { speakers: this.#speakers, turn };
    const rest = exchange?.rest ?? prose;
    const isPhrase = (sentence: string): boolean =>
      turn.role === "assistant" && (ASSISTANT_PHRASE.test(sentence) || this.#isEcho(sentence));
    for (const statement of statementsOf(rest, context, this.#threshold, isPhrase)) {
      const draft = this.#standing(this.#statementDraft(turn, statement));
      drafts.push(draft);
      this.#lastDraft = draft;
      for (const sentence of splitSentences(statement.text)) this.#referents.hear(sentence);
    }
    const asked = closingQuestion(rest);
    if (asked !== null) this.#referents.hear(asked);
    if (pasted !== null) drafts.push(this.#pastedDraft(turn, pasted.label, announcement, pasted.text));
    return drafts;
  }

  #restate(text: string, turn: DialogueTurn): Restated {
    const addressee = addresseeOf(turn, this.#parties);
    const first = splitSentences(text);
    const referents = this.#referents;
    const { timestamp: instant, offsetMinutes } = turn;
    const ofOne = ONE_PERSON.test(text);
    const own = findNames(first[0] ?? "", referents.known).persons.filter(
      (name) => name !== turn.speaker && name !== addressee,
    );
    return restate(text, {
      speaker: nameOf(turn),
      addressee,
      antecedent: !ofOne || own.length > 1 ? null : (own[0] ?? referents.antecedent(turn, addressee)),
      place: referents.place(),
      reference: { instant, offsetMinutes, timeZone: this.#input.timeZone },
    });
  }

  #statementDraft(turn: DialogueTurn, statement: Statement): Draft {
    const byAssistant = turn.role === "assistant";
    const { text, mentions, unresolved } = this.#restate(statement.text, turn);
    const speaker = nameOf(turn);
    const said = byAssistant
      ? assistantSaid(text, speaker)
      : attributed(text, speaker, findNames(text, this.#referents.known).persons);
    return {
      turn,
      text: said,
      body: text,
      mentions,
      unresolved,
      sourceIds: [turn.dialogueId],
      confidence: byAssistant ? CONFIDENCE.reported : statement.isLoose ? CONFIDENCE.reported : CONFIDENCE.sure,
      about: isNamed(turn) ? [turn.speaker] : [],
    };
  }

  /** With the statement before it in brackets when the draft does not stand alone. */
  #standing(draft: Draft): Draft {
    const before = this.#lastDraft;
    if (draft.unresolved.length === 0 || before === null || before.unresolved.length > 0) return draft;
    const quote = [...before.text.replace(/["“”]/gu, "'")].slice(0, MAX_QUOTED_CHARS).join("");
    return {
      ...draft,
      text: hasCjk(draft.text) ? `${draft.text}（前文：“${quote}”）` : `${draft.text} [after: "${quote}"]`,
      sourceIds: [...new Set([...before.sourceIds, ...draft.sourceIds])],
    };
  }

  #isEcho(text: string): boolean {
    const stems = tellingStems(text);
    const said = stems.filter((stem) => this.#saidByOthers.has(stem)).length;
    return stems.length > 0 && said / stems.length >= ECHO_SHARE;
  }

  /** A question and the short answer to it, as one statement. */
  #exchange(
    turn: DialogueTurn,
    prose: string,
    previous: DialogueTurn | undefined,
  ): { draft: Draft; rest: string } | null {
    if (previous === undefined || nameOf(previous) === nameOf(turn)) return null;
    const question = closingQuestion(wellFormed(previous.content));
    const reply = question === null ? null : bareAnswer(withoutVocatives(prose, this.#speakers));
    if (question === null || reply === null) return null;
    const gain = informationGain(question, { speakers: this.#speakers, turn: previous });
    if (isUnderThreshold(gain, this.#threshold)) return null;
    const asked = this.#restate(question, previous);
    const answered = this.#restate(reply.answer, turn);
    const known = this.#input.turns.includes(previous) ? [previous.dialogueId] : [];
    const draft: Draft = {
      turn,
      text: exchangeText(nameOf(previous), asked.text, nameOf(turn), answered.text, turn.role === "assistant"),
      body: `${asked.text} ${answered.text}`,
      mentions: [...answered.mentions, ...asked.mentions],
      unresolved: [...asked.unresolved, ...answered.unresolved],
      sourceIds: [...known, turn.dialogueId],
      confidence: turn.role === "assistant" ? CONFIDENCE.reported : CONFIDENCE.sure,
      about: [previous, turn].filter(isNamed).map((one) => one.speaker),
    };
    return { draft, rest: reply.rest };
  }

  #toolDraft(turn: DialogueTurn): Draft[] {
    const text = wellFormed(turn.content);
    const { persons, entities } = findNames(text, this.#referents.known);
    const holdsDetail = /\d/u.test(text) || persons.length + entities.length > 0;
    if (!holdsDetail) return [];
    return [this.#block(turn, `${capitalised(nameOf(turn))} returned: `, partPastedText(text))];
  }

  #pastedDraft(turn: DialogueTurn, label: string, announcement: string, text: string): Draft {
    const lead = tellingStems(announcement).length > 1 ? ` (${this.#restate(announcement, turn).text})` : "";
    return this.#block(turn, `${capitalised(nameOf(turn))} pasted ${label}${lead}: `, text);
  }

  #block(turn: DialogueTurn, lead: string, body: string): Draft {
    const about = isNamed(turn) ? [turn.speaker] : [];
    const sourceIds = [turn.dialogueId];
    return {
      turn,
      text: lead + body,
      body,
      mentions: [],
      unresolved: [],
      sourceIds,
      confidence: CONFIDENCE.reported,
      about,
    };
  }

  #itemOf(draft: Draft): ExtractedItem {
    const { turn, text, body, mentions, unresolved } = draft;
    if (unresolved.length > 0) {
      this.#openQuestions.push(`What does ${quoted(unresolved)} mean in: ${text.slice(0, REJECTED_TEXT_CHARS)}`);
    }
    const found = findNames(text, this.#referents.known);
    const persons = [...new Set([...draft.about, ...found.persons.filter((name) => !isSmallTalk(name))])];
    const entities = found.entities.filter((name) => !isSmallTalk(name));
    const names = [...persons, ...entities];
    const mention = mentions.find(({ kind }) => kind === "date") ?? null;
    const keywords = keywordsOf(body, names);
    const kind = kindOf(body, mention, turn.timestamp);
    return {
      losslessRestatement: text,
      keywords,
      timestamp: mention?.from ?? null,
      timestampEnd: mention?.to ?? null,
      mentionedAt: turn.timestamp,
      location: placeOf(body, persons),
      persons,
      entities,
      topic: topicOf(body, keywords, names),
      attributes: attributesOf(text),
      kind,
      speaker: turn.speaker,
      sourceRole: turn.role,
      sourceIds: draft.sourceIds,
      confidence: unresolved.length > 0 ? CONFIDENCE.unsure : draft.confidence,
      importance: importanceOf(text, kind),
    };
  }

  #admit(item: ExtractedItem, items: ExtractedItem[], rejections: Rejection[]): void {
    const { turns, context, timeZone, windowId } = this.#input;
    const { problems } = checkItem(item, turns, context, { timeZone, neighbours: this.#input.neighbours });
    const fatal = problems.find(({ code }) => !TOLERATED.has(code));
    if (fatal !== undefined) {
      const text = item.losslessRestatement.slice(0, REJECTED_TEXT_CHARS);
      rejections.push({ reason: `${fatal.code}: ${fatal.detail}`, text, windowId });
      return;
    }
    const confidence = problems.length > 0 ? Math.min(item.confidence, CONFIDENCE.unsure) : item.confidence;
    items.push({ ...item, confidence });
  }
}

/** What was said: without injected memory (it is known already), lone surrogates and control characters. */
function wellFormed(text: string): string {
  return stripContextBlocks(text)
    .toWellFormed()
    .replace(/(?![\n\t])[\p{Cc}\uFFFD]/gu, "");
}

function partPastedText(text: string): string {
  const fence = "```";
  return partPasted(`${fence}\n${text}\n${fence}`).pasted?.text ?? text;
}

/** The assistant stays the subject: what it says about the user is its word, not the user's. */
function assistantSaid(text: string, speaker: string): string {
  if (text.toLowerCase().startsWith(speaker.toLowerCase())) return text;
  return hasCjk(text) ? `${speaker}说：${text}` : `${capitalised(speaker)} said: ${text}`;
}

function exchangeText(asker: string, question: string, answerer: string, answer: string, byAssistant: boolean): string {
  const reply = capitalised(answer);
  if (hasCjk(question)) return `${asker}问：“${question}”${answerer}回答：“${reply}”`;
  return byAssistant
    ? `${capitalised(answerer)} was asked by ${asker}: "${question}" and answered: "${reply}"`
    : `${capitalised(asker)} asked: "${question}" ${capitalised(answerer)} answered: "${reply}"`;
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(", ");
}
