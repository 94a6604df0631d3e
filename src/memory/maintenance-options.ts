import { z } from "zod/v4";
import {
  DEFAULT_MAINTENANCE,
  type MaintenanceAlert,
  type MaintenanceReport,
  type MaintenanceRule,
} from "../records/index.js";

/** The longest time that a timer of Node takes, and the widest spread round it. */
const MAX_EVERY_MS = 1_000_000_000;
const MAX_DAYS = 36_500;
const DEFAULT_JITTER = 0.1;

/** How memory is maintained: option `maintenance` of `SimpleMem.open`. */
export interface MaintenanceOptions {
  /**
   * Milliseconds between runs over all scopes that start by themselves, 1,000 to 1,000,000,000 (eleven days). Of the processes
   * that share a store one runs at a time. Default 0: none.
   */
  readonly everyMs?: number;
  /** Share of `everyMs`, 0 to 1, by which each run comes earlier or later, so that processes spread. Default 0.1. */
  readonly jitter?: number;
  /** Days after the last mention or access for which an entry counts in full. Default 30. */
  readonly fullDays?: number;
  /** Days after which an entry that nobody mentions or finds is archived; more than `fullDays`. Default 90. */
  readonly archiveDays?: number;
  /** From this importance on (0 to 1; 1.1 for none) both times are twice as long. Default 0.8. */
  readonly important?: number;
  /** Times that an entry must be found to count twice as long, and to come back from the archive; 1 or more. Default 3. */
  readonly promoteAfter?: number;
  /** Average cosine of all pairs from which entries become one pattern, 0.5 to 1. Default 0.85. */
  readonly similarity?: number;
  /** Entries that make a pattern at least, 2 to 12. Default 3. */
  readonly minParts?: number;
  /** Rows of a table from which its vectors get an index, 256 or more. Default 50,000. */
  readonly vectorIndexFrom?: number;
  /** Told of each run that failed in a part, or changed far less than usual, after its report was stored. */
  readonly onAlert?: (alert: MaintenanceAlert, report: MaintenanceReport) => void;
}

const days = z.number().min(0).max(MAX_DAYS);

export const maintenanceSchema = z
  .strictObject({
    everyMs: z.union([z.literal(0), z.int().min(1000).max(MAX_EVERY_MS)]).optional(),
    jitter: z.number().min(0).max(1).optional(),
    fullDays: days.optional(),
    archiveDays: days.optional(),
    important: z.number().min(0).max(1.1).optional(),
    promoteAfter: z.int().min(1).optional(),
    similarity: z.number().min(0.5).max(1).optional(),
    minParts: z.int().min(2).max(12).optional(),
    vectorIndexFrom: z.int().min(256).optional(),
    onAlert: z.custom<MaintenanceOptions["onAlert"]>((value) => typeof value === "function").optional(),
  })
  .refine(
    ({ fullDays = DEFAULT_MAINTENANCE.fullDays, archiveDays = DEFAULT_MAINTENANCE.archiveDays }) =>
      archiveDays > fullDays,
    "archiveDays must be more than fullDays",
  );

/** The options with every default filled in. */
export function parseMaintenance(options: MaintenanceOptions = {}) {
  const { everyMs = 0, jitter = DEFAULT_JITTER, onAlert, ...rule } = options;
  const parsed: MaintenanceRule = { ...DEFAULT_MAINTENANCE, ...rule };
  return { everyMs, jitter, rule: parsed, ...(onAlert === undefined ? {} : { onAlert }) };
}

export const reportsSchema = z.strictObject({ limit: z.int().min(1).max(20).optional() });
