import { contentStems, findNames, Pace, splitSentences, ZoneOffsets } from "../../language/index.js";
import type { DialogueTurn, ExtractedItem, Rejection } from "../../records/index.js";
import { stripContextBlocks } from "../../retrievers/index.js";
import { countDetails, informationGain, isSmallTalk, isUnderThreshold, tellingStems } from "./density.js";
import { bareAnswer, closingQuestion } from "./exchange.js";
import type { ExtractInput, ExtractOutput } from "./extractor.js";
import { createItemCheck, type GuardCode, type GuardResult } from "./guards.js";
import { doubted } from "./judge.js";
import { addresseeOf, isNamed, nameOf, type Parties, partiesOf } from "./parties.js";
import { isLong, partsOf } from "./parts.js";
import { partPasted, withoutAnnouncement } from "./pasted.js";
import { Referents } from "./referents.js";
import { attributed, capitalised, type Restated, restate } from "./restate.js";
import { assistantSaid, CONFIDENCE, type Draft, exchangeText, itemOf, questionText } from "./rules-draft.js";
import { isQuestion, type Statement, statementsOf } from "./statements.js";
import { withoutVocatives } from "./vocatives.js";

/** What the rules may leave standing, with lowered confidence: the words are the speaker's own. */
const TOLERATED: ReadonlySet<GuardCode> = new Set<GuardCode>([
  "bare_pronoun",
  "relative_time",
  "ungrounded_name",
  "ungrounded_number",
  "lost_negation",
  "lost_condition",
  "added_condition",
]);
/** An assistant's sentence of which this share was said by others before is an echo. */
const ECHO_SHARE = 0.8;
/** Phrases by which an assistant keeps the talk going. */
const ASSISTANT_PHRASE =
  /^(?:let me know|feel free|i can help|i'd be happy|i’d be happy|happy to help|i['’]?ll (?:remember|note|keep)|i(?:['’]ve| have) (?:noted|saved)|is there anything|as an ai|here (?:is|are)|would you like|noted|got it|sure|of course|great question)\b|^(?:我会记住|已记录|好的|请告诉我|如果您?需要)/iu;
const REJECTED_TEXT_CHARS = 120;

/** The questions of a turn, which wait for an answer. */
interface Asked {
  readonly turn: DialogueTurn;
  readonly questions: readonly string[];
  /** The last one, restated, if the turn ends with it. */
  readonly closing: (Restated & { readonly said: string }) | null;
}

type ItemCheck = (item: ExtractedItem) => GuardResult;

/** Who is named in a window. */
interface WindowNames {
  readonly speakers: readonly string[];
  /** Names that are certainly persons. */
  readonly known: readonly string[];
}

/** A name at the head of a sentence is known for one by its other mentions. */
export async function namesIn({ context, turns, neighbours }: ExtractInput): Promise<WindowNames> {
  const all = [...context, ...turns];
  const speakers = [...new Set(all.filter(isNamed).map((turn) => turn.speaker))];
  const texts = [...all.filter(({ role }) => role !== "system").map(({ content }) => content), ...neighbours];
  const known = new Set(speakers);
  const pace = new Pace();
  for (const part of texts.flatMap((text) => [...partsOf(text)])) {
    for (const name of findNames(part, speakers).persons) if (!isSmallTalk(name)) known.add(name);
    await pace.after(part);
  }
  return { speakers, known: [...known] };
}

/** One pass over one window. Lives as long as one call. */
export class WindowReading {
  readonly #input: ExtractInput;
  readonly #threshold: number;
  readonly #parties: Parties;
  readonly #speakers: readonly string[];
  readonly #zone: ZoneOffsets;
  readonly #known: readonly string[];
  readonly #referents: Referents;
  readonly #saidByOthers = new Set<string>();
  readonly #openQuestions: string[] = [];
  readonly #items: ExtractedItem[] = [];
  readonly #rejections: Rejection[] = [];
  /** The turns that are read in one go. */
  readonly #short: readonly DialogueTurn[];
  readonly #check: ItemCheck;
  #previous: DialogueTurn | undefined;
  #asked: Asked | null = null;

  /** @param names who is named in the window */
  constructor(input: ExtractInput, threshold: number, { speakers, known }: WindowNames) {
    this.#input = input;
    this.#zone = new ZoneOffsets(input.timeZone);
    this.#threshold = threshold;
    this.#parties = partiesOf([...input.context, ...input.turns]);
    this.#speakers = speakers;
    this.#known = known;
    this.#referents = new Referents(this.#known);
    this.#short = input.turns.filter(({ content }) => !isLong(content));
    this.#check = this.#checkOf(this.#short);
  }

  /** Hands control back to the event loop between the parts of long turns. */
  async read(signal?: AbortSignal): Promise<ExtractOutput> {
    const pace = new Pace();
    // What was said before explains; nothing is extracted from it.
    for (const turn of this.#input.context.filter(isTalk)) {
      for (const { text } of this.#partsRead(turn)) await pace.after(text);
    }
    // Questions of the context were kept with their own window; here they only wait for their answer.
    this.#asked = this.#asked && { ...this.#asked, questions: [] };
    for (const turn of this.#input.turns) {
      for (const { text, drafts } of this.#partsRead(turn)) {
        signal?.throwIfAborted();
        // Reading a part and checking what it gave take about as long.
        await pace.after(text);
        const check = isLong(turn.content) ? this.#checkOf([...this.#short, { ...turn, content: text }]) : this.#check;
        for (const draft of drafts) this.#admit(draft, check);
        if (turn.role === "user") for (const stem of contentStems(text)) this.#saidByOthers.add(stem);
        await pace.after(text);
      }
    }
    for (const draft of this.#unansweredDrafts()) this.#admit(draft, this.#check);
    return {
      items: this.#items,
      rejections: this.#rejections,
      openQuestions: this.#openQuestions,
      incomplete: false,
    };
  }

  #checkOf(turns: readonly DialogueTurn[]): ItemCheck {
    const { context, neighbours } = this.#input;
    return createItemCheck(
      turns,
      context.filter(({ content }) => !isLong(content)),
      { neighbours },
    );
  }

  *#partsRead(turn: DialogueTurn): Generator<{ text: string; drafts: readonly Draft[] }> {
    if (turn.role === "system") return;
    if (turn.role === "tool") {
      yield { text: turn.content, drafts: toolDraft(turn, this.#known) };
      return;
    }
    const { prose: said, pasted } = partPasted(wellFormed(turn.content));
    const { prose, announcement } = pasted === null ? { prose: said, announcement: "" } : withoutAnnouncement(said);
    for (const part of partsOf(prose)) yield { text: part, drafts: this.#draftsOf(turn, part) };
    if (pasted === null) return;
    yield { text: pasted.text, drafts: [this.#pastedDraft(turn, pasted.label, announcement, pasted.text)] };
  }

  #draftsOf(turn: DialogueTurn, prose: string): Draft[] {
    const exchange = this.#exchange(turn, prose);
    const drafts = this.#unansweredDrafts(exchange !== null);
    if (exchange !== null) drafts.push(exchange.draft);
    const rest = exchange?.rest ?? prose;
    for (const statement of this.#statementsOf(turn, rest)) drafts.push(this.#statementDraft(turn, statement));
    this.#asked = this.#askedIn(turn, rest);
    this.#previous = turn;
    return drafts;
  }

  #statementsOf(turn: DialogueTurn, text: string): Statement[] {
    const isPhrase = (sentence: string): boolean =>
      turn.role === "assistant" && (ASSISTANT_PHRASE.test(sentence) || this.#isEcho(sentence));
    return statementsOf(text, { speakers: this.#speakers }, this.#threshold, isPhrase);
  }

  #restate(text: string, turn: DialogueTurn): Restated {
    const addressee = addresseeOf(turn, this.#parties, this.#previous);
    const { timestamp: instant, offsetMinutes } = turn;
    const talking = [nameOf(turn), turn.speaker, addressee];
    return restate(text, {
      speaker: nameOf(turn),
      addressee,
      thirdPerson: (pronoun, before) => this.#referents.thirdPerson(pronoun, before, talking),
      place: this.#referents.place(),
      reference: { instant, offsetMinutes, timeZone: this.#input.timeZone, zone: this.#zone },
    });
  }

  #statementDraft(turn: DialogueTurn, statement: Statement): Draft {
    const byAssistant = turn.role === "assistant";
    const restated = this.#restate(statement.text, turn);
    const { text, mentions, unresolved } = restated;
    const speaker = nameOf(turn);
    const said = byAssistant
      ? assistantSaid(text, speaker)
      : attributed(text, speaker, findNames(text, this.#known).persons);
    const draft: Draft = {
      turn,
      text: said,
      body: text,
      mentions,
      unresolved,
      sourceIds: [turn.dialogueId],
      confidence: byAssistant || statement.isLoose ? CONFIDENCE.reported : CONFIDENCE.sure,
      about: isNamed(turn) ? [turn.speaker] : [],
    };
    const standing = this.#standing(draft, restated.leansOn);
    for (const sentence of splitSentences(statement.text)) {
      this.#referents.hear({ text: sentence, restated: said, turnId: turn.dialogueId });
    }
    return standing;
  }

  /** With the sentence that explains it in brackets when the draft does not stand alone. */
  #standing(draft: Draft, leansOn: string | null): Draft {
    const unclear = draft.unresolved.length > 0 ? draft.unresolved : leansOn === null ? [] : [leansOn];
    const source = this.#referents.sentenceFor(unclear);
    if (source === null) return draft;
    const isOwnTurn = this.#input.turns.some(({ dialogueId }) => dialogueId === source.turnId);
    return {
      ...draft,
      quote: source.restated,
      ...(isOwnTurn && !draft.sourceIds.includes(source.turnId) ? { quotedTurn: source.turnId } : {}),
      sourceIds: isOwnTurn ? [...new Set([...draft.sourceIds, source.turnId])] : draft.sourceIds,
    };
  }

  #isEcho(text: string): boolean {
    const stems = tellingStems(text);
    const said = stems.filter((stem) => this.#saidByOthers.has(stem)).length;
    return stems.length > 0 && said / stems.length >= ECHO_SHARE;
  }

  /** What a turn asks: its questions that hold a detail, and the one that it ends with. */
  #askedIn(turn: DialogueTurn, text: string): Asked | null {
    const context = { speakers: this.#speakers };
    const plain = withoutVocatives(text, this.#speakers);
    const said = closingQuestion(plain);
    const questions = splitSentences(plain).filter(
      (sentence) => isQuestion(sentence) && countDetails(sentence, context) > 0,
    );
    if (said === null) return questions.length === 0 ? null : { turn, questions, closing: null };
    const restated = this.#restate(said, turn);
    this.#referents.hear({ text: said, restated: restated.text, turnId: turn.dialogueId });
    return { turn, questions, closing: { ...restated, said } };
  }

  /** Questions that nobody answered in a word, if they hold a number, date, amount or name: those are never dropped. */
  #unansweredDrafts(closingIsAnswered = false): Draft[] {
    const asked = this.#asked;
    this.#asked = null;
    if (asked === null) return [];
    const { turn } = asked;
    const questions = asked.questions.filter((question) => !closingIsAnswered || question !== asked.closing?.said);
    if (questions.length === 0) return [];
    const { text, mentions, unresolved } = this.#restate(questions.join(" "), turn);
    return [
      {
        turn,
        text: questionText(nameOf(turn), text),
        body: text,
        mentions,
        unresolved: unresolved.filter((word) => word === "a relative time"),
        sourceIds: [turn.dialogueId],
        confidence: CONFIDENCE.reported,
        about: isNamed(turn) ? [turn.speaker] : [],
        kind: "fact",
      },
    ];
  }

  /** A question and the short answer to it, as one statement. */
  #exchange(turn: DialogueTurn, prose: string): { draft: Draft; rest: string } | null {
    const asked = this.#asked;
    if (asked === null || asked.closing === null || nameOf(asked.turn) === nameOf(turn)) return null;
    const reply = bareAnswer(withoutVocatives(prose, this.#speakers));
    if (reply === null) return null;
    const context = { speakers: this.#speakers };
    if (isUnderThreshold(informationGain(`${asked.closing.text} ${reply.answer}`, context), this.#threshold))
      return null;
    const byAssistant = turn.role === "assistant";
    const answered = this.#restate(reply.answer, turn);
    const known = this.#input.turns.includes(asked.turn) ? [asked.turn.dialogueId] : [];
    const draft: Draft = {
      turn,
      text: exchangeText(nameOf(asked.turn), asked.closing.text, nameOf(turn), answered.text, byAssistant),
      body: `${asked.closing.text} ${answered.text}`,
      mentions: [...answered.mentions, ...asked.closing.mentions],
      unresolved: [...asked.closing.unresolved, ...answered.unresolved],
      sourceIds: [turn.dialogueId, ...known],
      confidence: byAssistant ? CONFIDENCE.reported : CONFIDENCE.sure,
      about: [asked.turn, turn].filter(isNamed).map((one) => one.speaker),
    };
    this.#referents.hear({ text: reply.answer, restated: draft.text, turnId: turn.dialogueId });
    return { draft, rest: reply.rest };
  }

  #pastedDraft(turn: DialogueTurn, label: string, announcement: string, text: string): Draft {
    const lead = tellingStems(announcement).length > 1 ? ` (${this.#restate(announcement, turn).text})` : "";
    return blockDraft(turn, `${capitalised(nameOf(turn))} pasted ${label}${lead}: `, text);
  }

  #admit(draft: Draft, check: ItemCheck): void {
    const { windowId } = this.#input;
    if (draft.unresolved.length > 0) {
      const words = draft.unresolved.map((word) => `"${word}"`).join(", ");
      this.#openQuestions.push(`What does ${words} mean in: ${draft.text.slice(0, REJECTED_TEXT_CHARS)}`);
    }
    const item = itemOf(draft, this.#known);
    const { problems } = check(item);
    const fatal = problems.find(({ code }) => !TOLERATED.has(code));
    if (fatal !== undefined) {
      const text = item.losslessRestatement.slice(0, REJECTED_TEXT_CHARS);
      this.#rejections.push({ reason: `${fatal.code}: ${fatal.detail}`, text, windowId });
      return;
    }
    // A pronoun whose owner the statement itself names is clear enough.
    const doubts = problems.filter(({ code }) => code !== "bare_pronoun" || draft.unresolved.length > 0);
    const [doubt] = doubts;
    this.#items.push(doubt === undefined ? item : doubted(item, doubt.code, CONFIDENCE.unsure));
  }
}

function isTalk(turn: DialogueTurn): boolean {
  return turn.role !== "system" && turn.role !== "tool";
}

/** What was said: without injected memory (it is known already), lone surrogates and control characters. */
function wellFormed(text: string): string {
  return stripContextBlocks(text)
    .toWellFormed()
    .replace(/(?![\n\t])[\p{Cc}\uFFFD]/gu, "");
}

function toolDraft(turn: DialogueTurn, known: readonly string[]): Draft[] {
  const text = wellFormed(turn.content);
  const { persons, entities } = findNames(text, known);
  const holdsDetail = /\d/u.test(text) || persons.length + entities.length > 0;
  return holdsDetail ? [blockDraft(turn, `${capitalised(nameOf(turn))} returned: `, partPastedText(text))] : [];
}

function partPastedText(text: string): string {
  const fence = "```";
  return partPasted(`${fence}\n${text}\n${fence}`).pasted?.text ?? text;
}

function blockDraft(turn: DialogueTurn, lead: string, body: string): Draft {
  return {
    turn,
    text: lead + body,
    body,
    mentions: [],
    unresolved: [],
    sourceIds: [turn.dialogueId],
    confidence: CONFIDENCE.reported,
    about: isNamed(turn) ? [turn.speaker] : [],
  };
}
