import { cpus, totalmem } from "node:os";

/** What a figure was taken on, in a line. */
export function machine(): string {
  return `${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`;
}
