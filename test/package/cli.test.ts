import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { emptyProject } from "./consumer.js";

const { folder } = inject("npm");
const PROGRAM = join(folder, "node_modules/.bin/simplemem");
const { OPENAI_API_KEY: _key, ...ENV } = process.env;

/** Runs the installed program as a user does, in a folder of its own. */
function simplemem(args: readonly string[], cwd: string): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(PROGRAM, args, { cwd, env: ENV, encoding: "utf8" }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

test("the program of the installed package tells its commands", async () => {
  const run = await simplemem(["--help"], folder);
  expect(run).toMatchObject({ code: 0, err: "" });
  for (const command of ["demo", "add", "ask", "verify", "inspect", "mcp"]) expect(run.out).toContain(`  ${command} `);
});

test("a newcomer fills a memory, asks it, and verifies it, with nothing else installed", async () => {
  const place = emptyProject(folder);
  expect(await simplemem(["demo"], place)).toMatchObject({ code: 0, out: expect.stringContaining("Oda Reyl") });
  const asked = await simplemem(["ask", "--user", "demo", "Who is Joren's boss?"], place);
  expect(asked).toMatchObject({ code: 0, out: expect.stringMatching(/^Oda Reyl/) });
  expect(await simplemem(["verify"], place)).toMatchObject({ code: 0 });
});

test("where the MCP SDK is not installed one line says so", async () => {
  const run = await simplemem(["mcp", "--user", "demo"], emptyProject(folder));
  expect(run).toMatchObject({
    code: 8,
    out: "",
    err: expect.stringContaining("npm install @modelcontextprotocol/sdk"),
  });
  expect(run.err.match(/\n/g)).toHaveLength(1);
});

test("where a key is set and the model's package is missing one line says so", async () => {
  const { code, stderr } = await new Promise<{ code: number; stderr: string }>((resolve) => {
    const env = { ...ENV, OPENAI_API_KEY: "sk-none" };
    execFile(PROGRAM, ["demo"], { cwd: emptyProject(folder), env, encoding: "utf8" }, (error, _out, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stderr });
    });
  });
  expect({ code, stderr }).toEqual({ code: 8, stderr: expect.stringContaining("npm install @langchain/openai") });
});

test("the page to look into a memory starts, and ends with Ctrl-C", async () => {
  const child = spawn(PROGRAM, ["inspect", "--demo"], { cwd: emptyProject(folder), env: ENV });
  const url = await new Promise<string>((resolve) => {
    let said = "";
    child.stdout.on("data", (data: Buffer) => {
      said += data.toString("utf8");
      const found = /http:\S+/.exec(said)?.[0];
      if (found !== undefined) resolve(found);
    });
  });
  const page = await fetch(url);
  expect([page.status, page.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/html")]);
  child.kill("SIGINT");
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
});
