import { detailsOf, namesIn } from "./details.js";
import { lossOf } from "./lossless.js";
import type { Cluster, Maintainer, Summary } from "./maintainer.js";

/** Characters of a pattern's text; what is longer is read by nobody, and stays in its parts. */
const MAX_TEXT = 600;
const LAST_STOP = /[\s.。]+$/u;

/** What the parts say, each statement once. Words that stand in another statement as well may mean less there: they stay. */
function statementsOf(cluster: Cluster): readonly string[] {
  const known = namesIn(cluster);
  const byKey = new Map<string, string>();
  for (const { losslessRestatement: text } of cluster) {
    const { key } = detailsOf(text, known);
    if (!byKey.has(key)) byKey.set(key, text.trim().replace(LAST_STOP, ""));
  }
  return [...byKey.values()];
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
