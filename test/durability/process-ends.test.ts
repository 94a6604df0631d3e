import { expect, it } from "vitest";
import { freshFolder } from "../support/folders.js";
import { ended, startChild } from "../support/processes.js";

/** A process that something keeps alive is killed, and ends without a code. */
const PATIENCE_MS = 30_000;

it.each([
  "opens",
  "closes",
  "flushes",
  "asks",
  "leaves turns waiting",
  "fills windows",
  "fails to flush",
  "gives a dead model up",
  "closes before it is done",
  "stops a stream",
  "keeps items",
])("a process that %s ends by itself, and says nothing on its way (R78)", async (way) => {
  const child = startChild("short-child", [freshFolder(), way]);
  const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  const { lines, errors, code } = await ended(child);
  clearTimeout(timer);
  expect({ lines, errors, code }).toEqual({ lines: ["done"], errors: "", code: 0 });
});
