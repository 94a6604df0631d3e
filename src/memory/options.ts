import type { Callbacks } from "@langchain/core/callbacks/manager";
import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { z } from "zod/v4";
import {
  DEFAULT_REVIEW,
  ENTRY_STATUSES,
  type EntryKind,
  type FlushOptions,
  InvalidInputError,
  isTimeZone,
  type Logger,
  SILENT_LOGGER,
  type Trust,
  type VerifyOptions,
} from "../records/index.js";
import type { Answerer } from "../stages/answer/answerer.js";
import type { Consolidator } from "../stages/consolidate/consolidator.js";
import type { Extractor } from "../stages/extract/extractor.js";
import type { Maintainer } from "../stages/maintain/maintainer.js";
import type { Planner } from "../stages/plan/planner.js";
import type { Reflector } from "../stages/reflect/reflector.js";
import type { Windower } from "../stages/window/window.js";
import { type MaintenanceOptions, maintenanceSchema, parseMaintenance } from "./maintenance-options.js";

/** Stages of the caller's own, each in place of ours. */
export interface StageOverrides {
  /** Where pending turns are cut into windows. */
  readonly window?: Windower;
  /** Which facts a window holds. */
  readonly extract?: Extractor;
  /** What a new entry does to those that are known. */
  readonly consolidate?: Consolidator;
  /** What to search for, and how deep. */
  readonly plan?: Planner;
  /** What is still missing. */
  readonly reflect?: Reflector;
  /** The answer from what was found, or the abstention. */
  readonly answer?: Answerer;
  /** The text that stands for several entries. */
  readonly maintain?: Maintainer;
}

/** Options of `SimpleMem.open`. Unknown ones are refused. */
export interface SimpleMemOptions {
  /** A folder, `memory://` for tests, or `s3://` `gs://` `az://` `db://`, which LanceDB opens with `storageOptions`. */
  readonly uri: string;
  /** What LanceDB needs for object storage: region, keys, endpoint. */
  readonly storageOptions?: { readonly [name: string]: string };
  /** A chat model for all stages. Absent: the rule-based stages, offline. */
  readonly llm?: BaseChatModel;
  /** A model of its own for a stage. */
  readonly llms?: {
    readonly [stage in "extract" | "consolidate" | "plan" | "reflect" | "answer" | "maintain"]?: BaseChatModel;
  };
  /** Default: `LocalEmbeddings`, English words offline. A store keeps the embedder that made it. */
  readonly embeddings?: EmbeddingsInterface;
  /** How turns are cut into windows. */
  readonly window?: {
    /** New turns per window, 1 to 1,000. Default 40, and then a window also closes early at a pause. */
    readonly size?: number;
    /** Turns before them as context, 0 to 100. Default 2. */
    readonly overlap?: number;
    /** Tokens of new turns per window. Default 4,000. */
    readonly maxTokens?: number;
    /** Milliseconds without a new turn after which what is pending is processed. Default 30,000; 0 turns it off. */
    readonly idleMs?: number;
    /** False: facts are made by `flush` and `close` alone, however much is pending. Default true. */
    readonly background?: boolean;
  };
  /** What to remember and what not, in words for the extractor. */
  readonly instructions?: string;
  /** Stages of the caller's own, each in the place of ours. */
  readonly stages?: StageOverrides;
  /** Changes a text before it reaches model, store and logs. Default: keys, tokens and passwords are cut out; false: nothing. */
  readonly redact?: ((text: string) => string) | false;
  /** IANA zone for times without an offset. Default "UTC". */
  readonly timeZone?: string;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly clock?: () => number;
  /** Default: silent. */
  readonly logger?: Logger;
  /** True: writes throw NotWritableError. Default false. */
  readonly readOnly?: boolean;
  /**
   * True: no other process writes. Object storage that ignores conditional writes is then written by one commit at a time;
   * without it, it is opened read-only (docs/scale.md). Means nothing for folders. Default false.
   */
  readonly singleWriter?: boolean;
  /** Counts the tokens of a text. Default: an estimate that needs no model. */
  readonly countTokens?: (text: string) => number;
  /** Which entries ask for a person's review; see `review` of the handle. */
  readonly review?: {
    /** Entries below this confidence do, 0 to 1. Default 0.6: what the extractor's checks doubt. */
    readonly belowConfidence?: number;
    /** Entries from these sources do. Default: `tool` and `import`. */
    readonly untrusted?: readonly Trust[];
    /** True: new ones of them are `pending_review`, and no read gives them before they are approved. Default false. */
    readonly hold?: boolean;
  };
  /**
   * Days, more than 0, after which new entries of a kind expire: they count from when it was said, or from the event's end where
   * that comes later. Default: none expires. `update` sets the expiry of one entry.
   */
  readonly expireAfterDays?: { readonly [kind in EntryKind]?: number };
  /** When memory is maintained by itself, and by what it decides. Default: only when `maintain` is called. */
  readonly maintenance?: MaintenanceOptions;
  /** What a run may take. */
  readonly limits?: {
    /** Windows extracted at the same time, 1 to 64. Default 4. */
    readonly maxConcurrency?: number;
    /** Flushes that may try a window before it is `failed`, 1 to 20. Default 3. */
    readonly tries?: number;
    /** One call of a stage, in milliseconds. Default 120,000. */
    readonly stageTimeoutMs?: number;
    /**
     * How long a window is held before another process may take it, in milliseconds, 1,000 or more. It is renewed when half of it is
     * over, not during a call of a stage: keep it at twice `stageTimeoutMs`, or a slow window is read twice. Default 300,000.
     */
    readonly leaseMs?: number;
    /** One query of the embedder, in milliseconds; after it, search goes on by words. Default 10,000. */
    readonly embedTimeoutMs?: number;
    /** Rounds of reflection after the first retrieval, 0 to 5. Default 2. */
    readonly maxReflectionRounds?: number;
    /** Calls of models in one `flush`, 1 or more; windows that it does not come to stay pending. Default: no cap. */
    readonly maxCallsPerFlush?: number;
    /** Tokens of one prompt that writes memory, 2,000 or more, by the library's estimate. Default 4,000. */
    readonly maxPromptTokens?: number;
  };
}

function hasMethod(...names: readonly string[]) {
  return (value: unknown): boolean =>
    typeof value === "object" &&
    value !== null &&
    names.every((name) => typeof (value as Record<string, unknown>)[name] === "function");
}

const model = z.custom<BaseChatModel>(hasMethod("invoke"), "must be a LangChain chat model");
export function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

const aFunction = z.custom<(...input: never[]) => unknown>(isFunction, "must be a function");

function stage<T>(method: string) {
  return z.custom<T>(hasMethod(method), `must have a method ${method}()`);
}

const trust = z.enum(["user", "assistant", "tool", "import"]);
const kind = z.enum(["fact", "preference", "event", "plan", "decision", "pattern"]);
/** A thousand years: later times have no four-digit year. */
const MAX_DAYS = 365_000;

const optionsSchema = z.strictObject({
  uri: z.string().refine((value) => value.trim() !== "", "must not be blank"),
  storageOptions: z.record(z.string(), z.string()).optional(),
  llm: model.optional(),
  llms: z
    .strictObject({
      extract: model.optional(),
      consolidate: model.optional(),
      plan: model.optional(),
      reflect: model.optional(),
      answer: model.optional(),
      maintain: model.optional(),
    })
    .optional(),
  embeddings: z
    .custom<EmbeddingsInterface>(hasMethod("embedQuery", "embedDocuments"), "must be LangChain embeddings")
    .optional(),
  window: z
    .strictObject({
      size: z.int().min(1).max(1000).optional(),
      overlap: z.int().min(0).max(100).optional(),
      maxTokens: z.int().min(100).optional(),
      idleMs: z.int().min(0).optional(),
      background: z.boolean().optional(),
    })
    .optional(),
  instructions: z.string().optional(),
  stages: z
    .strictObject({
      window: stage<Windower>("cut").optional(),
      extract: stage<Extractor>("extract").optional(),
      consolidate: stage<Consolidator>("consolidate").optional(),
      plan: stage<Planner>("plan").optional(),
      reflect: stage<Reflector>("reflect").optional(),
      answer: stage<Answerer>("answer").optional(),
      maintain: stage<Maintainer>("condense").optional(),
    })
    .optional(),
  redact: z.union([aFunction, z.literal(false)]).optional(),
  timeZone: z.string().refine(isTimeZone, 'must be an IANA zone such as "Asia/Shanghai"').optional(),
  clock: aFunction.optional(),
  logger: z.custom<Logger>(hasMethod("debug", "info", "warn", "error"), "needs debug, info, warn, error").optional(),
  readOnly: z.boolean().optional(),
  singleWriter: z.boolean().optional(),
  countTokens: aFunction.optional(),
  review: z
    .strictObject({
      belowConfidence: z.number().min(0).max(1).optional(),
      untrusted: z.array(trust).optional(),
      hold: z.boolean().optional(),
    })
    .optional(),
  expireAfterDays: z.partialRecord(kind, z.number().positive().max(MAX_DAYS)).optional(),
  maintenance: maintenanceSchema.optional(),
  limits: z
    .strictObject({
      maxConcurrency: z.int().min(1).max(64).optional(),
      tries: z.int().min(1).max(20).optional(),
      stageTimeoutMs: z.int().min(1).optional(),
      leaseMs: z.int().min(1000).optional(),
      embedTimeoutMs: z.int().min(1).optional(),
      maxReflectionRounds: z.int().min(0).max(5).optional(),
      maxCallsPerFlush: z.int().min(1).optional(),
      maxPromptTokens: z.int().min(2000).optional(),
    })
    .optional(),
});

/** Checks a value against a schema. @throws InvalidInputError naming the first field that does not fit */
export function check<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path.map(String).join(".") ?? "";
  throw new InvalidInputError(`${what}${path === "" ? "" : `, field ${path}`}: ${issue?.message ?? "does not fit"}.`);
}

/** The options with every default filled in. */
export function parseOptions(input: SimpleMemOptions) {
  check(optionsSchema, input, "the options of SimpleMem.open");
  return {
    ...input,
    window: { size: 40, overlap: 2, maxTokens: 4000, idleMs: 30_000, background: true, ...input.window },
    closesEarly: input.window?.size === undefined,
    timeZone: input.timeZone ?? "UTC",
    clock: input.clock ?? Date.now,
    logger: input.logger ?? SILENT_LOGGER,
    readOnly: input.readOnly ?? false,
    singleWriter: input.singleWriter ?? false,
    review: { ...DEFAULT_REVIEW, ...input.review },
    maintenance: parseMaintenance(input.maintenance),
    expireAfterDays: input.expireAfterDays ?? {},
    limits: {
      maxConcurrency: 4,
      tries: 3,
      stageTimeoutMs: 120_000,
      embedTimeoutMs: 10_000,
      maxReflectionRounds: 2,
      maxPromptTokens: 4000,
      leaseMs: 300_000,
      ...input.limits,
    },
  };
}

export type ParsedOptions = ReturnType<typeof parseOptions>;

const stringList = z.array(z.string());
const oneOrMore = <T extends z.ZodType>(schema: T) => z.union([schema, z.array(schema)]);
const status = z.enum(ENTRY_STATUSES);
const isoTime = z.string().refine((value) => !Number.isNaN(Date.parse(value)), "must be an ISO 8601 time");

export const filterSchema = z.strictObject({
  sessionId: z.string().optional(),
  persons: stringList.optional(),
  entities: stringList.optional(),
  location: z.string().optional(),
  kind: oneOrMore(kind).optional(),
  status: oneOrMore(status).optional(),
  after: isoTime.optional(),
  before: isoTime.optional(),
  validAt: isoTime.optional(),
  topic: z.string().optional(),
  speaker: z.string().optional(),
  metadata: z.record(z.string(), z.json()).optional(),
  trust: oneOrMore(trust).optional(),
  pinned: z.boolean().optional(),
});

export const signalSchema = z.custom<AbortSignal>(hasMethod("throwIfAborted"), "must be an AbortSignal");

export const searchSchema = z.strictObject({
  k: z.int().min(1).max(1000).optional(),
  filter: filterSchema.optional(),
  views: z
    .array(z.enum(["semantic", "lexical", "symbolic", "episodic"]))
    .min(1)
    .optional(),
  recent: z.array(z.custom<never>()).optional(),
  asOf: isoTime.optional(),
  order: z.enum(["relevance", "newest", "oldest"]).optional(),
  planning: z.enum(["auto", "always", "never"]).optional(),
  maxTokens: z.number().min(0).optional(),
  includeArchived: z.boolean().optional(),
  signal: signalSchema.optional(),
  callbacks: z.custom<Callbacks>().optional(),
});

export const listSchema = z.strictObject({
  kind: oneOrMore(kind).optional(),
  status: oneOrMore(status).optional(),
  filter: filterSchema.optional(),
  asOf: isoTime.optional(),
  limit: z.int().min(1).optional(),
  cursor: z.string().optional(),
});

export const changesSchema = z.strictObject({
  since: isoTime,
  filter: filterSchema.optional(),
  limit: z.int().min(1).max(1000).optional(),
  cursor: z.string().optional(),
});

const nonBlank = z.string().refine((value) => value.trim() !== "", "must not be blank");

export const timelineSchema = z
  .strictObject({
    person: nonBlank.optional(),
    entity: nonBlank.optional(),
    topic: nonBlank.optional(),
    after: isoTime.optional(),
    before: isoTime.optional(),
    filter: filterSchema.optional(),
    includeArchived: z.boolean().optional(),
    order: z.enum(["oldest", "newest"]).optional(),
    limit: z.int().min(1).max(1000).optional(),
    cursor: z.string().optional(),
  })
  .refine(
    ({ person, entity, topic }) => [person, entity, topic].some((part) => part !== undefined),
    "timeline needs one of { person }, { entity } and { topic }; list() gives everything",
  );

export const logSchema = z.strictObject({
  filter: filterSchema
    .pick({ sessionId: true, speaker: true, after: true, before: true, metadata: true, trust: true })
    .optional(),
  order: z.enum(["oldest", "newest"]).optional(),
  limit: z.int().min(1).max(1000).optional(),
  cursor: z.string().optional(),
});

export const turnsSchema = z.strictObject({ limit: z.int().min(1).max(10_000).optional() });

export const forgetSchema = z
  .strictObject({
    ids: stringList.optional(),
    filter: filterSchema.optional(),
    all: z.literal(true).optional(),
    query: z.string().optional(),
    k: z.int().min(1).max(1000).optional(),
    purge: z.boolean().optional(),
    dryRun: z.boolean().optional(),
  })
  .refine(
    (value) => [value.ids, value.filter, value.all, value.query].filter((part) => part !== undefined).length === 1,
    "forget needs exactly one of { ids }, { filter } and { all: true }, or { query, dryRun: true } to see what may be meant",
  )
  .refine(
    (value) => value.query === undefined || (value.dryRun === true && value.purge === undefined),
    "nothing is forgotten by a query alone: forget({ query, dryRun: true }) lists candidates, forget({ ids }) removes those that are meant",
  )
  .refine((value) => value.k === undefined || value.query !== undefined, "k belongs to a query")
  .refine(
    (value) => value.filter === undefined || Object.values(value.filter).some((part) => part !== undefined),
    "an empty filter would match everything; say { all: true } when that is meant",
  );

export const verifySchema = z.strictObject({
  onProgress: z.custom<VerifyOptions["onProgress"]>(isFunction, "must be a function").optional(),
  signal: signalSchema.optional(),
});

export const maintainSchema = z.strictObject({ upkeep: z.boolean().optional(), signal: signalSchema.optional() });

export const flushSchema = z.strictObject({
  retryFailed: z.boolean().optional(),
  onProgress: z.custom<NonNullable<FlushOptions["onProgress"]>>(isFunction, "must be a function").optional(),
  signal: signalSchema.optional(),
});

export const factKeySchema = nonBlank;
export const factValueSchema = z.string();
export const rememberSchema = z.strictObject({ category: nonBlank.optional(), expiresAt: isoTime.optional() });
export const recallSchema = z.strictObject({
  category: z.string().optional(),
  sessions: z.enum(["current", "all"]).optional(),
});
