import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lifeOf } from "../test/support/year.js";
import { live, type Month } from "./year/live.js";

/**
 * A year of chats with one user, 400 sessions, with consolidation and maintenance and without, looked at after each month; writes
 * docs/year.md.
 *
 * npm run bench:year
 */
const PAGE = new URL("../docs/year.md", import.meta.url);
const SESSIONS = 400;
const MONTHS = 12;
const LIFE = { sessions: SESSIONS, people: 20 };
const ASKED_THEN = 20;

async function lived(consolidation: boolean): Promise<readonly Month[]> {
  const folder = await mkdtemp(join(tmpdir(), "simplemem-year-"));
  try {
    return await live(lifeOf(LIFE), {
      uri: folder,
      months: MONTHS,
      consolidation,
      askedThen: ASKED_THEN,
      onMonth: ({ month, active, right }) =>
        console.error(`${consolidation ? "on " : "off"} month ${month}: ${active} active, ${percent(right)} right`),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function percent(share: number | null): string {
  return share === null ? "-" : `${Math.round(share * 100)} %`;
}

function rows(months: readonly Month[]): string {
  return months
    .map((one) =>
      [
        one.month,
        one.turns,
        one.active,
        one.done,
        one.superseded,
        one.archived,
        (one.bytes / 1e6).toFixed(1),
        Math.round(one.tokensPerAnswer),
        percent(one.right),
        percent(one.rightThen),
        one.fromHistory,
      ].join(" | "),
    )
    .map((line) => `| ${line} |`)
    .join("\n");
}

function page(on: readonly Month[], off: readonly Month[]): string {
  const head = `| month | turns | active | done | superseded | archived | MB | tokens an answer | right | right as of the month before | from history |
|---|---|---|---|---|---|---|---|---|---|---|`;
  return `# A year

Made by \`npm run bench:year\`: ${SESSIONS} sessions of one user, generated from a seed. She tells of 20 people where each lives and works, a phone number,
a favourite drink and a job title (100 things that have one value at a time); one statement in five changes a value, the others repeat
one. In between she makes plans, carries some out, calls some off, and says nothing much. After each month all that was told is asked
for ("Where does Orla live?"), and ${ASKED_THEN} questions ask \`asOf\` the end of the month before, first of what has changed since. An answer is right when
it holds the value of that time and no earlier one. No model; the clock is that of the story.

"From history" counts answers about the present that cite a superseded entry.

## With consolidation and a run of maintenance each month

${head}
${rows(on)}

## Every statement added, nothing maintained

${head}
${rows(off)}
`;
}

async function main(): Promise<void> {
  const on = await lived(true);
  const off = await lived(false);
  const text = page(on, off);
  await writeFile(PAGE, text);
  console.log(text);
}

await main();
