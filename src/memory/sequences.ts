/** Several turns may arrive within one millisecond; each still gets a number of its own. */
export const SEQUENCES_PER_MS = 1000;
