/** A line to be rewritten: a label, who speaks, what was said. */
const LINE = /^\[(?<label>[^\]]+)\][^:\n]*: (?<said>.+)$/gm;

/** What a model answers to a prompt of the extractor that does its work: each line as it was said. */
export function restating(prompt: string): string {
  const lines = prompt.slice(prompt.lastIndexOf("\nNEW")).matchAll(LINE);
  const entries = [...lines].map(({ groups }) => ({
    lossless_restatement: groups?.said ?? "",
    keywords: [],
    persons: [],
    entities: [],
    source_ids: [groups?.label ?? ""],
  }));
  return JSON.stringify({ entries });
}
