import type { MemoryEntry } from "../../records/index.js";
import type { Output } from "./output.js";
import { dim, styled, type Words } from "./style.js";

/** "1 turn", "3 turns". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

const SIZES = ["bytes", "kB", "MB", "GB", "TB"];

/** "12.3 MB" */
export function sizeWords(bytes: number): string {
  const power = Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${SIZES[power]}`;
}

/** The status of an entry; an active one needs no word. */
export function statusWords({ status, pinned }: Pick<MemoryEntry, "status" | "pinned">): Words {
  const name = status === "active" ? "" : status.replace("_", " ");
  return styled("yellow", [name, pinned ? "pinned" : ""].filter((word) => word !== "").join(", "));
}

export const ENTRY_HEAD = ["id", "when", "kind", "status", "statement"] as const;

/** An entry as a row under `ENTRY_HEAD`. */
export function entryRow(entry: MemoryEntry, output: Output): readonly Words[] {
  const when = output.time(entry.timestamp ?? entry.mentionedAt);
  return [dim(entry.entryId), when, entry.kind, statusWords(entry), entry.losslessRestatement];
}
