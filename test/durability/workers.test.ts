import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { freshFolder } from "../support/folders.js";
import { type Ended, ended, startChild } from "../support/processes.js";
import { noting, type SharedTask, sharedOptions, turnOf, WINDOW_SIZE } from "../support/shared-memory.js";

const FRONTS = [
  ["a", "b"],
  ["c", "d"],
] as const;
const USERS = FRONTS.flat();
const WINDOWS = 5;
const TURNS = WINDOWS * WINDOW_SIZE;
const KILLS = 3;
/** So long that no worker that lives outstays it, also where the machine is busy. */
const LEASE_MS = 8_000;
const HANG_MS = 12_000;

/** A small generator with a seed, so that a failing run can be run again. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

interface Call {
  /** The first turn of the window. */
  readonly window: string;
  readonly pid: number;
}

function callsIn(file: string): readonly Call[] {
  const lines = readFileSync(file, { encoding: "utf8", flag: "a+" }).split("\n");
  return lines
    .filter((line) => line !== "")
    .map((line) => {
      const [window = "", pid] = line.split(" ");
      return { window, pid: Number(pid) };
    });
}

/** The processes that asked the model about each window, in their order. */
function askersOf(calls: readonly Call[]): ReadonlyMap<string, readonly number[]> {
  const askers = new Map<string, number[]>();
  for (const { window, pid } of calls) askers.set(window, [...(askers.get(window) ?? []), pid]);
  return askers;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What was made of the turns of each user, without the times at which that was done. */
async function rowsOf(simplemem: SimpleMem): Promise<readonly object[]> {
  const lists = await Promise.all(USERS.map((userId) => simplemem.scope({ userId }).list()));
  return lists.flatMap(({ items }) =>
    items.map(({ entryId, losslessRestatement, sourceIds, status }) => ({
      entryId,
      losslessRestatement,
      sourceIds,
      status,
    })),
  );
}

function byId(rows: readonly object[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

/** The rows that one worker makes of all the turns. */
async function rowsOfOneWorker(calls: string): Promise<readonly object[]> {
  await using alone = await SimpleMem.open({ uri: "memory://", ...sharedOptions(noting(calls)) });
  for (const userId of USERS) {
    await alone.scope({ userId }).add(Array.from({ length: TURNS }, (_, index) => turnOf(userId, index + 1)));
  }
  await alone.work({ once: true });
  return rowsOf(alone);
}

it(`workers of which one is killed ${KILLS} times and one hangs past its lease make each window's facts once, the same as one worker`, async () => {
  const folder = freshFolder();
  const calls = join(freshFolder(), "calls");
  const random = seeded(20_261_130);
  const start = (task: SharedTask) => startChild("shared-memory-child", [JSON.stringify(task)]);
  const worker: SharedTask = { task: "work", uri: folder, calls, leaseMs: LEASE_MS };
  await using reader = await SimpleMem.open({ uri: folder, ...sharedOptions(null) });

  const fronts = FRONTS.map((users) => ended(start({ task: "front", uri: folder, users, turns: TURNS })));
  const hanging = start({ ...worker, hangMs: HANG_MS });
  const steady = start(worker);
  const living = [hanging, steady].map((child) => ended(child));
  const lost = new Set([hanging.pid]);
  const killed: Promise<Ended>[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const doomed = start(worker);
    const end = ended(doomed);
    lost.add(doomed.pid);
    // At a random moment after the first window that it took up.
    while (!callsIn(calls).some(({ pid }) => pid === doomed.pid) && !(await isDone(reader))) await pause(10);
    await pause(random() * 200);
    doomed.kill("SIGKILL");
    killed.push(end);
  }
  const accepted = (await Promise.all(fronts)).flatMap(({ lines, code, errors }) => {
    expect(code, errors).toBe(0);
    return lines;
  });
  while (!(await isDone(reader))) await pause(100);
  for (const child of [hanging, steady]) child.kill("SIGTERM");
  for (const { code, errors } of await Promise.all(living)) expect(code, errors).toBe(0);
  for (const { code } of await Promise.all(killed)) expect(code).toBeNull();

  expect(accepted.length).toBe(USERS.length * TURNS);
  const rows = await rowsOf(reader);
  expect(byId(rows)).toEqual(byId(await rowsOfOneWorker(join(freshFolder(), "calls"))));
  // What a killed process held stays noted until somebody wants it.
  expect((await reader.verify()).findings.filter(({ rule }) => rule !== "claim_left")).toEqual([]);
  const asked = askersOf(callsIn(calls));
  expect(asked.size).toBe(USERS.length * WINDOWS);
  // A window is read again only where its holder died or hung.
  for (const [window, askers] of asked) {
    const former = askers.slice(0, -1).filter((pid) => !lost.has(pid));
    expect(former, window).toEqual([]);
  }
}, 300_000);

/** Whether every turn of every user is in a stored window. */
async function isDone(simplemem: SimpleMem): Promise<boolean> {
  return (await simplemem.stats()).windows.stored === USERS.length * WINDOWS;
}
