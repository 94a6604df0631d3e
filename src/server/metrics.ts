import type { Stats } from "../records/index.js";

/** Paths that are told apart; all others are one, so that nobody can make the list grow. */
const OTHER = "other";

interface Served {
  count: number;
  ms: number;
}

/** What the server has answered since it was started. */
export class RequestCounts {
  readonly #served = new Map<string, Served>();
  readonly #durations = new Map<string, Served>();

  constructor(private readonly paths: ReadonlySet<string>) {}

  note(path: string, status: number, ms: number): void {
    const known = this.paths.has(path) ? path : OTHER;
    add(this.#served, labels({ path: known, status: String(status) }), ms);
    add(this.#durations, labels({ path: known }), ms);
  }

  render(): readonly string[] {
    const durations = [...this.#durations];
    return [
      ...metric(
        "http_requests_total",
        "counter",
        "Requests answered.",
        each(this.#served, ({ count }) => count),
      ),
      "# HELP simplemem_http_request_seconds Time until a request was answered.",
      "# TYPE simplemem_http_request_seconds summary",
      ...durations.map(([names, { ms }]) => `simplemem_http_request_seconds_sum${names} ${ms / 1000}`),
      ...durations.map(([names, { count }]) => `simplemem_http_request_seconds_count${names} ${count}`),
    ];
  }
}

function add(sums: Map<string, Served>, names: string, ms: number): void {
  const known = sums.get(names) ?? { count: 0, ms: 0 };
  sums.set(names, { count: known.count + 1, ms: known.ms + ms });
}

function each(sums: ReadonlyMap<string, Served>, value: (one: Served) => number): [string, number][] {
  return [...sums].map(([names, one]) => [names, value(one)]);
}

function labels(values: Readonly<Record<string, string>>): string {
  const escaped = (value: string) => value.replace(/[\\"\n]/g, (sign) => (sign === "\n" ? "\\n" : `\\${sign}`));
  return `{${Object.entries(values)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",")}}`;
}

function metric(
  name: string,
  type: "counter" | "gauge",
  help: string,
  values: readonly (readonly [labels: string, value: number])[],
): readonly string[] {
  const full = `simplemem_${name}`;
  const lines = values.map(([names, value]) => `${full}${names} ${value}`);
  return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...lines];
}

function labelled(label: string, values: Readonly<Record<string, number | undefined>>): [string, number][] {
  return Object.entries(values).map(([name, value]) => [labels({ [label]: name }), value ?? 0]);
}

function inSeconds(values: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([name, ms]) => [name, ms / 1000]));
}

/** Counts over all users, what the process has spent, and what it has answered, in the text format of Prometheus. */
export function renderMetrics(stats: Stats, requests: RequestCounts): string {
  const { totals } = stats;
  return [
    ...metric("turns", "gauge", "Turns in the log.", [["", stats.turns]]),
    ...metric("entries", "gauge", "Entries by status.", labelled("status", stats.entries)),
    ...metric("facts", "gauge", "Key-values.", [["", stats.facts]]),
    ...metric(
      "windows",
      "gauge",
      "Windows by how far they have come; failed ones wait for a retry.",
      labelled("state", stats.windows),
    ),
    ...metric("pending_turns", "gauge", "Turns that wait for extraction.", [["", stats.pendingTurns]]),
    ...metric("store_bytes", "gauge", "Size of the store's folder; 0 where it is no local folder.", [
      ["", stats.bytes],
    ]),
    ...metric(
      "operation_seconds_mean",
      "gauge",
      "Mean time of an operation since the start.",
      labelled("operation", inSeconds(stats.latency)),
    ),
    ...metric("stage_seconds_total", "counter", "Time spent in each stage.", labelled("stage", inSeconds(totals.ms))),
    ...metric("model_calls_total", "counter", "Calls of chat models.", [["", totals.modelCalls]]),
    ...metric("model_retries_total", "counter", "Askings of models that were repeated.", [["", totals.retries]]),
    ...metric(
      "model_tokens_total",
      "counter",
      "Tokens that models read and wrote.",
      labelled("direction", { read: totals.promptTokens, written: totals.completionTokens }),
    ),
    ...metric("embedded_texts_total", "counter", "Texts given to the embedder.", [["", totals.embeddedTexts]]),
    ...metric("fidelity_ratio", "gauge", "Share of numbers, dates, names and negations that entries keep.", [
      ["", stats.fidelity],
    ]),
    ...metric("compression_ratio", "gauge", "Tokens of entries over tokens of turns.", [["", stats.compression]]),
    ...requests.render(),
    "",
  ].join("\n");
}
