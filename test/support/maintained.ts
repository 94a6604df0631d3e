import type { ExtractedItem, SimpleMemOptions } from "../../src/index.js";
import { SimpleMem } from "../../src/index.js";
import { FakeEmbeddings } from "./fakes.js";

export const DAY_MS = 24 * 60 * 60 * 1000;
export const START = Date.parse("2025-01-06T09:00:00Z");

/** Everything on one spot: only the words can tell entries apart. */
export const SAME_SPOT = () => [1, 0, 0, 0, 0, 0, 0, 0.1];

/** A clock that stands still until it is moved. */
export class Calendar {
  now = START;

  pass(days: number): void {
    this.now += days * DAY_MS;
  }
}

/** Each turn is one fact, in its own words; the metadata of a turn changes the item. */
function extract(): NonNullable<NonNullable<SimpleMemOptions["stages"]>["extract"]> {
  return {
    extract: async ({ turns }) => ({
      items: turns.map((turn): ExtractedItem => {
        const base: ExtractedItem = {
          losslessRestatement: turn.content,
          keywords: [],
          timestamp: null,
          timestampEnd: null,
          mentionedAt: turn.timestamp,
          location: null,
          persons: [],
          entities: [],
          topic: null,
          attributes: {},
          kind: "fact",
          speaker: turn.speaker,
          sourceRole: turn.role,
          sourceIds: [turn.dialogueId],
          confidence: 1,
          importance: 0.5,
        };
        return { ...base, ...turn.metadata };
      }),
      rejections: [],
      openQuestions: [],
      incomplete: false,
    }),
  };
}

/** As two processes do that know nothing of each other. */
const ADD_ALL: NonNullable<NonNullable<SimpleMemOptions["stages"]>["consolidate"]> = {
  consolidate: async ({ items }) => ({ decisions: items.map(() => ({ op: "add" })), rejections: [] }),
};

/** A memory whose entries are the turns, all on one spot, and whose time is moved by hand. */
export async function openMaintained(options: Partial<SimpleMemOptions> = {}) {
  const calendar = new Calendar();
  const simplemem = await SimpleMem.open({
    uri: "memory://",
    clock: () => calendar.now,
    embeddings: new FakeEmbeddings(8, SAME_SPOT),
    window: { idleMs: 0 },
    ...options,
    stages: { extract: extract(), consolidate: ADD_ALL, ...options.stages },
  });
  const memory = simplemem.scope({ userId: "u-ilse" });
  let said = 0;
  const say = async (text: string, change: { readonly [field: string]: string | number | null } = {}) => {
    said += 1;
    await memory.add({ id: `t${said}`, speaker: "Ilse", content: text, metadata: change });
    await memory.flush();
    return `t${said}`;
  };
  const texts = async (status: "active" | "archived" | "superseded" = "active") =>
    (await memory.list({ status })).items.map((entry) => entry.losslessRestatement);
  const idOf = async (text: string) => {
    const { items } = await memory.list({ status: ["active", "archived", "superseded"] });
    return items.find((entry) => entry.losslessRestatement === text)?.entryId ?? "";
  };
  return { simplemem, memory, calendar, say, texts, idOf };
}
