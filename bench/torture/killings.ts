import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SimpleMem, SimpleMemOptions } from "../../src/index.js";
import { FakeEmbeddings } from "../../test/support/fakes.js";
import { formerEmbeddings, unpackFormerStore } from "../../test/support/former-files.js";
import { type Killing, killed } from "./killed.js";
import { type Broken, brokenIn } from "./outcome.js";
import { below } from "./random.js";
import { copyFolder, fill, open, sentence, withFolder } from "./store.js";
import { Tally, VICTIM } from "./tally.js";
import { unproven } from "./witness.js";

const IMPORTED_TURNS = 200;
const BIG_TURNS = 200;
const FORMER_VERSIONS = 3;

/** A folder that processes die in, and what they acknowledged. */
export interface Ground {
  readonly folder: string;
  readonly tally: Tally;
}

/** Folders that are copied, and never written to. */
export interface Models {
  readonly big: Ground;
  readonly lines: string;
  readonly moved: Tally;
}

/** Opens a folder as whoever comes next, looks at it, and leaves it. */
async function visited(
  folder: string,
  look: (simplemem: SimpleMem) => Promise<Broken>,
  options: Partial<SimpleMemOptions> = {},
): Promise<Broken> {
  const simplemem = await open(folder, options);
  try {
    return await look(simplemem);
  } finally {
    await simplemem.close({ flush: false });
  }
}

function joined(...all: readonly Broken[]): Broken {
  return { faults: all.flatMap(({ faults }) => faults), warnings: all.flatMap(({ warnings }) => warnings) };
}

/** What the dead left pending is done by a flush, after which nothing is missing. */
async function flushed(simplemem: SimpleMem, tally: Tally): Promise<Broken> {
  const { failures } = await simplemem.scope(VICTIM).flush();
  return { faults: [...failures.map(({ error }) => error), ...(await unproven(simplemem, tally))], warnings: [] };
}

/** In a folder in which others died before, and others will. */
export async function killGoingOn(
  killing: Killing,
  { folder, tally }: Ground,
  what: string,
  name: string,
): Promise<Broken> {
  const { faults, moment } = await killed(killing, [folder, what, name], (line) => tally.take(line));
  const after = await visited(folder, async (simplemem) => {
    const found = await brokenIn(simplemem, tally, folder);
    return what === "maintain" || what === "purge" ? joined(found, await flushed(simplemem, tally)) : found;
  });
  return joined({ faults, warnings: [moment] }, after);
}

export async function killMigration(killing: Killing, name: string): Promise<Broken> {
  return withFolder(async (folder) => {
    unpackFormerStore(1 + below(killing.random, FORMER_VERSIONS), folder);
    const { faults, moment } = await killed(killing, [folder, "migration", name], () => {});
    const look = async (simplemem: SimpleMem): Promise<Broken> => {
      const { findings } = await simplemem.verify();
      const turns = await simplemem.scope({ userId: "ilse", sessionId: "s1" }).turns();
      const ids = new Set(turns.map(({ dialogueId }) => dialogueId));
      const lost = ["t1", "t2", "t3", "t4", "t5"].filter((id) => !ids.has(id)).map((id) => `${id} is lost`);
      const broken = findings.filter(({ severity }) => severity === "fault").map(({ message }) => message);
      return { faults: [...broken, ...lost], warnings: [] };
    };
    const after = await visited(folder, look, { embeddings: formerEmbeddings() });
    return joined({ faults, warnings: [moment] }, after);
  });
}

export async function killReembed(killing: Killing, { big }: Models, name: string): Promise<Broken> {
  return withFolder(async (folder) => {
    await copyFolder(big.folder, folder);
    const { faults, moment } = await killed(killing, [folder, "reembed", name], () => {});
    const look = async (simplemem: SimpleMem): Promise<Broken> => {
      const left = await brokenIn(simplemem, big.tally, folder);
      const { embedder } = await simplemem.reembed();
      const after = await brokenIn(simplemem, big.tally, folder);
      const unlike = embedder === "fake-24" ? [] : [`the vectors are ${embedder}'s`];
      return joined(left, { faults: [...after.faults, ...after.warnings, ...unlike], warnings: [] });
    };
    const after = await visited(folder, look, { embeddings: new FakeEmbeddings(24) });
    return joined({ faults, warnings: [moment] }, after);
  });
}

export async function killRebuild(killing: Killing, { big }: Models, name: string): Promise<Broken> {
  return withFolder(async (folder) => {
    await copyFolder(big.folder, folder);
    const { faults, moment } = await killed(killing, [folder, "rebuild", name], () => {});
    const look = async (simplemem: SimpleMem): Promise<Broken> => {
      const left = await brokenIn(simplemem, big.tally, folder);
      await simplemem.scope(VICTIM).rebuild({ apply: true });
      const after = await brokenIn(simplemem, big.tally, folder);
      return joined(left, after, await flushed(simplemem, big.tally));
    };
    return joined({ faults, warnings: [moment] }, await visited(folder, look));
  });
}

export async function killImport(killing: Killing, { lines, moved }: Models, name: string): Promise<Broken> {
  return withFolder(async (folder) => {
    const nobody = new Tally();
    await fill(folder, nobody, 0);
    const { faults, moment } = await killed(killing, [folder, "import", name, lines], () => {});
    const look = async (simplemem: SimpleMem): Promise<Broken> => {
      const { findings } = await simplemem.verify();
      // Turns whose windows were still to come are named until the import is made once more.
      const early = findings.filter(({ severity, rule }) => severity === "fault" && rule !== "turn_fell_between");
      await simplemem.scope(VICTIM).import(await readFile(lines, "utf8"));
      const after = await brokenIn(simplemem, moved, folder);
      const left = {
        faults: early.map(({ message }) => message),
        warnings: findings.map(({ rule }) => `left ${rule}`),
      };
      return joined(left, after, await flushed(simplemem, moved));
    };
    return joined({ faults, warnings: [moment] }, await visited(folder, look));
  });
}

/** An export of many turns, half of them extracted. */
async function exported(path: string, tally: Tally): Promise<void> {
  await withFolder(async (from) => {
    const simplemem = await open(from);
    const memory = simplemem.scope({ ...VICTIM, sessionId: "moved" });
    const ids = Array.from({ length: IMPORTED_TURNS }, (_, index) => `moved-${index}`);
    await memory.add(ids.slice(0, IMPORTED_TURNS / 2).map(sentence));
    await memory.flush();
    await memory.add(ids.slice(IMPORTED_TURNS / 2).map(sentence));
    for (const id of ids) tally.take(["accepted", id]);
    const lines: string[] = [];
    for await (const line of memory.export()) lines.push(line);
    await writeFile(path, lines.join("\n"));
    await simplemem.close({ flush: false });
  });
}

export async function makeModels(root: string): Promise<Models> {
  const models: Models = {
    big: { folder: join(root, "big"), tally: new Tally() },
    lines: join(root, "export.jsonl"),
    moved: new Tally(),
  };
  await exported(models.lines, models.moved);
  await fill(models.big.folder, models.big.tally, BIG_TURNS);
  return models;
}
