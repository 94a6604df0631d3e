import { hasBarePronoun, hasRelativeTime } from "../../language/index.js";
import { type Details, detailsOf, holdsName, isSameSet, namesIn } from "./details.js";
import type { Cluster } from "./maintainer.js";

/** Share of the telling words of a part that stand in a text for it: another word for the same may take the place of some. */
const KEPT_WORDS = 0.5;

function keeps(whole: Details, part: Details): boolean {
  const stems = new Set(whole.stems);
  const [subject = ""] = part.stems;
  const kept = part.telling.filter((stem) => stems.has(stem)).length;
  return (
    stems.has(subject) &&
    [...part.numbers].every((number) => whole.numbers.has(number)) &&
    [...part.names].every((name) => holdsName(name, whole)) &&
    kept >= part.telling.length * KEPT_WORDS
  );
}

/** Why a text cannot stand for the entries of a cluster; null when it can. */
export function lossOf(text: string, cluster: Cluster): string | null {
  const known = namesIn(cluster);
  const whole = detailsOf(text, known);
  const parts = cluster.map(({ losslessRestatement }) => detailsOf(losslessRestatement, known));
  if (whole.key === "") return "blank";
  if (!parts.every((part) => keeps(whole, part))) return "lost_detail";
  if (!parts.every(({ negated }) => negated === whole.negated)) return "lost_negation";
  if (!parts.every(({ bounds }) => isSameSet(bounds, whole.bounds))) return "lost_condition";
  if ([...whole.numbers].some((number) => !parts.some(({ numbers }) => numbers.has(number))))
    return "ungrounded_number";
  if ([...whole.names].some((name) => !parts.some((part) => holdsName(name, part)))) return "ungrounded_name";
  return unsettled(text, cluster);
}

/** A pronoun or a relative time that no part has. */
function unsettled(text: string, cluster: Cluster): string | null {
  const texts = cluster.map(({ losslessRestatement }) => losslessRestatement);
  if (hasBarePronoun(text) && !texts.some(hasBarePronoun)) return "bare_pronoun";
  if (hasRelativeTime(text) && !texts.some(hasRelativeTime)) return "relative_time";
  return null;
}
