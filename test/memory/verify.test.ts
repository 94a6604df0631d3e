import { cpSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXIT } from "../../src/cli/exit-codes.js";
import { ClosedError, InvalidInputError, SimpleMem, StoreVersionError, type VerifyReport } from "../../src/index.js";
import { ALL_RULES } from "../../src/memory/verifying/rules.js";
import { factHitId } from "../../src/records/index.js";
import { busyEmbeddings, fillBusyStore } from "../support/busy-store.js";
import { cli } from "../support/cli.js";
import { formerEmbeddings, formerStore } from "../support/former-stores.js";
import {
  changeRecord,
  copyTable,
  deleteRows,
  dropFolder,
  putBack,
  rowsWhere,
  setColumns,
  truncateData,
  withTable,
} from "../support/planted.js";

const root = mkdtempSync(join(tmpdir(), "simplemem-verify-"));
const busy = join(root, "busy");

beforeAll(() => fillBusyStore(busy), 240_000);

afterAll(() => rmSync(root, { recursive: true, force: true }));

async function open(uri: string, options: { readOnly?: boolean } = { readOnly: true }): Promise<SimpleMem> {
  return SimpleMem.open({ uri, embeddings: busyEmbeddings(), window: { idleMs: 0 }, ...options });
}

async function verified(uri: string): Promise<VerifyReport> {
  const simplemem = await open(uri);
  try {
    return await simplemem.verify();
  } finally {
    await simplemem.close();
  }
}

const turn = (id: string) => `dialogue_id = '${id}' AND user_id = 'u-ilse' AND agent_id = ''`;
const entryOn = (id: string) =>
  `array_has_any(source_ids, make_array('${id}')) AND user_id = 'u-ilse' AND agent_id = ''`;
const windowOf = (id: string) =>
  `array_has_any(turn_ids, make_array('${id}')) AND user_id = 'u-ilse' AND agent_id = ''`;

/** What the tables are called since their vectors were made anew. */
const [ENTRIES, PIECES] = ["entries_1", "chunks_1"];

/** A process number that no machine gives out. */
const DEAD_PID = 4_194_305;

/** An owner of this machine that has died, by the name of one that lives. */
function deadOwner(): string {
  return `${hostname()}|${readlinkSync("/proc/self/ns/pid")}|${DEAD_PID}|gone`;
}

async function forgotten(uri: string, ids: readonly string[]): Promise<void> {
  const simplemem = await open(uri, {});
  const { removed } = await simplemem.scope({ userId: "u-ilse", sessionId: "s1" }).forget({ ids });
  expect(removed.turns + removed.facts + removed.entries).toBeGreaterThan(0);
  await simplemem.close({ flush: false });
}

/** Puts rows back that a forget removes. */
async function resurrected(uri: string, table: string, where: string, ids: readonly string[]): Promise<void> {
  const rows = await rowsWhere(uri, table, where);
  expect(rows.numRows).toBeGreaterThan(0);
  await forgotten(uri, ids);
  await putBack(uri, table, rows);
}

/** For each rule what breaks it, as no call of the library would. */
const PLANTED: { readonly [rule: string]: (uri: string) => Promise<unknown> | unknown } = {
  table_unreadable: (uri) => truncateData(uri, PIECES),
  table_missing: (uri) => dropFolder(uri, "facts"),
  schema_version: (uri) => deleteRows(uri, "meta", "name = 'schema_version'"),
  vector_space: (uri) => setColumns(uri, "meta", "name = 'item_vectors'", { value: '{"dimension":7,"embedder":"x"}' }),
  stray_table: (uri) => copyTable(uri, "facts", "chunks_9"),
  forget_unfinished: (uri) => {
    const scope = { tenantId: "", userId: "u-ilse", agentId: "" };
    const rest = { entryIds: [], turns: [], reread: [], facts: [], all: false, purge: false };
    const plan = JSON.stringify({ id: "p1", owner: deadOwner(), scope, ...rest });
    return withTable(uri, "meta", (table) => table.add([{ name: "journal p1", value: plan }]));
  },
  row_damaged: (uri) => setColumns(uri, ENTRIES, entryOn("t-ane"), { record: "{" }),
  row_misplaced: (uri) => setColumns(uri, "turns", turn("t-ane"), { user_id: "u-bram" }),
  row_twice: async (uri) => putBack(uri, "turns", await rowsWhere(uri, "turns", turn("t-ane"))),
  not_judged: (uri) => truncateData(uri, "tombstones"),
  turn_content: (uri) => setColumns(uri, "turns", turn("t-ane"), { content: "My sister Ane repairs bikes." }),
  turn_fell_between: (uri) => deleteRows(uri, "ledger", windowOf("t-thanks")),
  turn_without_pieces: (uri) => deleteRows(uri, PIECES, turn("t-ane")),
  forgotten_turn_is_back: (uri) => resurrected(uri, "turns", turn("t-ane"), ["t-ane"]),
  waiting_turn_content: (uri) =>
    withTable(uri, "inbox", (table) =>
      table.update({ where: turn("t-waits"), valuesSql: { turn: "replace(turn, 'Rosa', 'Lena')" } }),
    ),
  forgotten_turn_waits: (uri) => resurrected(uri, "inbox", turn("t-waits"), ["t-waits"]),
  window_without_turn: (uri) => deleteRows(uri, "turns", turn("t-ane")),
  window_without_entries: (uri) => deleteRows(uri, ENTRIES, entryOn("t-late")),
  window_failed: (uri) => setColumns(uri, "ledger", windowOf("t-ane"), { state: "failed" }),
  window_left: (uri) => setColumns(uri, "ledger", windowOf("t-ane"), { state: "claimed", owner: deadOwner() }),
  entry_columns: (uri) => setColumns(uri, ENTRIES, entryOn("t-ane"), { status: "active" }),
  entry_without_source: (uri) => changeRecord(uri, ENTRIES, entryOn("t-ane"), () => ({ sourceIds: ["t-nobody"] })),
  entry_on_forgotten_turn: (uri) => resurrected(uri, ENTRIES, entryOn("t-ane"), ["t-ane"]),
  forgotten_entry_is_back: (uri) => resurrected(uri, ENTRIES, entryOn("t-moved"), ["t-moved"]),
  successor_missing: (uri) => changeRecord(uri, ENTRIES, entryOn("t-home"), () => ({ supersededBy: "f".repeat(32) })),
  pattern_without_part: (uri) => deleteRows(uri, ENTRIES, `${entryOn("t-hike-2")} AND kind <> 'pattern'`),
  succession_circle: (uri) =>
    changeRecord(uri, ENTRIES, entryOn("t-home"), ({ entryId }) => ({ supersededBy: entryId })),
  superseded_but_active: async (uri) => {
    await changeRecord(uri, ENTRIES, entryOn("t-home"), () => ({ status: "active", supersededBy: null }));
    await changeRecord(uri, ENTRIES, entryOn("t-moved"), () => ({ status: "active" }));
  },
  status_contradicts: (uri) => changeRecord(uri, ENTRIES, entryOn("t-home"), () => ({ status: "archived" })),
  validity_reversed: (uri) =>
    changeRecord(uri, ENTRIES, entryOn("t-home"), () => ({ validFrom: "2031-01-01T00:00:00.000Z" })),
  entry_vector: (uri) =>
    withTable(uri, ENTRIES, (table) =>
      table.update({ where: entryOn("t-ane"), values: { vector: Array.from({ length: 24 }, () => 0) } }),
    ),
  entry_embedder: (uri) => changeRecord(uri, ENTRIES, entryOn("t-ane"), () => ({ embeddingModel: "another" })),
  piece_without_turn: (uri) => setColumns(uri, PIECES, turn("t-ane"), { text: "My sister Ane repairs cars." }),
  piece_vector: (uri) =>
    withTable(uri, PIECES, (table) =>
      table.update({ where: turn("t-ane"), values: { vector: Array.from({ length: 24 }, () => 0) } }),
    ),
  fact_history: (uri) => setColumns(uri, "facts", "user_id = 'u-ilse'", { history: '[{"value":1}]' }),
  fact_times: (uri) =>
    setColumns(uri, "facts", "user_id = 'u-ilse'", {
      history: '[{"value":"Wels","until":"2001-01-01T00:00:00.000Z"}]',
    }),
  forgotten_fact_is_back: (uri) =>
    resurrected(uri, "facts", "user_id = 'u-ilse'", [factHitId({ sessionId: "s1", key: "home.city" })]),
  claim_left: (uri) =>
    withTable(uri, "claims", (table) => table.add([{ row_key: "a", owner: deadOwner(), lease_expires_at: 9e15 }])),
  item_vector: (uri) =>
    withTable(uri, "item_vectors", (table) =>
      table.update({ where: "true", values: { vector: Array.from({ length: 24 }, () => 0) } }),
    ),
};

describe("verify", () => {
  it("finds nothing in a store in which much happened", async () => {
    const { ok, findings, checked, schemaVersion } = await verified(busy);
    expect(findings).toEqual([]);
    expect(ok).toBe(true);
    expect(schemaVersion).toBe(4);
    expect(checked.turns).toBeGreaterThan(20);
    expect(checked.entries).toBeGreaterThan(15);
  });

  it("has a plant for every rule", () => {
    expect(Object.keys(PLANTED).sort()).toEqual(ALL_RULES.map(({ name }) => name).sort());
  });

  it("has every rule in docs/verify.md, with its meaning and what to do", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/verify.md"), "utf8");
    for (const { name, meaning, remedy } of ALL_RULES) {
      const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\``));
      expect(row).toContain(meaning);
      expect(row).toContain(remedy);
    }
  });

  it.concurrent.each(Object.keys(PLANTED))("finds a planted fault: %s", { timeout: 60_000 }, async (rule) => {
    const uri = join(root, rule);
    cpSync(busy, uri, { recursive: true });
    await PLANTED[rule]?.(uri);
    const { ok, findings } = await verified(uri);
    const found = findings.find((one) => one.rule === rule);
    expect(found, JSON.stringify(findings, null, 1)).toBeDefined();
    expect(found?.message).toMatch(/^[A-Z0-9].*\.$/su);
    expect(found?.count).toBeGreaterThan(0);
    if (found?.severity === "fault") expect(ok).toBe(false);
    const told = await cli(["verify", "--uri", uri]);
    expect(told.code, told.err).toBe(ok ? EXIT.ok : EXIT.faults);
    expect(told.out).toContain(rule);
    expect(JSON.parse(JSON.stringify(findings))).toEqual(findings);
  });

  it("tells how far it has come, ends when it is told to, and refuses options that it does not know", async () => {
    const simplemem = await open(busy);
    const told: number[] = [];
    await simplemem.verify({ onProgress: ({ done, total }) => told.push(done / total) });
    expect(told.at(-1)).toBe(1);
    expect([...told].sort((left, right) => left - right)).toEqual(told);
    await expect(simplemem.verify({ signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
    await expect(simplemem.verify(JSON.parse('{"deep":true}'))).rejects.toThrow(InvalidInputError);
    await simplemem.close();
    await expect(simplemem.verify()).rejects.toThrow(ClosedError);
  });

  it("finds nothing in an empty store, whether it is there or not", async () => {
    const fresh = await open(join(root, "fresh"), {});
    expect(await fresh.verify()).toMatchObject({ ok: true, findings: [] });
    await fresh.close();
    expect(await verified(join(root, "fresh"))).toMatchObject({ ok: true, findings: [], schemaVersion: 4 });
    expect(await verified(join(root, "nowhere"))).toMatchObject({ ok: true, findings: [], schemaVersion: null });
  });

  it("names at most a hundred rows of what is broken everywhere, and counts them all", async () => {
    const uri = join(root, "broken");
    const simplemem = await open(uri, {});
    const turns = Array.from({ length: 130 }, (_, index) => ({ id: `t${index}`, speaker: "Ilse", content: "Thanks!" }));
    await simplemem.scope({ userId: "u-ilse" }).add(turns);
    await simplemem.close({ flush: false });
    await setColumns(uri, "turns", "true", { content: "No thanks!" });
    const found = (await verified(uri)).findings.find(({ rule }) => rule === "turn_content");
    expect([found?.ids.length, found?.count, found?.scope]).toEqual([100, 130, { userId: "u-ilse" }]);
  });
});

it("a store that lost a table is not opened for writing, which would put an empty one in its place", async () => {
  const uri = join(root, "lost");
  cpSync(busy, uri, { recursive: true });
  dropFolder(uri, "facts");
  await expect(open(uri, {})).rejects.toThrow(/the table "facts" is missing/);
  await expect(open(uri, {})).rejects.toThrow(StoreVersionError);
});

describe.each([1, 2, 3])("a store of schema version %i", (version) => {
  it("has no fault when it was brought up to date (R74)", async () => {
    const simplemem = await SimpleMem.open({ uri: formerStore(version), embeddings: formerEmbeddings() });
    const { findings } = await simplemem.verify();
    await simplemem.close({ flush: false });
    expect(findings).toEqual([]);
  });
});
