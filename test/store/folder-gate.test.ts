import { spawnSync } from "node:child_process";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FolderGate } from "../../src/store/folder-gate.js";
import { temporaryFolder } from "../support/store.js";

let folder: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
});

afterEach(() => remove());

/** A promise, and what settles it. */
function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = (): void => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

/** Runs work that says when it began and ends when it is told to, and notes both. */
function held(run: (work: () => Promise<void>) => Promise<void>, name: string, notes: string[]) {
  const [begun, end] = [signal(), signal()];
  const done = run(async () => {
    notes.push(`${name} begins`);
    begun.give();
    await end.given;
    notes.push(`${name} ends`);
  });
  return { begun: begun.given, end: end.give, done };
}

it("who wants to be alone waits for the writes of other handles", async () => {
  const [left, right] = [new FolderGate(folder, "entries"), new FolderGate(folder, "entries")];
  const notes: string[] = [];
  const writing = held((work) => left.together(work), "write", notes);
  await writing.begun;
  const second = held((work) => left.together(work), "second write", notes);
  await second.begun;
  const alone = held((work) => right.alone(work), "alone", notes);
  writing.end();
  second.end();
  await alone.begun;
  alone.end();
  await Promise.all([writing.done, second.done, alone.done]);
  expect(notes.slice(-2)).toEqual(["alone begins", "alone ends"]);
  expect(notes.indexOf("alone begins")).toBe(4);
});

it("writes of other handles wait for who is alone; writes of another table do not", async () => {
  const notes: string[] = [];
  const alone = held((work) => new FolderGate(folder, "entries").alone(work), "alone", notes);
  await alone.begun;
  const writing = held((work) => new FolderGate(folder, "entries").together(work), "write", notes);
  const other = held((work) => new FolderGate(folder, "turns").together(work), "other table", notes);
  await other.begun;
  other.end();
  await other.done;
  expect(notes).toEqual(["alone begins", "other table begins", "other table ends"]);
  alone.end();
  await writing.begun;
  writing.end();
  await Promise.all([alone.done, writing.done]);
  expect(notes.slice(-3)).toEqual(["alone ends", "write begins", "write ends"]);
});

it("of many that want to be alone at once, each is, and no file is left", async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise(setImmediate);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 6 }, () => new FolderGate(folder, "entries").alone(work)));
  expect(most).toBe(1);
  expect(await readdir(join(folder, ".gate"))).toEqual([]);
});

it("the files of a process that died, or that was silent for long on another machine, hold nobody", async () => {
  const notes: string[] = [];
  const sample = held((work) => new FolderGate(folder, "entries").together(work), "sample", notes);
  await sample.begun;
  const [own = ""] = await readdir(join(folder, ".gate"));
  sample.end();
  await sample.done;
  const [, machine = ""] = own.split(".");
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  await mkdir(join(folder, ".gate"), { recursive: true });
  await writeFile(join(folder, ".gate", `entries.${machine}.${dead}.killed.alone`), "");
  const silent = join(folder, ".gate", "entries.elsewhere.1.silent");
  await writeFile(silent, "");
  await utimes(silent, 0, 0);
  const gate = new FolderGate(folder, "entries");
  await gate.together(async () => void notes.push("written"));
  await gate.alone(async () => void notes.push("maintained"));
  expect(notes.slice(-2)).toEqual(["written", "maintained"]);
});

it("a failing write frees the gate", async () => {
  const gate = new FolderGate(folder, "entries");
  const failing = gate.together(() => Promise.reject(new Error("disk full")));
  await expect(failing).rejects.toThrow("disk full");
  await expect(new FolderGate(folder, "entries").alone(async () => "alone")).resolves.toBe("alone");
});
