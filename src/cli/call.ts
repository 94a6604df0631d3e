import type { Command } from "commander";
import type { ScopedHandle, SimpleMem } from "../index.js";
import { EXIT, type ExitCode } from "./exit-codes.js";
import { type Globals, globalsOf, scopeOf } from "./globals.js";
import { openEngine, type Use } from "./open.js";
import { Output } from "./output/output.js";
import type { Terminal } from "./terminal.js";

/** The running program: what surrounds it, and the number with which it will end. */
export interface Cli {
  readonly terminal: Terminal;
  /** Notes with which number the program ends. */
  finish(code: ExitCode): void;
}

/** What every command is given. */
export interface Call {
  readonly terminal: Terminal;
  readonly globals: Globals;
  readonly output: Output;
}

/** What a command over the whole store is given. */
export interface StoreCall extends Call {
  readonly simplemem: SimpleMem;
}

/** What a command over one user's memory is given. */
export interface MemoryCall extends StoreCall {
  readonly memory: ScopedHandle;
}

/** What a command does; it ends with 0 unless it says otherwise. */
export type Work<C> = (call: C) => Promise<ExitCode | undefined>;

/** How long work may go on when the person wants no more, where a command says nothing else, and how long the store may take to be let go. */
const GRACE_MS = 3000;
const CLOSING_MS = 5000;

/** Rejects with the signal's reason some time after it aborted: for work that does not hear it. */
function abandoned(signal: AbortSignal, graceMs: number): { readonly promise: Promise<never>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let arm: () => void = () => {};
  const promise = new Promise<never>((_, reject) => {
    arm = () => {
      timer = setTimeout(() => reject(signal.reason), graceMs);
    };
  });
  if (signal.aborted) arm();
  else signal.addEventListener("abort", arm, { once: true });
  return {
    promise,
    stop: () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", arm);
    },
  };
}

async function untilAborted<T>(signal: AbortSignal, graceMs: number, work: Promise<T>): Promise<T> {
  const end = abandoned(signal, graceMs);
  try {
    return await Promise.race([work, end.promise]);
  } finally {
    end.stop();
  }
}

/** Runs a command that needs no store. */
export async function perform(cli: Cli, command: Command, work: Work<Call>, graceMs = GRACE_MS): Promise<void> {
  const { terminal } = cli;
  const globals = globalsOf(command, terminal.env);
  const output = new Output(terminal, globals.json, globals.timeZone ?? "UTC");
  try {
    cli.finish((await untilAborted(terminal.signal, graceMs, work({ terminal, globals, output }))) ?? EXIT.ok);
  } finally {
    output.progress.end();
  }
}

/** Runs a command over the whole store, and lets the store go afterwards: what is pending stays pending. */
export function performOnStore(cli: Cli, command: Command, use: Use, work: Work<StoreCall>): Promise<void> {
  const { graceMs = GRACE_MS } = use;
  const onStore = async (call: Call): Promise<ExitCode | undefined> => {
    const simplemem = await openEngine(call.globals, call.terminal, use);
    try {
      return await untilAborted(call.terminal.signal, graceMs, work({ ...call, simplemem }));
    } finally {
      await simplemem.close({ flush: false, timeoutMs: CLOSING_MS });
    }
  };
  return perform(cli, command, onStore, graceMs);
}

/** Runs a command over one user's memory. */
export async function performOnMemory(cli: Cli, command: Command, use: Use, work: Work<MemoryCall>): Promise<void> {
  // Asked before the store is opened, so that a missing user is told first, and at once.
  const scope = scopeOf(globalsOf(command, cli.terminal.env));
  await performOnStore(cli, command, use, (call) => work({ ...call, memory: call.simplemem.scope(scope) }));
}
