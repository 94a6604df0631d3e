/** Words whose full stop does not end a sentence. */
const ABBREVIATIONS = new Set(
  "mr mrs ms dr prof sr jr st mt vs etc e.g i.e no approx dept est fig inc ltd co corp ave blvd jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun a.m p.m u.s u.k ph.d vol".split(
    " ",
  ),
);
/** Abbreviations that may also close a sentence: what follows decides. */
const MAY_CLOSE = new Set(["etc", "a.m", "p.m", "u.s", "u.k", "ph.d", "inc", "ltd", "co", "corp", "no"]);
/** Lines that are code: cutting them at full stops would tear names apart. */
const CODE_LINE =
  /^\s*(?:```|\$ |>>> |(?:const|let|var|function|import|export|return|def|class)\b.*[=({;]|.*[;{}]\s*$)/u;
const SENTENCE_END = /(?:[.!?]+["'”’)\]]*(?=\s|$)|…+["'”’)\]]*(?=\s|$)|[。！？!?…]+[”’」』）"]*)/gu;
const CJK_END = /[。！？]/u;
const LAST_WORD = /([\p{L}\d][\p{L}\d.]*)$/u;
const LIST_NUMBER = /^\s*(?:\d{1,3}|[a-z])$/iu;
const CONTINUES_LOWER = /^\s+\p{Ll}/u;

/**
 * Cuts a text into its sentences, trimmed, in order; empty ones are left out. Abbreviations, decimals, URLs and lines
 * of code are kept whole; a line break always ends a sentence.
 *
 * @example splitSentences("Dr. Ito paid 3.50. She left.") // ["Dr. Ito paid 3.50.", "She left."]
 */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let inFence = false;
  for (const line of text.split(/\r?\n/u)) {
    const isFence = line.trim().startsWith("```");
    if (isFence) inFence = !inFence;
    const pieces = inFence || isFence || CODE_LINE.test(line) ? [line] : splitLine(line);
    for (const piece of pieces) if (piece.trim() !== "") sentences.push(piece.trim());
  }
  return sentences;
}

function splitLine(line: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const match of line.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    if (!endsSentence(line.slice(start, match.index), match[0], line.slice(end))) continue;
    pieces.push(line.slice(start, end));
    start = end;
  }
  pieces.push(line.slice(start));
  return pieces;
}

function endsSentence(before: string, mark: string, after: string): boolean {
  if (CJK_END.test(mark)) return true;
  if (/^[!?]/u.test(mark)) return after === "" || !/^[\w/=&%-]/u.test(after);
  if (CONTINUES_LOWER.test(after)) return false;
  if (!mark.startsWith(".") || mark.startsWith("..")) return true;
  if (LIST_NUMBER.test(before)) return false;
  const word = LAST_WORD.exec(before)?.[1] ?? "";
  if (/^\p{Lu}$/u.test(word)) return word === "I" || after.trim() === "";
  const key = word.toLowerCase();
  return !ABBREVIATIONS.has(key) || (MAY_CLOSE.has(key) && /^\s+\p{Lu}/u.test(after));
}
