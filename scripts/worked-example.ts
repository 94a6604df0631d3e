import { readFileSync, writeFileSync } from "node:fs";
import { type Hit, SimpleMem, type TurnInput } from "../src/index.js";
import { WEIGHTS } from "../src/retrievers/index.js";

/**
 * Writes the worked example of docs/retrieval.md: what each feature of the first hits added to the sum behind the score.
 */
const PAGE = new URL("../docs/retrieval.md", import.meta.url);
const BLOCK = /(<!-- example -->\n)[\s\S]*?(<!-- \/example -->)/;
const QUESTION = "When did Ilse sell the boat?";
const SHOWN = 3;

const TURNS: readonly TurnInput[] = [
  {
    id: "t1",
    speaker: "Ilse",
    content: "I sold the old boat yesterday, to a man from Graz.",
    timestamp: "2025-03-10T09:00:00Z",
  },
  { id: "t2", speaker: "Marek", content: "Did you get a good price for the boat?", timestamp: "2025-03-10T09:01:00Z" },
  { id: "t3", speaker: "Ilse", content: "Good enough for a new violin bow.", timestamp: "2025-03-10T09:02:00Z" },
  { id: "t4", speaker: "Marek", content: "I will paint my kitchen in May.", timestamp: "2025-03-10T09:03:00Z" },
  {
    id: "t5",
    speaker: "Marek",
    content: "My sister sells sails in the harbour.",
    timestamp: "2025-04-02T18:00:00Z",
    sessionId: "april",
  },
  {
    id: "t6",
    speaker: "Ilse",
    content: "Does she have a catalogue?",
    timestamp: "2025-04-02T18:01:00Z",
    sessionId: "april",
  },
];

async function findHits(): Promise<readonly Hit[]> {
  const simplemem = await SimpleMem.open({ uri: "memory://", clock: () => Date.parse("2025-05-01T12:00:00Z") });
  try {
    const memory = simplemem.scope({ userId: "ilse" });
    await memory.add(TURNS);
    await memory.flush();
    return (await memory.search(QUESTION)).hits.slice(0, SHOWN);
  } finally {
    await simplemem.close();
  }
}

function cell(hit: Hit, feature: string): string {
  return (hit.features?.[feature] ?? 0).toFixed(3);
}

function sumOf(hit: Hit): number {
  return Object.values(hit.features ?? {}).reduce((sum, part) => sum + part, 0);
}

function exampleTable(hits: readonly Hit[]): string {
  const named = new Set([...Object.keys(WEIGHTS), ...hits.flatMap(({ features }) => Object.keys(features ?? {}))]);
  const features = [...named].filter((name) => hits.some((hit) => (hit.features?.[name] ?? 0) !== 0));
  const columns = hits.map((_, index) => `hit ${index + 1}`).join(" | ");
  const line = (label: string, of: (hit: Hit) => string): string => `| ${label} | ${hits.map(of).join(" | ")} |`;
  return [
    `Question: "${QUESTION}"`,
    "",
    ...hits.map(
      ({ text, kind, sourceIds, views }, index) =>
        `${index + 1}. "${text}" (${kind} of ${sourceIds.join(", ")}; found by ${[...views].sort().join(", ")})`,
    ),
    "",
    `| what was added | ${columns} |`,
    `|---|${hits.map(() => "---|").join("")}`,
    ...features.map((feature) => line(feature, (hit) => cell(hit, feature))),
    line("**sum**", (hit) => `**${sumOf(hit).toFixed(3)}**`),
    line("**score**", (hit) => `**${hit.score.toFixed(3)}**`),
  ].join("\n");
}

const page = readFileSync(PAGE, "utf8");
writeFileSync(PAGE, page.replace(BLOCK, `$1\n${exampleTable(await findHits())}\n\n$2`));
