/** A block that was pasted rather than said, and the prose around it. */
export interface PastedParts {
  readonly prose: string;
  readonly pasted: { readonly label: "code" | "a log" | "a text"; readonly text: string } | null;
}

/** The line that announces what was pasted: "Here is the log:". */
const ANNOUNCEMENT = /(?:^|\n|(?<=[.!?] ))[^\n.!?]*[:：]\s*$/u;

/** The prose without its announcement of what was pasted, and that announcement. */
export function withoutAnnouncement(prose: string): { prose: string; announcement: string } {
  const announcement = ANNOUNCEMENT.exec(prose)?.[0] ?? "";
  const rest = announcement === "" ? prose : prose.slice(0, prose.length - announcement.length);
  return { prose: rest.trim(), announcement: announcement.trim().replace(/[:：]$/u, "") };
}

/** Characters of pasted text that an entry holds at most; the turn itself keeps all of it. */
export const MAX_PASTED_CHARS = 600;

const FENCE = /```[^\n]*\n([\s\S]*?)(?:```|$)/gu;
const LOG_LINE =
  /^\s*(?:\[?\d{4}-\d{2}-\d{2}[T ]|\[?\d{2}:\d{2}:\d{2}|\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL)\b|at \S+ ?\(|Traceback|File ".*", line \d+|\w*(?:Error|Exception)\b[:(]|npm ERR!|\$ \S)/u;
const CODE_LINE =
  /^\s*(?:(?:const|let|var|function|import|export|return|def|class|if|for|while|public|private|#include)\b.*[=({;:]|[}\])]+[;,]?\s*$|.*[;{]\s*$|<\/?[a-z][^>]*>\s*$|SELECT\b.*\bFROM\b)/u;
const QUOTED_LINE = /^\s*>\s?/u;
const TELLING_LINE = /error|exception|fail|fatal|refused|denied|timeout|warn|错误|失败|异常|\d/iu;
const MIN_PASTED_LINES = 3;

type Label = "code" | "a log" | "a text";

/** Characters at each end of a line that tell what it is: some texts are one line of megabytes. */
const TELLING_CHARS = 500;

function labelOf(whole: string): Label | null {
  const line = whole.length > 2 * TELLING_CHARS ? whole.slice(0, TELLING_CHARS) + whole.slice(-TELLING_CHARS) : whole;
  if (QUOTED_LINE.test(line)) return "a text";
  if (LOG_LINE.test(line)) return "a log";
  return CODE_LINE.test(line) ? "code" : null;
}

/** Keeps the lines with errors and numbers first, then the others, in their order, within the length. */
function cut(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.replace(QUOTED_LINE, "").replace(/\s+/gu, " ").trim())
    .filter((line) => line !== "");
  const whole = lines.join(" | ");
  if (whole.length <= MAX_PASTED_CHARS) return whole;
  const byWorth = [...lines.keys()].sort((left, right) => worthOf(lines[right]) - worthOf(lines[left]) || left - right);
  const kept = new Set<number>();
  let length = 0;
  for (const index of byWorth) {
    const room = MAX_PASTED_CHARS - length;
    const size = (lines[index]?.length ?? 0) + 3;
    if (size > room && kept.size > 0) continue;
    kept.add(index);
    length += size;
  }
  const joined = lines.filter((_, index) => kept.has(index)).join(" | ");
  return `${[...joined].slice(0, MAX_PASTED_CHARS).join("")} …`;
}

function worthOf(line = ""): number {
  return /error|exception|fail|fatal|错误|失败|异常/iu.test(line) ? 2 : TELLING_LINE.test(line) ? 1 : 0;
}

/** Parts a turn's text into what was said and what was pasted: fenced blocks, and three or more lines of log, code or quotation. */
export function partPasted(content: string): PastedParts {
  const fenced = [...content.matchAll(FENCE)].map(([, body = ""]) => body);
  if (fenced.length > 0) {
    const text = fenced.join("\n");
    const label = text.split("\n").some((line) => LOG_LINE.test(line)) ? "a log" : "code";
    return { prose: content.replace(FENCE, "\n").trim(), pasted: { label, text: cut(text) } };
  }
  const lines = content.split("\n");
  const labels = lines.map(labelOf);
  const first = labels.findIndex((label) => label !== null);
  const last = labels.findLastIndex((label) => label !== null);
  const marked = labels.filter((label) => label !== null);
  if (marked.length < MIN_PASTED_LINES || marked.length * 2 < last - first + 1) return { prose: content, pasted: null };
  const prose = [...lines.slice(0, first), ...lines.slice(last + 1)].join("\n").trim();
  return { prose, pasted: { label: commonest(marked), text: cut(lines.slice(first, last + 1).join("\n")) } };
}

function commonest(labels: readonly Label[]): Label {
  const count = (label: Label): number => labels.filter((one) => one === label).length;
  return (["a log", "code", "a text"] as const).reduce((best, label) => (count(label) > count(best) ? label : best));
}
