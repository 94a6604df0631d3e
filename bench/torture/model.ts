import type { SimpleMem, SimpleMemOptions } from "../../src/index.js";
import { fact, httpError, reply, ScriptedModel } from "../../test/support/fakes.js";
import { restating } from "../restating.js";
import { brokenIn, type Outcome, Outcomes } from "./outcome.js";
import { fill, open, sentence, withFolder } from "./store.js";
import { Tally, VICTIM } from "./tally.js";

const BASE_TURNS = 12;
const TURNS = 25;

type Replies = ConstructorParameters<typeof ScriptedModel>[0];

const hangs = () => new Promise<string>(() => {});
const lie =
  (...items: readonly Record<string, unknown>[]) =>
  () =>
    reply(...items);

/** What a model does instead of its work. */
const MODELS: { readonly [what: string]: Replies } = {
  "invents facts": [lie(fact("Ilse moved to Mars on 3 May 2031.", { source_ids: ["during-1"], confidence: 1 }))],
  "fails with 500": [httpError(500)],
  "fails with 401": [httpError(401)],
  "fails every other time": [httpError(503), reply(), httpError(503), reply()],
  hangs: [hangs],
  "hangs every other time": [hangs, () => reply()],
  "answers nothing": [""],
  "answers prose": ["I am sorry, but I cannot help with that."],
  "answers half of a JSON": ['{"entries":[{"lossless_restatement":"The locker code of roo'],
  "says that nothing is worth keeping": [reply()],
  "names turns that are not there": [lie(fact("Ilse keeps bees in Wels.", { source_ids: ["nobody"] }))],
  "names another user's turns": [lie(fact("The locker code of room bram-1 is 10001.", { source_ids: ["bram-1"] }))],
  "repeats its prompt": [(prompt: string) => reply(fact(prompt.slice(0, 4_000)))],
  "answers wrong types": ['{"entries":[{"lossless_restatement":7,"keywords":"x","persons":{},"source_ids":12}]}'],
  "answers ten thousand items": [
    () => reply(...Array.from({ length: 10_000 }, (_, index) => fact(`Room ${index} is blue.`))),
  ],
};

const OPTIONS: Partial<SimpleMemOptions> = { limits: { stageTimeoutMs: 300, tries: 2 } };

/** Entries that say something else than was said, and are not marked as doubtful for it. */
async function invented(simplemem: SimpleMem): Promise<readonly string[]> {
  const { items } = await simplemem.scope(VICTIM).list();
  return items
    .filter(({ attributes }) => attributes.doubt === undefined)
    .map(({ losslessRestatement }) => losslessRestatement)
    .filter((text) => !text.includes("The locker code of room"))
    .map((text) => `invented: ${text.slice(0, 80)}`);
}

/** Lets a model at a store that does not do its work, then one that is none. */
async function tormented(outcomes: Outcomes, what: string, replies: Replies): Promise<void> {
  await withFolder(async (folder) => {
    const tally = new Tally();
    await fill(folder, tally, BASE_TURNS);
    const simplemem = await open(folder, { ...OPTIONS, llm: new ScriptedModel(replies) });
    const memory = simplemem.scope(VICTIM);
    for (let index = 0; index < TURNS; index += 1) {
      await memory.add(sentence(`during-${index}`));
      tally.take(["accepted", `during-${index}`]);
    }
    const first = await memory.flush();
    // Reads get no better model.
    const { abstained } = await memory.ask("What is the locker code of room base-3?");
    await memory.flush();
    const during = await brokenIn(simplemem, tally, folder);
    const lies = await invented(simplemem);
    await simplemem.close({ flush: false });
    const healed = await open(folder);
    const { failures } = await healed.scope(VICTIM).flush({ retryFailed: true });
    const after = await brokenIn(healed, tally, folder);
    await healed.close();
    const faults = [...during.faults, ...lies, ...after.faults, ...failures.map(({ error }) => error)];
    const seen = first.failures.length > 0 ? "windows failed, stored later" : "windows stored";
    outcomes.tried(what, faults, [seen, abstained ? "abstained" : "answered"]);
  });
}

/** Lets models at stores that do not do their work, each round after one more call that went well: nothing may be lost or made up. */
export async function badModels(rounds: number, kinds?: number): Promise<readonly Outcome[]> {
  const outcomes = new Outcomes("bad model");
  for (let round = 0; round < rounds; round += 1) {
    const good = Array.from({ length: round }, () => restating);
    for (const [what, replies] of Object.entries(MODELS).slice(0, kinds))
      await tormented(outcomes, what, [...good, ...replies]);
  }
  return outcomes.all();
}
