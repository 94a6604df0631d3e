import type { SimpleMem } from "../../src/index.js";

export const VICTIM = { userId: "u-ilse" };
export const BYSTANDER = { userId: "u-bram" };

const EVERY_STATUS = ["active", "done", "superseded", "conflicted", "doubtful", "pending_review", "archived"] as const;

/**
 * What a memory acknowledged, kept outside of it: which turns must be there, which must be gone, and which may be either, since nobody
 * was told how it ended.
 */
export class Tally {
  readonly #accepted = new Set<string>();
  readonly #forgotten = new Set<string>();
  readonly #either = new Set<string>();
  readonly #topics = new Map<string, string[]>();

  get accepted(): number {
    return this.#accepted.size;
  }

  /** A line that a process printed: "+ id" accepted, "? id" about to be forgotten, "- id" forgotten, "~ id topic former" about to be corrected, "= id topic" corrected. */
  take(line: string): void {
    const [mark, id = "", value = "", former = ""] = line.split(" ");
    if (mark === "+") this.#accepted.add(id);
    if (mark === "?") this.#either.add(id);
    if (mark === "-") this.#forgotten.add(id);
    if (mark === "=") this.#topics.set(id, [value]);
    // About to be set: from now on either counts.
    if (mark === "~") this.#topics.set(id, [former, value]);
  }

  /** Corrections of entries that may be merged, archived or forgotten meanwhile count only while nothing else is done. */
  forgetTopics(): void {
    this.#topics.clear();
  }

  /** What does not agree, in words; empty when all does. */
  async differences(simplemem: SimpleMem): Promise<readonly string[]> {
    const memory = simplemem.scope(VICTIM);
    const other = simplemem.scope(BYSTANDER);
    const [turns, others] = [await turnIds(memory), await turnIds(other)];
    const { items } = await memory.list({ status: EVERY_STATUS });
    const proof = new Set(items.flatMap(({ sourceIds }) => sourceIds));
    const must = [...this.#accepted].filter((id) => !this.#either.has(id));
    const lost = must.filter((id) => !turns.has(id));
    const back = [...this.#forgotten].filter((id) => turns.has(id) || proof.has(id));
    const leaked = [...others].filter((id) => turns.has(id) || proof.has(id));
    const bystander = [...others].filter((id) => !id.startsWith("bram-"));
    const topics = items.flatMap(({ entryId, topic }) => {
      const known = this.#topics.get(entryId);
      return known === undefined || known.includes(topic ?? "") ? [] : [`${entryId} has the topic ${topic}`];
    });
    return [
      ...named("lost", lost),
      ...named("forgotten and back", back),
      ...named("of another user", leaked),
      ...named("in another user's memory", bystander),
      ...named("corrected and not so", topics),
    ];
  }
}

/** Of all sessions. */
async function turnIds(memory: ReturnType<SimpleMem["scope"]>): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const line of memory.export()) {
    const record: { type: string; turn?: { dialogueId: string } } = JSON.parse(line);
    if (record.turn !== undefined && record.type === "turn") ids.add(record.turn.dialogueId);
  }
  return ids;
}

function named(what: string, ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`${ids.length} ${what}: ${ids.slice(0, 5).join(", ")}`];
}
