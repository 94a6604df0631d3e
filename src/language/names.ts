import { findChineseNames } from "./names-chinese.js";
import { isPastVerb } from "./verbs.js";
import { isStopWord } from "./words.js";

export interface Names {
  readonly persons: string[];
  readonly entities: string[];
}

type Kind = "person" | "entity";

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Run {
  readonly words: readonly Word[];
  readonly start: number;
  readonly end: number;
}

const UPPER = /\p{Lu}/u;
const WORD =
  /[\p{Script=Latin}\d][\p{Script=Latin}\d&-]*(?:\.[\p{Script=Latin}\d]+)*(?:['’](?!s\b)\p{Script=Latin}+)?/gu;
const HANDLE = /(?<![\w.+-])@[\p{L}\d_](?:[\p{L}\d_.-]*[\p{L}\d_])?/gu;
const ADDRESS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?:\/\/\S+|`[^`\n]*`/gu;
/** Without one of these there is no address. */
const ADDRESS_HINT = /[@`]|http/u;
const QUOTED_TITLE = /"(\p{Lu}[^"\n]{1,60})"|“(\p{Lu}[^”\n]{1,60})”|《([^》\n]{1,40})》/gu;
const TITLED =
  /\b(?:Dr|Mr|Mrs|Ms|Prof|St)\.?\s\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)?|\b(?:Doctor|Professor|Miss|Sir|Madam|Coach|Captain|Aunt|Uncle|Grandma|Grandpa|Auntie)\s\p{Lu}[\p{L}'’-]+/gu;
const CAPITALISED = /^\p{Lu}[\p{L}'’-]*\p{Ll}|^\p{Lu}\.?$/u;
const ACRONYM = /^(?=.*\p{Lu}.*\p{Lu})[\p{Lu}\d&-]{2,}s?$/u;
const PRODUCT =
  /^(?:\p{Ll}{1,2}\p{Lu}\p{L}+|\p{Lu}\p{L}*\p{Ll}\p{Lu}[\p{L}\d]*|(?=\p{L}*\d)\p{Lu}[\p{L}\d-]*\d[\p{L}\d-]*)$/u;
const SENTENCE_START = /(?:^|[.!?…:\n]["”’)]*\s*|^\s*[-*•>]\s*|["“(]\s*)$/u;
const TITLE_ABBREVIATION = /\b(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr)\.\s*$/u;
const CONNECTOR = /^(?:of|the|de|van|von|der|la|le|del|and|for)$/u;

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

/** Capitalised by rule of spelling, yet never a name. */
const CALENDAR_WORDS = words(
  "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays january february march april may june july august september october november december mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec am pm",
);
const NOT_ACRONYMS = words(
  "ok lol omg am pm btw fyi imo imho idk tbh asap rsvp diy wow yay yes no hi bff ps aka etc tldr the and not so very all i a",
);
/** Words that open sentences; with a capital there, they say nothing. */
const OPENERS = words(
  "hey hi hello wow thanks thank great awesome amazing congrats congratulations sounds sure yeah yep nope yes no oh well good nice cool glad happy sorry please let lets let's haha aw aww absolutely definitely totally exactly really actually maybe perhaps also then there here now today tomorrow yesterday tonight last next this that these those it's its what's that's there's here's how's who's where's i'm i've i'll i'd we're we've you're they're he's she's don't can't won't didn't isn't aren't what when where why how who which whose did do does is are was were have has had can could will would should shall may might must am be been got get getting been looks look seems remember tell ask see take keep make give go come try call send book buy check find meet think know hope wish feel love like need want check wait stop start finish never always sometimes often usually once twice since because although though while after before during until unless if as at by for from in into of off on onto out over through to under up with without about above across against along among around another any anyone anything every everyone everything each either neither both few many most much more less some someone something such all none nobody nothing one two three four five six seven eight nine ten first second third finally lately recently currently eventually suddenly luckily unfortunately hopefully honestly personally apparently anyway besides instead meanwhile however therefore thus hence otherwise just only even still already yet again almost enough quite rather so too very especially speaking talking seeing looking going working being having doing making taking mom dad mum mother father grandma grandpa bro dude guys everyone people kids family friends work life time music art nature painting reading running hiking swimming cooking dancing note reminder update question answer important ready welcome bye goodbye cheers dear true false right wrong okay ok alright hm hmm um uh ah ooh yum mm psst pff ugh yea yup nah bravo woohoo ouch oops my your his her our their i you he she it we they me him us them and but or nor the a an not interesting beautiful wonderful fantastic perfect excellent incredible lovely sweet best better big small new old long short hard easy fun funny bad sad tough crazy super pretty cute agreed indeed seriously plus despite whether whatever whenever wherever whoever somehow somewhere sometime could've would've should've it'll that'll",
);
const PLACE_WORDS = words(
  "street road avenue park museum cafe café hotel city river lake mount mountain mountains island beach bay university college school academy institute hospital clinic library theatre theater center centre club festival airport station bridge bar restaurant church market mall gym inc corp ltd llc company bank group foundation association society team project app conference fair league cup award awards prize day week north south east west san los las new saint",
);
/** What stands before the name of a person, and before that of a place or thing. */
const PERSON_BEFORE =
  /\b(?:with|met|told|named|called|asked|married|dating|friend|cat|dog|puppy|kitten|horse|parrot|rabbit|brother|sister|son|daughter|tell|ask|meet|invite|thank|hug|text|wife|husband|boss|colleague|cousin|aunt|uncle|mom|dad|mother|father|neighbou?r|partner|girlfriend|boyfriend|teacher|coach|hey|hi|hello|thanks|dear|miss|congrats|and|am|i['’]m|name is|invited|saw|hugged|call|by|for|to see|emailed|texted)[,:]?\s+$|,\s+$/iu;
const ENTITY_BEFORE =
  /\b(?:in|at|to|from|near|the|a|an|into|visit|visited|visiting|through|via|across|around|of|using|use|used|learn|learning|play|played|playing|watch|watched|read|reading|bought|drive|drove|speak|speaks)\s+$/iu;
const PERSON_AFTER =
  /^(?:['’]s\s+(?:\p{Ll}+\s+)?(?:birthday|house|wife|husband|mom|dad|mother|father|sister|brother|son|daughter|car|job|idea|phone|boyfriend|girlfriend|dog|cat|kids)|\s+(?:\p{Ll}+ly\s+)?(?:said|says|told|tells|asked|asks|thinks|thought|loves|loved|likes|liked|wants|wanted|went|goes|came|called|calls|met|has|had|is|was|will|would|feels|felt|lives|lived|works|worked|got|gets|made|bought|prefers|hates|knows|needs|moved|married|plays|played|joined|started|baked|painted|wrote|sent|gave|took|lost|ran|and \p{Lu}\p{Ll}+)(?![\p{L}])|\s*:\s)/u;
const CALLED_AFTER = /^[!,?]/u;
/** "Maren, my sister, …" */
const EXPLAINED_AFTER = /^, (?:my|his|her|our|who|an?|the)\s/u;
const PERSONAL_PRONOUN = /\b(?:he|she|his|her|him)\b/iu;
const SENTENCE_REST = /^[^.!?]*/u;

/** "Pottery is", "Clay has been": as likely said of a thing, unless something that persons do follows. */
const THING_AFTER =
  /^\s+(?:is|was|will|would|has|had|works|made|gives|gets|got)\b(?!\s+(?:\p{Ll}+(?:ing|ed)|my|our|your|from|at|in|here|back|\d+)(?!\p{L}))/u;

function isCapitalised(word: string): boolean {
  return UPPER.test(word) && (CAPITALISED.test(word) || ACRONYM.test(word) || PRODUCT.test(word));
}

function neverName(word: string): boolean {
  const key = word.toLowerCase().replaceAll("’", "'");
  return CALENDAR_WORDS.has(key) || key === "i" || /^i'/u.test(key);
}

/** True for a word that a sentence may open with and that is no name. */
function isCommonOpener(word: string): boolean {
  const key = word.toLowerCase().replaceAll("’", "'");
  return OPENERS.has(key) || isStopWord(key) || /(?:ing|ly|n't)$/u.test(key);
}

/** Capitalised words side by side, with small connectors between them ("Bank of America"). */
function capitalisedRuns(text: string): Run[] {
  const all: Word[] = Array.from(text.matchAll(WORD), (match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
  const runs: Word[][] = [];
  let current: Word[] = [];
  const close = (): void => {
    if (current.length > 0) runs.push(current);
    current = [];
  };
  all.forEach((word, index) => {
    const last = current.at(-1);
    if (last !== undefined && !/^ $/u.test(text.slice(last.end, word.start))) close();
    if (isCapitalised(word.text) && !neverName(word.text)) current.push(word);
    else if (current.length > 0 && /^\d{1,4}$/u.test(word.text)) current.push(word);
    else if (current.length > 0 && joinsNames(text, all, index)) current.push(word);
    else close();
  });
  close();
  return runs.map(asRun);
}

function asRun(list: readonly Word[]): Run {
  return { words: list, start: list[0]?.start ?? 0, end: list.at(-1)?.end ?? 0 };
}

/** "of" in "Bank of America": a connector with capitalised words, or "the" and such words, after it. */
function joinsNames(text: string, all: readonly Word[], index: number): boolean {
  const word = all[index];
  const next = all[index + 1];
  if (word === undefined || next === undefined || !CONNECTOR.test(word.text)) return false;
  if (word.text === "and" || word.text === "for" || text.slice(word.end, next.start) !== " ") return false;
  if (isCapitalised(next.text) && !neverName(next.text)) return true;
  return word.text !== "the" && next.text === "the" && joinsNames(text, all, index + 1);
}

function startsSentence(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 12), at);
  return SENTENCE_START.test(before) && !TITLE_ABBREVIATION.test(before);
}

/** The run without the common words that it owes to the start of a sentence; null when nothing is left. */
function withoutOpeners(run: Run, text: string): Run | null {
  if (!startsSentence(text, run.start)) {
    const rest = run.words.filter((word, index) => index > 0 || !isStopWord(word.text) || ACRONYM.test(word.text));
    return rest.length === 0 ? null : asRun(rest);
  }
  let first = 0;
  while (first < run.words.length && isCommonOpener(run.words[first]?.text ?? "")) first++;
  return first === run.words.length ? null : asRun(run.words.slice(first));
}

/** A lone capitalised word at the start of a sentence is a name only with a sign of it. */
function isNameAtStart(run: Run, text: string): boolean {
  if (run.words.length > 1) return true;
  const word = run.words[0]?.text ?? "";
  if (PRODUCT.test(word) || ACRONYM.test(word)) return true;
  const after = text.slice(run.end);
  if ((PERSON_AFTER.test(after) && !THING_AFTER.test(after)) || EXPLAINED_AFTER.test(after)) return true;
  return doesLikeAPerson(after) || standsInside(word, text);
}

/** A word and a comma, at most. */
const LOOKED_BACK = 30;
const ENDS_IN_WORD = /\p{Ll}\p{L}*,?$/u;
const LETTER_FIRST = /^\p{L}/u;

/** Whether the word stands capitalised after another word, where no sentence begins. */
function standsInside(word: string, text: string): boolean {
  for (let at = text.indexOf(` ${word}`); at >= 0; at = text.indexOf(` ${word}`, at + 1)) {
    const before = text.slice(Math.max(0, at - LOOKED_BACK), at);
    if (ENDS_IN_WORD.test(before) && !LETTER_FIRST.test(text.slice(at + 1 + word.length))) return true;
  }
  return false;
}

/** "Liv changed her mind": a verb, and a pronoun for a person in the rest of the sentence. */
function doesLikeAPerson(after: string): boolean {
  const verb = /^\s+(?:\p{Ll}+ly\s+)?(\p{Ll}+)(?=\s)/u.exec(after)?.[1];
  if (verb === undefined || !(isPastVerb(verb) || /[^s]s$/u.test(verb))) return false;
  return PERSONAL_PRONOUN.test(SENTENCE_REST.exec(after)?.[0] ?? "");
}

function kindOf(run: Run, text: string): Kind {
  const name = text.slice(run.start, run.end);
  const parts = run.words.map((word) => word.text);
  if (parts.some((word) => PRODUCT.test(word) || ACRONYM.test(word) || /\d/u.test(word))) return "entity";
  if (parts.length > 1 && parts.some((word) => PLACE_WORDS.has(word.toLowerCase()))) return "entity";
  if (parts.length > 3 || /\s(?:of|the|for)\s/u.test(name)) return "entity";
  const before = text.slice(Math.max(0, run.start - 24), run.start);
  const after = text.slice(run.end);
  if ((PERSON_AFTER.test(after) || CALLED_AFTER.test(after)) && !/\b(?:in|at|the|from|near)\s+$/iu.test(before))
    return "person";
  if (ENTITY_BEFORE.test(before)) return "entity";
  return PERSON_BEFORE.test(before) || startsSentence(text, run.start) ? "person" : "entity";
}

/** Texts that shout: their capitals tell nothing. */
function isShouting(text: string): boolean {
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  if (capitals < 8) return false;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters > 12 && capitals > letters * 0.6;
}

class NameCollector {
  readonly persons = new Set<string>();
  readonly entities = new Set<string>();
  #rest: string;

  constructor(private readonly text: string) {
    this.#rest = text;
  }

  get rest(): string {
    return this.#rest;
  }

  add(kind: Kind, name: string): void {
    (kind === "person" ? this.persons : this.entities).add(name);
  }

  /** Takes what the pattern matches out of the text, so that no later rule reads it again. */
  take(pattern: RegExp, use: (match: RegExpMatchArray) => void): void {
    this.#rest = this.#rest.replace(pattern, (...args) => {
      const matched = String(args[0]);
      const offset = args.find((value) => typeof value === "number");
      const match = this.text.slice(Number(offset)).match(new RegExp(pattern.source, pattern.flags.replace("g", "")));
      if (match !== null) use(match);
      return " ".repeat(matched.length);
    });
  }
}

/** Whether the form stands somewhere as words of its own, and not in an address. */
function standsAlone(form: string, text: string): boolean {
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
    const end = at + form.length;
    const isOpen = !/[\p{L}\d@]$/u.test(text.slice(Math.max(0, at - 2), at));
    if (isOpen && !/^[\p{L}\d]/u.test(text.slice(end, end + 2))) return true;
  }
  return false;
}

/** Full names first, then first names that belong to one known person alone. */
function takeKnown(names: NameCollector, known: readonly string[]): void {
  const near = known.filter((name) => names.rest.includes(name.split(/\s+/u)[0] ?? name));
  const firstNames = near.map((name) => name.split(/\s+/u)[0] ?? name);
  for (const name of near.toSorted((left, right) => right.length - left.length)) {
    const forms = [name];
    const first = name.split(/\s+/u)[0] ?? name;
    if (first !== name && first.length > 1 && firstNames.filter((other) => other === first).length === 1)
      forms.push(first);
    for (const form of forms.filter((one) => one.trim() !== "")) {
      if (!names.rest.includes(form)) continue;
      // The words stay in the text as a context for the names beside them.
      if (/\p{Script=Han}/u.test(form) || standsAlone(form, names.rest)) names.add("person", name);
    }
  }
}

function isPartOfKnown(name: string, known: readonly string[]): boolean {
  return known.some((one) => one === name || one.split(/\s+/u)[0] === name || one.endsWith(` ${name}`));
}

/**
 * The persons and entities that a text names, without a dictionary of names: known speakers, titles, handles,
 * capitalised words that their place does not explain, quoted titles, acronyms and product-like words, and Chinese
 * names with a surname. Weekdays, months and pronouns are never names.
 *
 * @param known Names that are certainly persons, such as the speakers; a first name is returned as the full name.
 * @example findNames("Tom moved to Lisbon", []) // { persons: ["Tom"], entities: ["Lisbon"] }
 */
export function findNames(text: string, known: readonly string[]): Names {
  const names = new NameCollector(text);
  if (ADDRESS_HINT.test(text)) names.take(ADDRESS, () => {});
  takeKnown(names, known);
  if (text.includes("@")) names.take(HANDLE, (match) => names.add("person", match[0]));
  if (/["“《]/u.test(text))
    names.take(QUOTED_TITLE, (match) => {
      const title = match[1] ?? match[2] ?? match[3] ?? "";
      if (match[3] !== undefined || looksLikeTitle(title)) names.add("entity", title);
    });
  names.take(TITLED, (match) => names.add("person", match[0]));
  if (!isShouting(text)) addRuns(names, known);
  for (const [kind, name] of findChineseNames(names.rest)) if (!isPartOfKnown(name, known)) names.add(kind, name);
  return { persons: [...names.persons], entities: [...names.entities].filter((name) => !names.persons.has(name)) };
}

/** A title has capitals on its telling words and no end of a sentence. */
function looksLikeTitle(quoted: string): boolean {
  const telling = quoted.split(/\s+/u).filter((word) => word.length > 3);
  return !/[.,!?]$/u.test(quoted) && telling.every((word) => /^[\p{Lu}\d]/u.test(word));
}

/** "Remind Marta Velden", "Marta Velden 2025": a known name in the run, with nothing before it and no number behind it. */
function fromKnown(run: Run, known: readonly string[]): Run {
  if (run.words.length === 1) return run;
  const firsts = new Set(known.map((name) => name.split(/\s+/u)[0] ?? name));
  const at = run.words.findIndex(({ text }) => firsts.has(text));
  if (at === -1) return run;
  const rest = run.words.slice(at);
  while (rest.length > 1 && /^\d+$/u.test(rest.at(-1)?.text ?? "")) rest.pop();
  return asRun(rest);
}

function addRuns(names: NameCollector, known: readonly string[]): void {
  const text = names.rest;
  for (const whole of capitalisedRuns(text)) {
    const opened = withoutOpeners(whole, text);
    const run = opened && fromKnown(opened, known);
    if (run === null) continue;
    const name = text.slice(run.start, run.end).replace(/['’]s$/u, "");
    const isLone = run.words.length === 1;
    if (isPartOfKnown(name, known) || (isLone && NOT_ACRONYMS.has(name.toLowerCase()))) continue;
    if (isLone && (name.length < 2 || (/^\d/u.test(name) && !/\p{Lu}/u.test(name)))) continue;
    if (run.start === whole.start && startsSentence(text, run.start) && !isNameAtStart(run, text)) continue;
    names.add(kindOf(run, text), name);
  }
}
