import { copyFile, link, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Smaller files are copied: LanceDB writes one of them anew with each version. */
const LINKED_FROM_BYTES = 100_000;

/** Runs in a folder that is gone afterwards. */
export async function inFreshFolder<T>(run: (folder: string) => Promise<T>, beside = tmpdir()): Promise<T> {
  const folder = await mkdtemp(join(beside, "bench-"));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A copy that may be written to, in a moment: files of rows and indexes are never changed in place, so links stand for them. */
export async function inCopyOf<T>(folder: string, run: (copy: string) => Promise<T>): Promise<T> {
  return inFreshFolder(async (home) => {
    const copy = join(home, "store");
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const file of found.filter((one) => one.isFile())) {
      const from = join(file.parentPath, file.name);
      const to = join(copy, from.slice(folder.length));
      await mkdir(dirname(to), { recursive: true });
      const { size } = await stat(from);
      await (size < LINKED_FROM_BYTES ? copyFile(from, to) : link(from, to));
    }
    return run(copy);
  }, dirname(folder));
}
