import { z } from "zod/v4";
import type {
  ExportOptions,
  ImportOptions,
  ImportReceipt,
  ImportSource,
  RebuildReport,
  ScopedMemory,
  SessionScope,
} from "../../records/index.js";
import { type ExactScope, writtenScope } from "../../store/index.js";
import type { Engine } from "../engine.js";
import { check, signalSchema } from "../options.js";
import { exportLines } from "./export.js";
import { Importer } from "./import.js";
import { importTask } from "./import-task.js";
import { type RebuildOptions, rebuild } from "./rebuild.js";

const exportSchema = z.strictObject({ signal: signalSchema.optional() });
const importSchema = z.strictObject({
  entries: z.enum(["keep", "anew"]).optional(),
  onProgress: z
    .custom<ImportOptions["onProgress"]>((value) => typeof value === "function", "must be a function")
    .optional(),
  signal: signalSchema.optional(),
});

/** Export and import of one scope. */
export class ScopedMoves {
  readonly #scope: ExactScope;

  constructor(
    private readonly engine: Engine,
    scope: SessionScope,
    private readonly ensureWritable: () => void,
    private readonly handleOver: (engine: Engine) => ScopedMemory,
  ) {
    this.#scope = writtenScope(scope);
  }

  async *export(options: ExportOptions): AsyncGenerator<string> {
    this.engine.ensureOpen();
    const { signal } = check(exportSchema, options, "the options of export");
    yield* exportLines(this.engine.store, this.#scope, signal);
  }

  async rebuild(options: RebuildOptions): Promise<RebuildReport> {
    this.engine.ensureOpen();
    if (options.apply === true) this.ensureWritable();
    return rebuild(this.engine, this.#scope, options, this.handleOver);
  }

  async import(source: ImportSource, options: ImportOptions): Promise<ImportReceipt> {
    this.ensureWritable();
    check(importSchema, options, "the options of import");
    const { engine } = this;
    const scope = this.#scope;
    const context = {
      services: engine.services,
      scope,
      redact: engine.redact,
      alone: <T>(work: () => Promise<T>) => engine.exclusiveWithCut(scope, work),
      fold: () => engine.writer.foldWhenFragmented(),
    };
    try {
      return await engine.alone(importTask(scope), () => new Importer(context, options).run(source));
    } finally {
      const pending = await engine.store.inbox.count(scope, "extract");
      if (pending > 0) engine.writer.noticeTurns(scope, pending);
    }
  }
}
