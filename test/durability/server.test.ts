import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { SimpleMem } from "../../src/index.js";
import { openStore } from "../../src/store/index.js";
import { freshFolder } from "../support/folders.js";
import { ILSE, post } from "../support/http.js";
import { ended, startChild } from "../support/processes.js";

const KILLS = 3;
const CLIENTS = 3;
const ANSWERS_BEFORE_KILL = 9;
const TURNS_EACH = 10;

/** A server in a process of its own, and its address. */
async function startServerChild(folder: string) {
  const child = startChild("server-child", [folder, ILSE.token]);
  const end = ended(child);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [first] = await once(child.stdout, "data");
  return { child, end, url: String(first).trim() };
}

function add(url: string, id: string): Promise<Response> {
  const content = `The locker code of room ${id} is ${id.length}0${id.replace(/\D/g, "")}.`;
  return post(`${url}/v1/add`, ILSE.token, { turns: [{ id, speaker: "Ilse Corrin", content }] });
}

async function loggedIds(folder: string): Promise<readonly string[]> {
  const store = await openStore({ uri: folder });
  const log = await store.turns.list({ tenantId: "", userId: "u-ilse", agentId: "" }, {});
  await store.close();
  return log.map((turn) => turn.dialogueId);
}

/** Also a turn whose `add` died before it was answered may be there: flushing completes the log. */
async function checkFacts(folder: string): Promise<void> {
  await using simplemem = await SimpleMem.open({ uri: folder, window: { size: 10, idleMs: 0 } });
  const memory = simplemem.scope({ userId: "u-ilse" });
  expect((await memory.flush()).failures).toEqual([]);
  const { items } = await memory.list();
  const facts = items.map((entry) => entry.losslessRestatement);
  expect(new Set(facts).size).toBe(facts.length);
  expect(items.flatMap((entry) => entry.sourceIds).sort()).toEqual([...(await loggedIds(folder))].sort());
}

it(`a server killed ${KILLS} times while ${CLIENTS} clients add loses no turn that it answered with 200, and keeps none twice`, async () => {
  const folder = freshFolder();
  const accepted: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const { child, end, url } = await startServerChild(folder);
    let answers = 0;
    const client = async (name: string): Promise<void> => {
      for (let number = 0; ; number++) {
        const id = `${name}-${number}`;
        const response = await add(url, id);
        if (response.status !== 200) throw new Error(await response.text());
        accepted.push(id);
        answers += 1;
        if (answers === ANSWERS_BEFORE_KILL) child.kill("SIGKILL");
      }
    };
    const clients = Array.from({ length: CLIENTS }, (_, index) => client(`k${kill}c${index}`));
    const outcomes = await Promise.allSettled(clients);
    // Each ended since the server was gone, not since it refused.
    for (const outcome of outcomes)
      expect(String(outcome.status === "rejected" && outcome.reason)).toMatch(/fetch failed|terminated/);
    await end;
  }
  const ids = await loggedIds(folder);
  expect(accepted.length).toBeGreaterThanOrEqual(KILLS * ANSWERS_BEFORE_KILL);
  expect(accepted.filter((id) => !ids.includes(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  await checkFacts(folder);
}, 600_000);

it("a server and two other processes on one folder at once lose nothing and keep nothing twice", async () => {
  const folder = freshFolder();
  const { child, end, url } = await startServerChild(folder);
  const others = ["a", "b"].map((name) =>
    ended(startChild("writer-child", [folder, name, "1", String(TURNS_EACH), "10"])),
  );
  for (let number = 1; number <= TURNS_EACH; number++) {
    expect((await add(url, `s-${number}`)).status).toBe(200);
    if (number % 10 === 0) expect((await post(`${url}/v1/flush`, ILSE.token, {})).status).toBe(200);
  }
  for (const other of await Promise.all(others)) expect(other.code, other.errors).toBe(0);
  // The server sees what the others stored.
  const found = await post(`${url}/v1/search`, ILSE.token, {
    query: `What is the locker code of room a-${TURNS_EACH}?`,
  });
  expect(await found.text()).toContain(`a-${TURNS_EACH}`);
  child.kill("SIGTERM");
  expect((await end).code).toBe(0);
  const expected = ["a", "b", "s"].flatMap((name) =>
    Array.from({ length: TURNS_EACH }, (_, index) => `${name}-${index + 1}`),
  );
  expect([...(await loggedIds(folder))].sort()).toEqual(expected.sort());
  expect([...(await loggedIds(folder))].sort()).toEqual([...expected].sort());
  await checkFacts(folder);
}, 600_000);
