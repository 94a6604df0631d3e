import { splitSentences } from "../../language/index.js";
import type { EntryKind } from "../../records/index.js";
import { kindOf } from "./describe.js";
import { isQuestion } from "./statements.js";

const OWN = /\b(?:I|my|we|our)\b|我|咱/iu;
const TELLS_OF_ASKING = /\b(?:ask(?:s|ed|ing)?|wonder(?:s|ed|ing)?|wants? to know|question)\b|问|想知道/iu;

function isPreference(text: string): boolean {
  return kindOf(text, null, "") === "preference";
}

/** Whether a turn does nothing but ask. "Why do I love figs so much?" takes a liking for granted. */
function onlyAsks(content: string): boolean {
  return splitSentences(content).every(
    (sentence) => isQuestion(sentence) && !(OWN.test(sentence) && isPreference(sentence)),
  );
}

/**
 * Whether a text makes a preference of what was only asked: nobody who asks how figs are pruned has said to like them.
 * @param contents what the cited turns say
 */
export function isAskedPreference(text: string, kind: EntryKind, contents: readonly string[]): boolean {
  if (contents.length === 0 || TELLS_OF_ASKING.test(text)) return false;
  return (kind === "preference" || isPreference(text)) && contents.every(onlyAsks);
}
