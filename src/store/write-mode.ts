import { randomUUID } from "node:crypto";
import type { Logger } from "../records/index.js";
import { Database, type Modules, parseAddress } from "./connection.js";

/** How a store may be written. */
export interface WriteMode {
  /** Why nothing may be written; null when it may. */
  readonly whyReadOnly: string | null;
  /** Each table is written by one commit at a time: its storage does not keep two apart. */
  readonly oneAtATime: boolean;
}

export interface WriteWishes {
  readonly uri: string;
  readonly storageOptions?: Record<string, string>;
  readonly readOnly?: boolean;
  /** The caller knows that no other process writes. */
  readonly singleWriter?: boolean;
}

const ASKED = "it was opened with readOnly: true; open it without to change it.";
/** LanceDB's own service commits by itself. */
const SERVICE = /^(?:db|https?):\/\//;
/** Commits at once: where storage does not keep them apart, all but the last are lost. */
const COMMITS = 4;
const PROBE = "probe_";
/** A probe that was not removed for so long is of a process that died. */
const FORGOTTEN_MS = 10 * 60 * 1000;

/** The server took every commit, and kept not all of them. */
function whyNot(uri: string): string {
  return (
    `${uri} does not keep writers apart: of ${COMMITS} commits at once some were lost, though all were reported as made, since its server ` +
    "ignores conditional writes (If-None-Match). Use a server that honours them, or open it with singleWriter: true where no other process writes."
  );
}

/**
 * Tells how a store may be written. Object storage is tried: LanceDB makes each version by a write that must not find one
 * there, and a server that takes such a write all the same loses what others committed.
 */
export async function writeModeOf(modules: Modules, wishes: WriteWishes, logger: Logger): Promise<WriteMode> {
  if (wishes.readOnly === true) return { whyReadOnly: ASKED, oneAtATime: false };
  const isObjectStorage = parseAddress(wishes.uri).kind === "remote" && !SERVICE.test(wishes.uri);
  if (!isObjectStorage) return { whyReadOnly: null, oneAtATime: false };
  if (wishes.singleWriter === true) return { whyReadOnly: null, oneAtATime: true };
  const database = new Database(modules, { ...wishes, whyReadOnly: null, oneAtATime: false });
  try {
    if (await keepsCommits(database)) return { whyReadOnly: null, oneAtATime: false };
  } finally {
    await database.close();
  }
  const whyReadOnly = whyNot(wishes.uri);
  logger.warn("the store was opened read-only", { reason: whyReadOnly });
  return { whyReadOnly, oneAtATime: false };
}

/** Whether of several commits at once none is lost. A commit that is refused is not lost: its writer knows. */
async function keepsCommits(database: Database): Promise<boolean> {
  const { Schema, Field, Int32 } = database.modules.arrow;
  await removeForgotten(database);
  const name = `${PROBE}${Date.now()}_${randomUUID().slice(0, 8)}`;
  await database.createTable(name, new Schema([new Field("row", new Int32())]));
  try {
    const handles = await Promise.all(Array.from({ length: COMMITS }, () => database.openTable(name)));
    const made = await Promise.allSettled(handles.map((handle, row) => handle?.add([{ row }])));
    const kept = await (await database.openTable(name))?.countRows();
    return kept === made.filter(({ status }) => status === "fulfilled").length;
  } finally {
    await database.dropTable(name);
  }
}

async function removeForgotten(database: Database): Promise<void> {
  const probes = (await database.tableNames()).filter((name) => name.startsWith(PROBE));
  for (const name of probes) {
    const madeAt = Number(name.slice(PROBE.length).split("_")[0]);
    if (Date.now() - madeAt > FORGOTTEN_MS) await database.dropTable(name);
  }
}
