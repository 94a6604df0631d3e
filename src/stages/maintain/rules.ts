import { detailsOf, isSubsequence, namesIn } from "./details.js";
import { lossOf } from "./lossless.js";
import type { Cluster, Maintainer, Summary } from "./maintainer.js";

/** Characters of a pattern's text; what is longer is read by nobody, and stays in its parts. */
const MAX_TEXT = 600;
const LAST_STOP = /[\s.。]+$/u;

/** Statements of a cluster, without those whose words stand in another in the same order: each says something of its own. */
function statementsOf(cluster: Cluster): readonly string[] {
  const known = namesIn(cluster);
  const statements = cluster.map(({ losslessRestatement: text }) => ({ text, ...detailsOf(text, known) }));
  return statements
    .filter(
      ({ stems }, index) =>
        !statements.some(
          (other, position) =>
            position !== index &&
            isSubsequence(stems, other.stems) &&
            (other.stems.length > stems.length || position > index),
        ),
    )
    .map(({ text }) => text.trim().replace(LAST_STOP, ""));
}

/** The statements of a cluster in one text, word for word; null when that would be too long. */
export function joinedText(cluster: Cluster): string | null {
  const text = `${statementsOf(cluster).join("; ")}.`;
  return text.length <= MAX_TEXT && lossOf(text, cluster) === null ? text : null;
}

/** Sums up by joining what the parts say, each statement once: nothing is reworded, so nothing is lost. */
export function createRuleMaintainer(): Maintainer {
  return {
    async condense({ clusters }) {
      const summaries = clusters.map((cluster): Summary => {
        const text = joinedText(cluster);
        return text === null ? null : { text, by: "rule" };
      });
      return { summaries, rejections: [] };
    },
  };
}
