import { detached, relayedSignal } from "../graph/index.js";
import {
  type AddInput,
  type AddReceipt,
  type Answer,
  type ChangesOptions,
  type ContextOptions,
  DEFAULT_CONTEXT_TOKENS,
  type DialogueTurn,
  type EntryPatch,
  type EntryVersion,
  type Explanation,
  type ExportOptions,
  type FlushOptions,
  type ForgetOptions,
  type ForgetReceipt,
  type Growth,
  type Health,
  type ImportOptions,
  type ImportReceipt,
  type ImportSource,
  type ListOptions,
  type LoggedTurn,
  type LogOptions,
  type MaintainOptions,
  type Maintenance,
  type MaintenanceReport,
  type MemoryEntry,
  type Page,
  type ReasonOptions,
  type RebuildReport,
  type RecentChange,
  type RestoreOptions,
  type Review,
  type ScopedMemory,
  type SearchOptions,
  type SearchResult,
  type SessionScope,
  SimpleMemError,
  type SpeakerNames,
  type Stats,
  type TimelineItem,
  type TimelineOptions,
  type TurnsOptions,
  type UpdateOptions,
  type WriteReport,
} from "../records/index.js";
import { renderContextBlock } from "../retrievers/index.js";
import { type ExactScope, exactScope, writtenScope } from "../store/index.js";
import { readInputs, sortOut, withdrawForgotten, withoutResent } from "./accept.js";
import { checkId } from "./correction-schemas.js";
import { Corrections } from "./corrections.js";
import type { Engine } from "./engine.js";
import { explain } from "./explain.js";
import { ScopedFacts } from "./facts.js";
import { forgetWithin } from "./forget.js";
import { forgetCandidates } from "./forgetting/candidates.js";
import { foundIn } from "./found-in.js";
import { growthOf } from "./growth.js";
import { healthOf } from "./health.js";
import { listChanges } from "./list-changes.js";
import { listEntries } from "./list-entries.js";
import { listLog } from "./list-log.js";
import { listTimeline } from "./list-timeline.js";
import { ScopedMaintenance } from "./maintenance.js";
import type { RebuildOptions } from "./moves/rebuild.js";
import { ScopedMoves } from "./moves/scoped-moves.js";
import {
  changesSchema,
  check,
  flushSchema,
  forgetSchema,
  listSchema,
  logSchema,
  searchSchema,
  timelineSchema,
  turnsSchema,
} from "./options.js";
import { emptyRead, isPiece, type ReadOutcome, toAnswer } from "./read-outcome.js";
import { ScopedReview } from "./review.js";
import { type ReadCall, runRead } from "./run-read.js";

const DEFAULT_TURNS = 40;

/** Everything one user can do. Made by `SimpleMem.scope`; costs nothing to make. */
export class ScopedHandle implements ScopedMemory {
  /** Exact key-values beside what was said. */
  readonly facts: ScopedFacts;
  /** Entries that a person should look at. */
  readonly review: Review;
  /** What it reads: its agent's memory and the shared one. */
  readonly #exact: ExactScope;
  /** What it writes, corrects and forgets. */
  readonly #own: ExactScope;
  readonly #corrections: Corrections;
  readonly #moves: ScopedMoves;
  readonly #maintenance: ScopedMaintenance;

  constructor(
    private readonly engine: Engine,
    readonly scope: SessionScope,
    private readonly names: SpeakerNames,
  ) {
    this.#exact = exactScope(scope);
    this.#own = writtenScope(scope);
    const shared = {
      store: engine.store,
      scope: this.#own,
      reads: this.#exact,
      clock: engine.options.clock,
      redact: engine.redact,
      exclusive: <T>(work: () => Promise<T>) => engine.exclusive(this.#own, work),
      ensureOpen: () => engine.ensureOpen(),
    };
    this.facts = new ScopedFacts({ ...shared, sessionId: scope.sessionId });
    const context = {
      ...shared,
      embedder: engine.embedder,
      timeZone: engine.options.timeZone,
      ensureWritable: () => this.#ensureWritable(),
    };
    this.#corrections = new Corrections(context);
    this.#moves = new ScopedMoves(
      engine,
      scope,
      () => this.#ensureWritable(),
      (other) => new ScopedHandle(other, scope, names),
    );
    this.review = new ScopedReview(context, engine.options.review);
    this.#maintenance = new ScopedMaintenance(engine, context);
  }

  /** What maintenance did, and how to take a pattern apart. */
  get maintenance(): Maintenance {
    return this.#maintenance;
  }

  /**
   * Accepts turns: they are in the log when this resolves, and will be rewritten into facts by the next `flush`, or by
   * themselves when a window is full or the conversation falls silent.
   * @throws InvalidInputError or DuplicateTurnError before anything of the call is stored
   * @example await memory.add({ speaker: "Ilse", content: "I moved to Porthaven yesterday." })
   */
  async add(input: AddInput | readonly AddInput[]): Promise<AddReceipt> {
    this.#ensureWritable();
    return this.engine.timed("add", async () => {
      const { store, options } = this.engine;
      const read = readInputs(input, {
        sessionId: this.scope.sessionId,
        names: this.names,
        timeZone: options.timeZone,
        clock: options.clock,
        redact: this.engine.redact,
        nextSequence: () => this.engine.nextSequence(),
        ...(this.scope.sharing === "shared" ? { writtenBy: this.#exact.agentId } : {}),
      });
      const sent = await withoutResent(store, this.#own, read);
      const [{ fresh, duplicates, refused }, waiting] = await Promise.all([
        sortOut(store, this.#own, sent.news),
        store.inbox.count(this.#own, "extract"),
      ]);
      if (fresh.length === 0)
        return { accepted: 0, duplicates: sent.duplicates + duplicates, refused, pending: waiting };
      // The inbox first: a death between the two writes leaves work to be completed, never a turn that nobody takes up.
      await store.inbox.push(this.#own, fresh, ["extract", "index"]);
      await store.turns.insert(this.#own, fresh);
      const withdrawn = await withdrawForgotten(store, this.#own, fresh);
      const accepted = fresh.length - withdrawn;
      const pending = waiting + accepted;
      this.engine.writer.noticeTurns(this.#own, pending);
      return { accepted, duplicates: sent.duplicates + duplicates, refused: refused + withdrawn, pending };
    });
  }

  /**
   * Runs what is pending: window → extract → consolidate → store. It resolves also when a model or an embedder fails: the
   * failures are in the report, and the turns stay for the next flush.
   * @throws InvalidInputError for a wrong option, NotWritableError, ClosedError, DimensionMismatchError, the signal's reason
   * @example const { entries, failures } = await memory.flush();
   */
  async flush(options: FlushOptions = {}): Promise<WriteReport> {
    this.#ensureWritable();
    check(flushSchema, options, "the options of flush");
    return this.engine.timed("flush", () => this.engine.writer.flush(this.#own, options));
  }

  /**
   * Finds what answers a question: entries, raw turns and facts, best first. Turns are found as soon as they were added.
   * A blank query finds nothing. When an embedder fails or is too slow the search goes on by words, and says so in `degraded`.
   * @throws InvalidInputError for an unknown or wrong option, ClosedError, the signal's reason when it aborts
   * @example const { hits } = await memory.search("Where does Ilse live?", { k: 5, filter: { after: "2025-01-01" } });
   */
  async search(query: string, options: SearchOptions = {}): Promise<SearchResult> {
    this.engine.ensureOpen();
    check(searchSchema, options, "the options of search");
    return this.engine.timed("search", async () => {
      const state = await this.#read(query, options, "hits");
      const { degraded } = state;
      return {
        hits: state.hits,
        plan: state.currentPlan,
        rounds: Math.max(1, state.rounds),
        ...(degraded === null ? {} : { degraded }),
        usage: state.usage,
      };
    });
  }

  /**
   * Answers a question from memory alone, with what proves it, or abstains and says why. When the model fails, rules answer,
   * and `degraded` says so.
   * @throws InvalidInputError for an unknown or wrong option, ClosedError, the signal's reason when it aborts
   * @example const { answer, abstained, citations } = await memory.ask("Where does Ilse live?");
   */
  async ask(question: string, options: SearchOptions = {}): Promise<Answer> {
    this.engine.ensureOpen();
    check(searchSchema, options, "the options of ask");
    return this.engine.timed("ask", async () => {
      return toAnswer(await this.#read(question, options, "answer"));
    });
  }

  /**
   * As `ask`, in pieces as the model writes them; the whole answer with its proof is what the generator returns. An
   * abstention yields nothing.
   * @throws SimpleMemError when the model fails after the first piece
   * @example for await (const piece of memory.streamAsk("Where does Ilse live?")) process.stdout.write(piece);
   */
  async *streamAsk(question: string, options: SearchOptions = {}): AsyncGenerator<string, Answer> {
    this.engine.ensureOpen();
    check(searchSchema, options, "the options of streamAsk");
    if (question.trim() === "") return toAnswer(emptyRead(question));
    const { input, signal, callbacks } = this.#readCall(question, options, "stream");
    const { config, release } = relayedSignal(signal);
    let last: ReadOutcome = emptyRead(question);
    try {
      const events = await detached(() =>
        this.engine.readGraph.stream(input, { ...config, callbacks, streamMode: ["custom", "values"] }),
      );
      for await (const [mode, event] of events) {
        if (mode === "values") last = event;
        else if (isPiece(event)) yield event.text;
      }
    } finally {
      release();
      this.engine.spend(last.usage, this.#exact);
      this.engine.noteFound(this.#exact, foundIn(last));
    }
    if (last.brokenOff !== null) throw new SimpleMemError(last.brokenOff);
    return toAnswer(last);
  }

  /**
   * What is known about a query, as a fenced block for a prompt, within `maxTokens` (default 900, CALMem's largest block); ""
   * when nothing fits or the query is blank.
   * @throws InvalidInputError for an unknown or wrong option, ClosedError, the signal's reason when it aborts
   * @example const block = await memory.context("Where does Ilse live?", { maxTokens: 300 });
   */
  async context(query: string, options: ContextOptions = {}): Promise<string> {
    this.engine.ensureOpen();
    check(searchSchema, options, "the options of context");
    const maxTokens = options.maxTokens ?? DEFAULT_CONTEXT_TOKENS;
    if (maxTokens <= 0 || query.trim() === "") return "";
    const { hits } = await this.search(query, options);
    return renderContextBlock(hits, { maxTokens, countTokens: this.engine.countTokens }).text;
  }

  /**
   * Entries in the order of creation; without `status`, those that are active.
   * @throws InvalidInputError for an unknown or wrong option, ClosedError
   * @example const { items, cursor } = await memory.list({ kind: "preference", limit: 100 });
   */
  async list(options: ListOptions = {}): Promise<Page<MemoryEntry>> {
    this.engine.ensureOpen();
    check(listSchema, options, "the options of list");
    const { store, options: engine } = this.engine;
    return listEntries({ store, scope: this.#exact, now: engine.clock() }, options);
  }

  async changes(options: ChangesOptions): Promise<Page<RecentChange>> {
    this.engine.ensureOpen();
    check(changesSchema, options, "the options of changes");
    return listChanges(this.engine.store, this.#exact, options);
  }

  async timeline(options: TimelineOptions): Promise<Page<TimelineItem>> {
    this.engine.ensureOpen();
    check(timelineSchema, options, "the options of timeline");
    const { store, options: engine } = this.engine;
    return listTimeline({ store, scope: this.#exact, now: engine.clock() }, options);
  }

  async log(options: LogOptions = {}): Promise<Page<LoggedTurn>> {
    this.engine.ensureOpen();
    check(logSchema, options, "the options of log");
    return listLog(this.engine.store, this.#exact, options);
  }

  async growth(): Promise<Growth> {
    this.engine.ensureOpen();
    const { store, countTokens, costs } = this.engine;
    return growthOf({ store, scope: this.#exact, countTokens, unwritten: (scope) => costs.waiting(scope) });
  }

  async health(): Promise<Health> {
    this.engine.ensureOpen();
    return healthOf(this.engine.store, this.#own, this.engine.embedder.name);
  }

  /** One entry by its id, in any status; null when this scope has none. @throws ClosedError */
  async get(id: string): Promise<MemoryEntry | null> {
    this.engine.ensureOpen();
    const [entry] = await this.engine.store.entries.byIds(this.#exact, [id]);
    return entry ?? null;
  }

  /**
   * The last turns of this handle's session as they were said, oldest first.
   * @throws InvalidInputError for a limit outside of 1 to 10,000, ClosedError
   */
  async turns(options: TurnsOptions = {}): Promise<readonly DialogueTurn[]> {
    this.engine.ensureOpen();
    const { limit = DEFAULT_TURNS } = check(turnsSchema, options, "the options of turns");
    return this.engine.store.turns.before(this.#own, this.scope.sessionId, Number.MAX_SAFE_INTEGER, limit);
  }

  update(id: string, patch: EntryPatch, options?: UpdateOptions): Promise<MemoryEntry> {
    return this.#corrections.update(id, patch, options);
  }

  history(id: string): Promise<readonly EntryVersion[]> {
    return this.#corrections.history(id);
  }

  restore(id: string, version: number, options?: RestoreOptions): Promise<MemoryEntry> {
    return this.#corrections.restore(id, version, options);
  }

  async why(id: string): Promise<Explanation> {
    this.engine.ensureOpen();
    checkId(id);
    return explain(this.engine.store, this.#exact, id, this.engine.options.review);
  }

  pin(id: string, options?: ReasonOptions): Promise<MemoryEntry> {
    return this.#corrections.pin(id, true, options);
  }

  unpin(id: string, options?: ReasonOptions): Promise<MemoryEntry> {
    return this.#corrections.pin(id, false, options);
  }

  /**
   * Removes entries, turns and facts of this scope for good. With `purge`, their bytes are in no file afterwards; without,
   * they stay in old versions of the files until these are dropped.
   * Entries that stand on forgotten turns alone go too, and so do turns whose every entry is forgotten; a forgotten turn is
   * refused when its id is added again. Nothing is forgotten by a query: `{ query, dryRun: true }` lists candidates.
   * @throws InvalidInputError unless exactly one of `ids`, `filter`, `all` and `query` is given; NotWritableError, ClosedError
   * @example await memory.forget({ filter: { persons: ["Ane"] }, purge: true });
   */
  async forget(options: ForgetOptions): Promise<ForgetReceipt> {
    this.#ensureWritable();
    check(forgetSchema, options, "the options of forget");
    if (options.query !== undefined) return forgetCandidates(this, this.engine.store, this.#own, options);
    return forgetWithin(this.engine, this.#own, options);
  }

  export(options: ExportOptions = {}): AsyncGenerator<string> {
    return this.#moves.export(options);
  }

  /**
   * Makes the entries anew from the turns, with other options, in a store of its own in memory, and compares them with the present
   * ones: how a changed model, prompt or stage is judged before it goes live. Nothing of the scope changes, unless `apply` is
   * true: then the new entries take the place of the present ones. What is said in the same words keeps its id, history, counts
   * and pin; what is made no more is archived, with a version that says why; what a person corrected or forgot stays so; turns
   * that come meanwhile are left to the next `flush`. It may be called again after a crash.
   * @throws InvalidInputError for a wrong option, ClosedError, the signal's reason
   * @throws EntryConflictError when turns were forgotten while it was to be applied, NotWritableError; nothing is changed then
   * @example
   * const questions = [{ question: "Where does Ilse live?", evidence: ["t4"] }];
   * const { added, lost, changed, recall } = await memory.rebuild({ with: { instructions: "Keep plans." }, questions });
   */
  rebuild(options: RebuildOptions = {}): Promise<RebuildReport> {
    return this.#moves.rebuild(options);
  }

  import(source: ImportSource, options: ImportOptions = {}): Promise<ImportReceipt> {
    return this.#moves.import(source, options);
  }

  maintain(options?: MaintainOptions): Promise<MaintenanceReport> {
    return this.#maintenance.run(options);
  }

  /** Counts of this scope, and what this process has spent. @throws ClosedError */
  async stats(): Promise<Stats> {
    this.engine.ensureOpen();
    const { store } = this.engine;
    const [turns, entries, facts, windows, pendingTurns, bytes] = await Promise.all([
      store.turns.count(this.#exact),
      store.entries.count(this.#exact),
      store.facts.count(this.#exact),
      store.ledger.count(this.#own),
      store.inbox.count(this.#own, "extract"),
      store.bytes(),
    ]);
    const { latency, totals } = this.engine.spent();
    return {
      turns,
      entries,
      facts,
      windows,
      pendingTurns,
      bytes,
      latency,
      totals,
      ...this.engine.writer.quality,
    };
  }

  #readCall(question: string, options: SearchOptions, wants: "hits" | "answer" | "stream"): ReadCall {
    const { recent, signal, callbacks = [], ...plain } = options;
    const turns = readInputs(recent ?? [], {
      sessionId: this.scope.sessionId,
      names: this.names,
      timeZone: this.engine.options.timeZone,
      clock: this.engine.options.clock,
      redact: this.engine.redact,
      nextSequence: () => 0,
    }).map(({ turn }) => turn);
    const input = {
      scope: this.#exact,
      // What is asked goes to the model and the embedder like what is said.
      question: this.engine.redact(question),
      wantsAnswer: wants !== "hits",
      streamsAnswer: wants === "stream",
      options: plain,
      recent: turns,
    };
    return { input, signal, callbacks };
  }

  async #read(question: string, options: SearchOptions, wants: "hits" | "answer") {
    if (question.trim() === "") return emptyRead(question);
    const state = await runRead(this.engine, this.#readCall(question, options, wants));
    this.engine.spend(state.usage, this.#exact);
    this.engine.noteFound(this.#exact, foundIn(state));
    return { ...state, currentPlan: state.currentPlan ?? emptyRead(question).currentPlan };
  }

  #ensureWritable(): void {
    this.engine.ensureOpen();
    this.engine.store.ensureWritable();
  }
}
