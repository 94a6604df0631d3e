import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { runNode } from "./consumer.js";

const { folder } = inject("npm");

/** Adds what `messages` evaluates to, and prints the log as [role, content]. */
function adding(messages: string): string {
  return `
    import * as second from "second-core/messages";
    import * as first from "@langchain/core/messages";
    import { SimpleMem } from "simplemem-langchain";
    const simplemem = await SimpleMem.open({ uri: "memory://" });
    const memory = simplemem.scope({ userId: "ilse" });
    const receipt = await memory.add(${messages});
    await memory.flush();
    const { hits } = await memory.search("Graz");
    const isForeign = second.HumanMessage !== first.HumanMessage;
    console.log(JSON.stringify({ isForeign, found: hits.some((hit) => hit.text.includes("Graz")) }));
    await simplemem.close();
  `;
}

describe("R83: messages that are not of the package's own copy of core", () => {
  const said = `new second.HumanMessage({ content: "I moved to Graz in March.", name: "Ilse" })`;

  test.each([
    ["made by a second installed copy", `[${said}]`],
    ["serialised by toJSON", `[JSON.parse(JSON.stringify(${said}))]`],
    ["as stored messages", `[JSON.parse(JSON.stringify(${said}.toDict()))]`],
    ["as plain role and content", `[{ role: "user", content: "I moved to Graz in March." }]`],
  ])("%s are added and found", async (_form, messages) => {
    const printed = JSON.parse(await runNode(folder, adding(messages)));
    expect(printed).toEqual({ isForeign: true, found: true });
  });
});

describe("R81: without the native part of LanceDB", () => {
  async function withoutNative(source: string): Promise<string> {
    const scoped = join(folder, "node_modules/@lancedb");
    const natives = readdirSync(scoped).filter((name) => name.startsWith("lancedb-"));
    expect(natives.length).toBeGreaterThan(0);
    for (const name of natives) renameSync(join(scoped, name), join(folder, name));
    try {
      return await runNode(folder, source);
    } finally {
      for (const name of natives) renameSync(join(folder, name), join(scoped, name));
    }
  }

  test("the package loads, and what needs no store works", async () => {
    const source = `
      await import("simplemem-langchain");
      const { LocalEmbeddings } = await import("simplemem-langchain/embeddings");
      console.log((await new LocalEmbeddings().embedQuery("a boat")).length > 0);
    `;
    expect((await withoutNative(source)).trim()).toBe("true");
  });

  test("open rejects with an error that names platform, architecture, libc and package", async () => {
    const source = `
      import { SimpleMem } from "simplemem-langchain";
      await SimpleMem.open({ uri: "./memory" }).then(() => console.log("opened"), (e) => console.log(e.name, e.message));
    `;
    const said = await withoutNative(source);
    expect(said).toMatch(/^StoreOpenError /);
    expect(said).toContain(`${process.platform} ${process.arch} (libc: `);
    expect(said).toContain(`@lancedb/lancedb-${process.platform}-${process.arch}`);
  });
});
