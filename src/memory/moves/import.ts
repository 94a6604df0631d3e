import {
  type ImportCounts,
  ImportError,
  type ImportOptions,
  type ImportReceipt,
  type ImportSource,
} from "../../records/index.js";
import { vectorOf } from "../vector-of.js";
import { addCounts, type Batch, type ImportContext, nothingImported } from "./import-context.js";
import { importEntries } from "./import-entries.js";
import { importFacts, importWindows } from "./import-rest.js";
import { importTurns } from "./import-turns.js";
import { linesOf } from "./line-reader.js";
import { checkHeader, type MovedRecord, parseRecord } from "./lines.js";

/** Records that are stored at once. */
const BATCH = 500;

interface Numbered {
  readonly line: number;
  readonly record: MovedRecord;
}

type Kind = Exclude<keyof ImportReceipt, "lines">;

function ofType<T extends MovedRecord["type"]>(records: readonly Numbered[], type: T): Batch<T> {
  return records.flatMap(({ line, record }) => (isOfType(record, type) ? [{ line, record }] : []));
}

function isOfType<T extends MovedRecord["type"]>(
  record: MovedRecord,
  type: T,
): record is Extract<MovedRecord, { type: T }> {
  return record.type === type;
}

/** Reads an export, and stores it batch by batch. Each batch may be repeated: what is there already stays as it is. */
export class Importer {
  #receipt = nothingImported();
  #records = 0;
  #hasEnded = false;
  #waiting: Numbered[] = [];
  #mayHaveTwins = false;

  constructor(
    private readonly context: ImportContext,
    private readonly options: ImportOptions,
  ) {}

  /** @throws ImportError naming the line that does not fit; the batches before it are stored */
  async run(source: ImportSource): Promise<ImportReceipt> {
    let isFirst = true;
    for await (const line of linesOf(source)) {
      this.#receipt = { ...this.#receipt, lines: this.#receipt.lines + 1 };
      if (isFirst) {
        checkHeader(line);
        await this.#prepare();
      } else await this.#take({ line: line.number, record: parseRecord(line) });
      isFirst = false;
    }
    await this.#storeWaiting();
    if (this.#hasEnded) return this.#receipt;
    throw new ImportError(
      `the export has no last line, so it was cut off; the ${this.#records} records before are stored. Import the whole of it: what is there already stays.`,
      null,
    );
  }

  /** An embedder that does not fit is found out before anything is stored. */
  async #prepare(): Promise<void> {
    const { services, scope } = this.context;
    await vectorOf("dimension", services.embedder, services.store);
    this.#mayHaveTwins = (await services.store.entries.size(scope)) > 0;
  }

  async #take(one: Numbered): Promise<void> {
    if (this.#hasEnded) throw new ImportError("nothing may follow the last line of an export.", one.line);
    const [first] = this.#waiting;
    const isOther = first !== undefined && first.record.type !== one.record.type;
    if (isOther || this.#waiting.length >= BATCH) await this.#storeWaiting();
    if (one.record.type === "end") this.#end(one.record.records, one.line);
    else {
      this.#records += 1;
      this.#waiting.push(one);
    }
  }

  #end(records: number, line: number): void {
    if (records !== this.#records) {
      throw new ImportError(`the export says that it has ${records} records, but ${this.#records} were read.`, line);
    }
    this.#hasEnded = true;
  }

  async #storeWaiting(): Promise<void> {
    const batch = this.#waiting;
    const [first] = batch;
    if (first === undefined) return;
    this.#waiting = [];
    this.options.signal?.throwIfAborted();
    const [kind, counts] = await this.#store(batch, first.record.type);
    this.#receipt = { ...this.#receipt, [kind]: addCounts(this.#receipt[kind], counts) };
    await this.context.fold();
    this.options.onProgress?.(this.#receipt);
  }

  async #store(batch: readonly Numbered[], type: MovedRecord["type"]): Promise<[Kind, Partial<ImportCounts>]> {
    const { context } = this;
    const anew = this.options.entries === "anew";
    const left = { left: batch.length };
    if (type === "turn") return ["turns", await importTurns(context, ofType(batch, "turn"), anew)];
    if (type === "fact") return ["facts", await importFacts(context, ofType(batch, "fact"))];
    if (type === "window") return ["windows", anew ? left : await importWindows(context, ofType(batch, "window"))];
    const entries = ofType(batch, "entry");
    return ["entries", anew ? left : await importEntries(context, entries, this.#mayHaveTwins)];
  }
}
