import { describe, expect, it } from "vitest";
import { NotWritableError } from "../../src/index.js";
import { refusalOf } from "../../src/server/failures.js";
import { whyUnwritable } from "../../src/store/unwritable.js";

describe("a store that cannot be written", () => {
  it("is 507 where the disk is full, so that a client tries again, and 403 where nobody may write", () => {
    expect(refusalOf(new NotWritableError("no room", { isFull: true })).status).toBe(507);
    expect(refusalOf(new NotWritableError("this store is read-only")).status).toBe(403);
  });

  it.each([
    ["LanceError(IO): No space left on device (os error 28)", "full"],
    ["ENOSPC: no space left on device, write", "full"],
    ["Disk quota exceeded (os error 122)", "full"],
    ["EROFS: read-only file system, open 'x'", "forbidden"],
    ["Permission denied (os error 13)", "forbidden"],
    ["Access is denied. (os error 5)", "forbidden"],
    ["Commit conflict for version 4", null],
  ])("is told by the words of whoever refused it: %s", (line, reason) => {
    expect(whyUnwritable(line)).toBe(reason);
  });
});
