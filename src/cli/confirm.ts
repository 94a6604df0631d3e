import type { Call } from "./call.js";
import { EXIT } from "./exit-codes.js";
import { Failure } from "./failure.js";
import { harmless } from "./output/harmless.js";

const YES = /^\s*y(?:es)?\s*$/i;

/**
 * Whether the person wants it: `--yes` says so, else the one at the terminal is asked.
 * @throws Failure where nobody can be asked
 */
export async function isConfirmed({ terminal }: Call, question: string, yes: boolean | undefined): Promise<boolean> {
  if (yes === true) return true;
  if (terminal.ask === null) {
    throw new Failure("nothing was removed: say --yes when that is meant.", EXIT.refused);
  }
  return YES.test(await terminal.ask(`${harmless(question)} [y/N] `));
}
