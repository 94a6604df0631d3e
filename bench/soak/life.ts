/**
 * A process that uses a memory for some minutes. Arguments: folder, minutes, seconds between two samples, share of a core. Prints a line of
 * JSON for each sample, then what `verify` found, then "closed"; nothing keeps it alive from then on. An unhandled rejection ends it.
 */
import { setTimeout } from "node:timers/promises";
import { SimpleMem, SimpleMemStore } from "../../src/index.js";
import { type Load, round } from "./load.js";
import { RestatingModel } from "./model.js";
import { sampled } from "./sample.js";

const [uri = "", minutes = "60", everySeconds = "60", duty = "0.15"] = process.argv.slice(2);
const USERS = 4;
const EXPIRE_DAYS = 0.01;

function say(what: string, value: unknown = null): void {
  process.stdout.write(`${what} ${JSON.stringify(value)}\n`);
}

/** Sleeps until no more than its share of a core was used. */
async function rest(startedAt: number): Promise<void> {
  const { user, system } = process.cpuUsage();
  const dueMs = (user + system) / 1_000 / Number(duty);
  const elapsedMs = performance.now() - startedAt;
  if (dueMs > elapsedMs) await setTimeout(dueMs - elapsedMs);
}

async function opened(signal: AbortSignal): Promise<Load & { close(): Promise<void> }> {
  const common = { uri, expireAfterDays: { event: EXPIRE_DAYS, preference: EXPIRE_DAYS } };
  const rules = await SimpleMem.open(common);
  const model = await SimpleMem.open({ ...common, llms: { extract: new RestatingModel() } });
  const items = await SimpleMemStore.open({ uri });
  const close = async () => {
    await items.stop();
    await rules.close();
    await model.close();
  };
  return { uri, engines: [rules, model], items, signal, users: USERS, close };
}

const startedAt = performance.now();
const life = new AbortController();
const load = await opened(life.signal);
const secondsNow = () => (performance.now() - startedAt) / 1_000;
let turns = 0;
let sampleDue = Number(everySeconds);
for (let number = 0; secondsNow() < Number(minutes) * 60; number += 1) {
  turns += await round(load, number);
  await rest(startedAt);
  if (secondsNow() < sampleDue) continue;
  // Folded, as it is between two runs of upkeep: the files that writes make are not what is looked for.
  for (const engine of load.engines) await engine.maintain();
  say("sample", await sampled(uri, secondsNow(), turns));
  sampleDue += Number(everySeconds);
  await rest(startedAt);
}
const report = await load.engines[0]?.verify();
say("verified", {
  checked: report?.checked,
  findings: report?.findings.map(({ rule, message }) => `${rule}: ${message}`),
});
await load.close();
say("closed");
