import { type DialogueTurn, emptyUsage, type Role, SILENT_LOGGER } from "../../../src/records/index.js";
import { createRuleExtractor, type ExtractInput, type ExtractOutput } from "../../../src/stages/extract/index.js";
import type { StageRun } from "../../../src/stages/run.js";

/** The clock of these tests is far from every turn: nothing may be reckoned from it. */
export const run: StageRun = {
  usage: emptyUsage(),
  logger: SILENT_LOGGER,
  now: () => Date.parse("2026-09-25T12:00:00.000Z"),
};

let made = 0;

export function turn(
  speaker: string,
  content: string,
  over: Partial<DialogueTurn> & { role?: Role } = {},
): DialogueTurn {
  made += 1;
  return {
    dialogueId: `d${made}`,
    sessionId: "s",
    speaker,
    role: "user",
    content,
    timestamp: "2024-11-05T09:00:00.000Z",
    offsetMinutes: 0,
    timestampIsAssumed: false,
    contentHash: "",
    sequence: made,
    metadata: {},
    ...over,
  };
}

export async function extract(
  turns: readonly DialogueTurn[],
  over: Partial<ExtractInput> = {},
): Promise<ExtractOutput> {
  return createRuleExtractor().extract(
    { windowId: "w", turns, context: [], neighbours: [], timeZone: "UTC", ...over },
    run,
  );
}

export async function texts(turns: readonly DialogueTurn[], over: Partial<ExtractInput> = {}): Promise<string[]> {
  return (await extract(turns, over)).items.map((item) => item.losslessRestatement);
}
