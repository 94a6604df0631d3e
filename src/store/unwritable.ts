/** What LanceDB and the file system say when there is no room. */
const FULL = /no space left|quota exceeded|ENOSPC|EDQUOT/i;
/** What they say when nobody may write, or no longer. */
const FORBIDDEN = /permission denied|access is denied|read-only file system|EACCES|EPERM|EROFS/i;

/** Why a store cannot be written, by the words of whoever refused it; null for any other error. */
export function whyUnwritable(line: string): "full" | "forbidden" | null {
  if (FULL.test(line)) return "full";
  return FORBIDDEN.test(line) ? "forbidden" : null;
}
