export { ZoneOffsets } from "./calendar.js";
export { findNames, type Names } from "./names.js";
export { decodeNeighbours, encodeNeighbours, NEIGHBOUR_REACH, type Neighbours } from "./neighbours.js";
export { findNumbers } from "./numbers.js";
export { Pace } from "./pace.js";
export { piecesOf } from "./pieces.js";
export { findConditions, hasNegation } from "./polarity.js";
export type { Who } from "./pronoun-edits.js";
export { hasBarePronoun, resolvePronouns } from "./pronouns.js";
export { blankQuotes } from "./quotes.js";
export { splitSentences } from "./sentences.js";
export { isTellingWord } from "./small-talk.js";
export {
  findTimeSpans,
  findTimes,
  type Granularity,
  hasRelativeTime,
  resolveTimes,
  type TimeMention,
  type TimeReference,
} from "./time.js";
export { isPastVerb, presentOf } from "./verbs.js";
export { contentStems, detectLanguage, hasCjk, indexWords, isStopWord, segmentWords, stemOf } from "./words.js";
