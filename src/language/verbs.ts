function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

const IRREGULAR_THIRD: Readonly<Record<string, string>> = Object.freeze({
  am: "is",
  are: "is",
  have: "has",
  do: "does",
  go: "goes",
  "don't": "does not",
  dont: "does not",
  "haven't": "has not",
  "aren't": "is not",
  "ain't": "is not",
});
const SECOND_PERSON_PAST: Readonly<Record<string, string>> = Object.freeze({ were: "was", "weren't": "was not" });

/** Verbs that have one form for all persons. */
const MODALS = words(
  "can could will would shall should may might must cannot can't couldn't won't wouldn't shan't shouldn't mightn't mustn't ought did didn't had hadn't was wasn't is isn't has hasn't does doesn't used",
);
const IRREGULAR_PAST = words(
  "went met saw got made took came gave found told said bought brought caught taught thought felt left lost won ran sang swam began became broke chose drove flew forgot grew heard held kept knew led paid rode sent slept spent spoke stood swept threw understood wore wrote built ate drank fell hit put cut let set quit read cost hurt shut beat sat bit blew dealt drew fed fought froze hid hung laid lent lit meant rang rose shook shone shot sold sank stole struck stuck swore tore woke wept bent bled bred dug dreamt learnt leapt lay overcame spun split spread sprang thrust upset withdrew mistook forgave gotten been done gone seen known taken given",
);
const PRESENT_IN_ED = words("need feed speed breed exceed proceed succeed bleed seed weed embed");
/** Words that may follow a subject and are no verb. */
const NO_VERB = words(
  "and or but nor so if than as of at by for with about into to from in on up out off over under the a an this that these those my your his her our their who whom which what when where why how because while since until not no yes too either neither both all any some more most very i you he she it we they me him us them then there here though although however today tomorrow yesterday tonight again before after during through guys folks two three",
);
/** Adverbs that stand between subject and verb. Those in -ly need no list. */
const ADVERBS = words(
  "also always never just still often sometimes even already only almost ever rather quite sure soon now then both kinda sorta honestly really",
);
/** Participles that tell "had" and "has" from "would" and "is". */
const PARTICIPLES = words(
  "been done gone seen known taken given got gotten had made met found told said bought brought caught taught thought felt left lost won run come become begun broken chosen driven flown forgotten grown heard held kept led paid ridden sent slept spent spoken stood understood worn written built eaten drunk fallen better put read",
);

function plain(word: string): string {
  return word.toLowerCase().replaceAll("’", "'");
}

export function isAdverb(word: string): boolean {
  const key = plain(word);
  return (
    ADVERBS.has(key) || (/..ly$/u.test(key) && key !== "reply" && key !== "apply" && key !== "rely" && key !== "fly")
  );
}

/** True for "been", "painted" and other forms that follow "have". */
export function isParticiple(word: string): boolean {
  const key = plain(word);
  return PARTICIPLES.has(key) || (/..ed$/u.test(key) && !PRESENT_IN_ED.has(key));
}

/** True when the word may be a verb in the present tense, as in "I love". */
export function mayBePresentVerb(word: string): boolean {
  const key = plain(word);
  if (IRREGULAR_THIRD[key] !== undefined) return true;
  if (!/^[a-z]{2,}$/u.test(key) || MODALS.has(key) || IRREGULAR_PAST.has(key) || NO_VERB.has(key)) return false;
  if (/ed$/u.test(key)) return PRESENT_IN_ED.has(key);
  return !/ing$/u.test(key) || key === "bring" || key === "sing" || key === "swing" || key === "cling";
}

/** True for a word that ends the doubt whether a subject stands before it: "are", "don't", "can". */
export function isAuxiliary(word: string): boolean {
  const key = plain(word);
  return MODALS.has(key) || IRREGULAR_THIRD[key] !== undefined || SECOND_PERSON_PAST[key] !== undefined;
}

/** True for a verb in the past tense. */
export function isPastVerb(word: string): boolean {
  const key = plain(word);
  return IRREGULAR_PAST.has(key) || (/..ed$/u.test(key) && !PRESENT_IN_ED.has(key));
}

/**
 * The third person singular of a verb that followed "I", "you" or "they"; past tenses and modals stay as they are.
 * @example thirdPerson("love") // "loves"
 */
export function thirdPerson(verb: string): string {
  const key = plain(verb);
  const irregular = IRREGULAR_THIRD[key] ?? SECOND_PERSON_PAST[key];
  if (irregular !== undefined)
    return /^\p{Lu}/u.test(verb) ? irregular.charAt(0).toUpperCase() + irregular.slice(1) : irregular;
  if (!mayBePresentVerb(verb)) return verb;
  if (/(?:[sxz]|ch|sh|o)$/u.test(key)) return `${verb}es`;
  return /[^aeiou]y$/u.test(key) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

/** Irregular pasts that are common in what people plan and do. */
const PRESENT_OF_PAST: Readonly<Record<string, string>> = Object.freeze({
  went: "go",
  gone: "go",
  met: "meet",
  saw: "see",
  seen: "see",
  got: "get",
  gotten: "get",
  made: "make",
  took: "take",
  taken: "take",
  came: "come",
  gave: "give",
  given: "give",
  found: "find",
  told: "tell",
  said: "say",
  bought: "buy",
  brought: "bring",
  caught: "catch",
  taught: "teach",
  thought: "think",
  left: "leave",
  lost: "lose",
  won: "win",
  ran: "run",
  sang: "sing",
  sung: "sing",
  swam: "swim",
  began: "begin",
  begun: "begin",
  became: "become",
  broke: "break",
  broken: "break",
  chose: "choose",
  chosen: "choose",
  drove: "drive",
  driven: "drive",
  flew: "fly",
  flown: "fly",
  grew: "grow",
  grown: "grow",
  heard: "hear",
  held: "hold",
  kept: "keep",
  led: "lead",
  paid: "pay",
  rode: "ride",
  ridden: "ride",
  sent: "send",
  slept: "sleep",
  spent: "spend",
  spoke: "speak",
  spoken: "speak",
  swept: "sweep",
  wrote: "write",
  written: "write",
  built: "build",
  ate: "eat",
  eaten: "eat",
  drank: "drink",
  dug: "dig",
  drew: "draw",
  drawn: "draw",
  fed: "feed",
  hung: "hang",
  lent: "lend",
  sold: "sell",
  rang: "ring",
  shot: "shoot",
  tore: "tear",
  wore: "wear",
  worn: "wear",
  did: "do",
  done: "do",
  had: "have",
  sewed: "sew",
  sewn: "sew",
  laid: "lay",
});

/**
 * The base of an irregular past; other words stay as they are.
 * @example presentOf("bought") // "buy"
 */
export function presentOf(word: string): string {
  return PRESENT_OF_PAST[plain(word)] ?? word;
}
