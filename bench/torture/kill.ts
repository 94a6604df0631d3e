import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FakeEmbeddings } from "../../test/support/fakes.js";
import { formerEmbeddings, unpackFormerStore } from "../../test/support/former-files.js";
import { brokenIn, type Outcome, Outcomes } from "./outcome.js";
import { linesOf, type Programs } from "./programs.js";
import { below, type Random } from "./random.js";
import { copyFolder, fill, open, sentence, withFolder } from "./store.js";
import { Tally, VICTIM } from "./tally.js";

/** What a process is killed in. The first seven go on in one folder. */
const WORK = ["add", "flush", "update", "forget", "maintain", "purge", "migration", "reembed", "import"] as const;
type Work = (typeof WORK)[number];

/** Kills after which a folder is left for a fresh one, so that it does not grow without end. */
const KILLS_PER_FOLDER = 60;
/** Sequences of kills that go on side by side: most of the time goes into starting processes. */
const LANES = 4;
/** A process is killed within this time after it began. */
const LONGEST_MS = 500;
const BASE_TURNS = 40;
const IMPORTED_TURNS = 200;
const REEMBEDDED_TURNS = 200;

/** What did not hold, and what is due to be seen. */
interface Broken {
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

interface Killing {
  readonly programs: Programs;
  readonly random: Random;
  /** Milliseconds since the epoch after which no other process is started. */
  readonly until: number;
}

/** Starts the work, and kills it at a random moment after it is ready. */
async function killed(
  { programs, random }: Killing,
  args: readonly string[],
  onLine: (line: string) => void,
): Promise<readonly string[]> {
  const child = programs.start("victim", args);
  const delay = below(random, LONGEST_MS);
  let isDoomed = false;
  const { errors, signal } = await linesOf(child, (line) => {
    if (line === "ready" && !isDoomed) {
      isDoomed = true;
      setTimeout(() => child.kill("SIGKILL"), delay);
    }
    if (line === "done") child.kill("SIGKILL");
    onLine(line);
  });
  return errors === "" && signal === "SIGKILL" ? [] : [`${args[1]} ended by itself: ${errors.slice(0, 300)}`];
}

/** A folder that many processes die in, and what they acknowledged. */
interface Ground {
  readonly folder: string;
  readonly tally: Tally;
}

async function killGoingOn(killing: Killing, { folder, tally }: Ground, what: Work, name: string): Promise<Broken> {
  if (what !== "update") tally.forgetTopics();
  const broken = await killed(killing, [folder, what, name], (line) => tally.take(line));
  const simplemem = await open(folder);
  try {
    const { faults, warnings } = await brokenIn(simplemem, tally);
    const report = what === "maintain" || what === "purge" ? await simplemem.scope(VICTIM).flush() : null;
    return { faults: [...broken, ...faults, ...(report?.failures ?? []).map(({ error }) => error)], warnings };
  } finally {
    await simplemem.close({ flush: false });
  }
}

async function killMigration(killing: Killing, name: string): Promise<Broken> {
  return withFolder(async (folder) => {
    unpackFormerStore(1 + below(killing.random, 3), folder);
    const broken = await killed(killing, [folder, "migration", name], () => {});
    const simplemem = await open(folder, { embeddings: formerEmbeddings() });
    try {
      const { faults, warnings } = await brokenIn(simplemem, new Tally());
      const turns = (await simplemem.scope({ userId: "ilse", sessionId: "s1" }).turns()).map(
        ({ dialogueId }) => dialogueId,
      );
      const lost = ["t1", "t2", "t3", "t4", "t5"].filter((id) => !turns.includes(id)).map((id) => `${id} is lost`);
      return { faults: [...broken, ...faults, ...lost], warnings };
    } finally {
      await simplemem.close({ flush: false });
    }
  });
}

async function killReembed(killing: Killing, big: Ground, name: string): Promise<Broken> {
  return withFolder(async (folder) => {
    await copyFolder(big.folder, folder);
    const broken = await killed(killing, [folder, "reembed", name], () => {});
    const simplemem = await open(folder, { embeddings: new FakeEmbeddings(24) });
    try {
      const left = await brokenIn(simplemem, big.tally);
      const { embedder } = await simplemem.reembed();
      const after = await brokenIn(simplemem, big.tally);
      const unlike = embedder === "fake-24" ? [] : [`the vectors are ${embedder}'s`];
      return {
        faults: [...broken, ...left.faults, ...after.faults, ...after.warnings, ...unlike],
        warnings: left.warnings,
      };
    } finally {
      await simplemem.close({ flush: false });
    }
  });
}

async function killImport(killing: Killing, lines: string, tally: Tally, name: string): Promise<Broken> {
  return withFolder(async (folder) => {
    const broken = await killed(killing, [folder, "import", name, lines], () => {});
    const simplemem = await open(folder);
    try {
      const { findings } = await simplemem.verify();
      // Turns whose windows were still to come are named until the import is made once more.
      const early = findings.filter(({ severity, rule }) => severity === "fault" && rule !== "turn_fell_between");
      await simplemem.scope(VICTIM).import(await readFile(lines, "utf8"));
      const after = await brokenIn(simplemem, tally);
      const warnings = findings.map(({ rule }) => `left ${rule}`);
      return { faults: [...broken, ...early.map(({ message }) => message), ...after.faults], warnings };
    } finally {
      await simplemem.close({ flush: false });
    }
  });
}

/** An export of many turns, half of them extracted. */
async function exported(folder: string, tally: Tally): Promise<string> {
  const path = join(folder, "export.jsonl");
  await withFolder(async (from) => {
    const simplemem = await open(from);
    const memory = simplemem.scope({ ...VICTIM, sessionId: "moved" });
    const ids = Array.from({ length: IMPORTED_TURNS }, (_, index) => `moved-${index}`);
    await memory.add(ids.slice(0, IMPORTED_TURNS / 2).map(sentence));
    await memory.flush();
    await memory.add(ids.slice(IMPORTED_TURNS / 2).map(sentence));
    for (const id of ids) tally.take(`+ ${id}`);
    const lines: string[] = [];
    for await (const line of memory.export()) lines.push(line);
    await writeFile(path, lines.join("\n"));
    await simplemem.close({ flush: false });
  });
  return path;
}

/** What all lanes share: folders that are copied, and never written to. */
interface Models {
  readonly big: Ground;
  readonly lines: string;
  readonly moved: Tally;
}

function killOne(killing: Killing, { big, lines, moved }: Models, going: Ground, what: Work, name: string) {
  if (what === "migration") return killMigration(killing, name);
  if (what === "reembed") return killReembed(killing, big, name);
  if (what === "import") return killImport(killing, lines, moved, name);
  return killGoingOn(killing, going, what, name);
}

/** One kill after the other, in a folder of its own. */
async function lane(killing: Killing, models: Models, root: string, kills: number, tell: Told): Promise<void> {
  let ground: Ground = { folder: "", tally: new Tally() };
  for (let done = 0; done < kills; done += 1) {
    if (Date.now() > killing.until) return;
    if (done % KILLS_PER_FOLDER === 0) {
      ground = { folder: join(root, `ground-${done}`), tally: new Tally() };
      await fill(ground.folder, ground.tally, BASE_TURNS);
    }
    const what = WORK[done % WORK.length] ?? "add";
    tell(what, await killOne(killing, models, ground, what, `k${done}`));
  }
}

type Told = (what: Work, broken: Broken) => void;

/** Kills processes at random moments of everything that they write, so many or for so long. */
export async function kill(
  programs: Programs,
  random: Random,
  { kills, minutes }: { readonly kills: number; readonly minutes: number },
  onKill: (done: number, faults: readonly string[]) => void,
): Promise<readonly Outcome[]> {
  const outcomes = new Outcomes("kill");
  const killing = { programs, random, until: Date.now() + minutes * 60_000 };
  let done = 0;
  await withFolder(async (root) => {
    const moved = new Tally();
    const lines = await exported(root, moved);
    const big: Ground = { folder: join(root, "big"), tally: new Tally() };
    await fill(big.folder, big.tally, REEMBEDDED_TURNS);
    const lanes = Array.from({ length: LANES }, (_, index) => {
      const share = Math.floor(kills / LANES) + Number(index < kills % LANES);
      return lane(killing, { big, lines, moved }, join(root, `lane-${index}`), share, (what, { faults, warnings }) => {
        done += 1;
        outcomes.tried(what, faults, warnings);
        onKill(done, faults);
      });
    });
    await Promise.all(lanes);
  });
  return outcomes.all();
}
