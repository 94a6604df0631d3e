export type Gender = "she" | "he";

const FEMALE =
  "sister|step-?sister|mother|mom|mum|wife|daughter|aunt|auntie|grandma|grandmother|girlfriend|niece|lady|woman|girl|bride|queen|waitress|actress";
const MALE =
  "brother|step-?brother|father|dad|husband|son|uncle|grandpa|grandfather|boyfriend|nephew|guy|man|boy|groom|king|waiter|actor";
const EITHER =
  "friend|cousin|boss|doctor|dentist|nurse|teacher|colleague|neighbou?r|kid|child|partner|manager|coach|client|student|roommate|flatmate|baby|therapist|landlord|landlady|fianc[eé]e?|cat|dog|puppy|kitten|horse|pet";
const TITLES: Readonly<Record<Gender, RegExp>> = Object.freeze({
  she: /^(?:Mrs|Ms|Miss|Madam|Aunt|Auntie|Grandma)\b|(?:女士|小姐|阿姨|奶奶)$/u,
  he: /^(?:Mr|Sir|Uncle|Grandpa)\b|(?:先生|叔叔|爷爷)$/u,
});
/** From a noun to the name it introduces: "my sister Liv", "my sister is called Liv", "my sister's name is Liv". */
const INTRODUCES = "(?:['’]s name)?(?:,| is| was| called| named)*,? ";
const NOUN_BEFORE: Readonly<Record<Gender, RegExp>> = Object.freeze({
  she: new RegExp(
    `\\b(?:${FEMALE}|landlady)${INTRODUCES}$|(?:姐姐?|妹妹?|妈妈?|母亲|妻子|老婆|女儿|奶奶|外婆|姑姑|阿姨|女朋友)叫?$`,
    "iu",
  ),
  he: new RegExp(
    `\\b(?:${MALE})${INTRODUCES}$|(?:哥哥?|弟弟?|爸爸?|父亲|丈夫|老公|儿子|爷爷|外公|叔叔|舅舅|男朋友)叫?$`,
    "iu",
  ),
});
const PERSON_NOUN: Readonly<Record<Gender, RegExp>> = Object.freeze({
  she: new RegExp(
    `\\b(?:${FEMALE}|${EITHER})\\b(?!['’]s)|姐|妹|妈|母亲|妻子|老婆|女儿|奶奶|姑|姨|朋友|同事|老师|医生|老板|同学|孩子`,
    "giu",
  ),
  he: new RegExp(
    `\\b(?:${MALE}|${EITHER})\\b(?!['’]s)|哥|弟|爸|父亲|丈夫|老公|儿子|爷爷|叔|舅|朋友|同事|老师|医生|老板|同学|孩子`,
    "giu",
  ),
});
const NAME_FOLLOWS = new RegExp(`^${INTRODUCES}\\p{Lu}|^叫?\\p{Lu}|^叫`, "u");
/** "Liv, my sister" and "Liv is my sister"; "Tom's sister" is somebody else. */
const NAME_PRECEDES =
  /(?<!\p{L})(?!(?:The|My|Her|His|Our|Your|Their|An?|This|That|And|But|So|I)\b)\p{Lu}[\p{L}-]*(?:,| is| was|'s)?(?: also| still)? (?:my|her|his|our|your|their|an?|the)(?: \p{Ll}+)? $/u;
const FEMALE_PRONOUN = /^(?:she|her|hers|herself|她)$/u;
const MALE_PRONOUN = /^(?:he|him|his|himself|他)$/u;

/** Whom a pronoun may mean; null for "they" and its like, which are several or of unknown gender. */
export function genderOfPronoun(pronoun: string): Gender | null {
  if (FEMALE_PRONOUN.test(pronoun)) return "she";
  return MALE_PRONOUN.test(pronoun) ? "he" : null;
}

/** What a name's own title or the noun before it says: "my sister " + "Liv" is a she. */
export function genderOfName(name: string, before: string): Gender | null {
  for (const gender of ["she", "he"] as const) {
    if (TITLES[gender].test(name) || NOUN_BEFORE[gender].test(before)) return gender;
  }
  return null;
}

/** Whether the text speaks of a person of that gender without a name: "my mother called". */
export function mentionsUnnamed(text: string, gender: Gender): boolean {
  return Array.from(text.matchAll(PERSON_NOUN[gender])).some((noun) => {
    const after = text.slice(noun.index + noun[0].length);
    return !NAME_FOLLOWS.test(after) && !NAME_PRECEDES.test(text.slice(0, noun.index));
  });
}
