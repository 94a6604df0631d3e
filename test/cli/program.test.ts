import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cli, ILSE, jsonl } from "../support/cli.js";
import { freshFolder } from "../support/folders.js";

test("help is printed and nothing else happens", async () => {
  const run = await cli(["--help"]);
  expect(run).toMatchObject({ code: 0, err: "" });
  expect(run.out).toContain("Usage: simplemem");
});

test("the help of a command names the options that all share", async () => {
  expect((await cli(["add", "--help"])).out).toMatch(/Global Options:\s+-V[^$]*--uri/);
});

test.each([
  ["an unknown command", ["frobnicate"], /unknown command 'frobnicate'/],
  ["an unknown option", ["list", "--bogus", "--user", "u"], /unknown option '--bogus'/],
  ["a missing argument", ["ask", "--user", "u"], /missing required argument/],
  ["a number out of range", ["search", "x", "-k", "0", "--user", "u"], /whole number from 1 to 1000/],
  ["a kind that there is not", ["list", "--kind", "dream", "--user", "u"], /fact, preference/],
  ["no user", ["list"], /--user NAME or SIMPLEMEM_USER/],
  ["a time zone that there is not", ["list", "--user", "u", "--time-zone", "Mars"], /Mars is no time zone/],
])("%s ends with 2 and one line", async (_what, args, message) => {
  const run = await cli(args);
  expect(run).toMatchObject({ code: 2, out: "" });
  expect(run.err).toMatch(message);
  expect(run.err.match(/\n/g)).toHaveLength(1);
});

test("a place without a memory is told, and none is made there", async () => {
  const folder = join(freshFolder(), "mistyped");
  const run = await cli(["list", "--user", "u", "--uri", folder]);
  expect(run).toMatchObject({ code: 7, err: expect.stringContaining("there is no memory at") });
  const again = await cli(["list", "--user", "u", "--uri", folder]);
  expect(again.code).toBe(7);
});

test("a folder that cannot be used ends with 7", async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, "plain"), "");
  const run = await cli(["add", "--user", "u", "--uri", join(folder, "plain", "under")], { input: jsonl(...ILSE) });
  expect(run).toMatchObject({ code: 7, out: "" });
});

test("place, user and zone may come from the environment, and the command line goes before it", async () => {
  const uri = freshFolder();
  const env = { SIMPLEMEM_URI: uri, SIMPLEMEM_USER: "ilse", SIMPLEMEM_TIME_ZONE: "Europe/Vienna" };
  await cli(["add"], { input: jsonl(...ILSE), env });
  expect((await cli(["list"], { env })).out).toContain("2025-03-03 00:00");
  expect((await cli(["list", "--time-zone", "UTC"], { env })).out).toContain("2025-03-02 23:00");
  expect((await cli(["list", "--user", "other"], { env })).out).toBe("");
  expect((await cli(["users", "--json"], { env })).json()).toEqual([{ userId: "ilse" }]);
});

test("options that all share stand before or after the command", async () => {
  const uri = freshFolder();
  await cli(["--user", "ilse", "add", "--uri", uri], { input: jsonl(...ILSE) });
  const [before, after] = await Promise.all([
    cli(["--user", "ilse", "--uri", uri, "--json", "list"]),
    cli(["list", "--json", "--uri", uri, "--user", "ilse"]),
  ]);
  expect(before.json()).toEqual(after.json());
});

test("agents, tenants and sessions are kept apart as the library keeps them", async () => {
  const uri = freshFolder();
  const common = ["--uri", uri, "--user", "ilse"];
  await cli(["add", ...common, "--agent", "coach", "--session", "s9"], { input: jsonl(...ILSE) });
  expect((await cli(["list", ...common])).out).toBe("");
  expect((await cli(["list", ...common, "--tenant", "acme", "--agent", "coach"])).out).toBe("");
  expect((await cli(["list", ...common, "--agent", "coach", "--in-session", "s9"])).out).toContain("Graz");
});

test("a module may hold further options, and is told when it does not fit", async () => {
  const folder = freshFolder();
  mkdirSync(join(folder, "memory"));
  const config = join(folder, "config.mjs");
  writeFileSync(config, "export default { redact: (text) => text.replaceAll('Graz', '[town]') };");
  const common = ["--uri", join(folder, "memory"), "--user", "ilse"];
  await cli(["add", ...common, "--config", config], { input: jsonl(...ILSE) });
  expect((await cli(["search", "moved", ...common])).out).toContain("[town]");
  writeFileSync(join(folder, "wrong.mjs"), "export default { windwo: {} };");
  const wrong = await cli(["list", ...common, "--config", join(folder, "wrong.mjs")]);
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("windwo") });
  expect((await cli(["list", ...common, "--config", join(folder, "none.mjs")])).code).toBe(2);
});
