/** Entries with the same words lie on one spot; rounding may part them by a hair. */
export const SAME_SPOT = 0.999;

/** Two texts that differ in case, width, spaces or a last full stop say the same. */
export function wording(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\s+/gu, " ")
    .replace(/[.。]$/u, "")
    .trim();
}
