import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BaseMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { type BaseStore, END, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { z } from "zod/v4";
import { SimpleMemStore, toNamespaceLabel } from "../src/memory/store.js";

// A scripted model, so that the example runs offline. Put any chat model in its place.
const model = new FakeListChatModel({ responses: ["Noted.", "How about lentils with dumplings?"] });
const shown: string[] = [];

const state = new StateSchema({ messages: MessagesValue });
const context = z.object({ userId: z.string() });

function notesOf(userId: string): string[] {
  // An e-mail address holds dots, which LangGraph refuses in a label.
  return ["notes", toNamespaceLabel(userId)];
}

function lastText(messages: readonly BaseMessage[]): string {
  return messages.at(-1)?.text ?? "";
}

/** Answers with the two notes that fit the question best, and keeps what the user said as a note. */
function assistant(store: BaseStore) {
  return new StateGraph({ state, context })
    .addNode("answer", async ({ messages }, runtime) => {
      const namespace = notesOf(runtime.context?.userId ?? "");
      const notes = (await runtime.store?.search(namespace, { query: lastText(messages), limit: 2 })) ?? [];
      const known = notes.map((note) => note.value.text).join("\n");
      shown.push(known);
      const reply = await model.invoke([{ role: "system", content: `Known about the user:\n${known}` }, ...messages]);
      return { messages: [reply] };
    })
    .addNode("note", async ({ messages }, runtime) => {
      const said = messages.findLast((message) => message.type === "human")?.text ?? "";
      await runtime.store?.put(notesOf(runtime.context?.userId ?? ""), `note-${Date.now()}`, { text: said });
      return {};
    })
    .addEdge(START, "answer")
    .addEdge("answer", "note")
    .addEdge("note", END)
    .compile({ store });
}

async function say(uri: string, userId: string, content: string): Promise<string> {
  // Opened anew for each message, as separate processes would: what was noted stays.
  const store = await SimpleMemStore.open({ uri, index: { fields: ["text"] } });
  try {
    const { messages } = await assistant(store).invoke(
      { messages: [{ role: "user", content }] },
      { context: { userId } },
    );
    return lastText(messages);
  } finally {
    await store.stop();
  }
}

const uri = await mkdtemp(join(tmpdir(), "store-in-graph-"));
try {
  await say(uri, "ilse@example.com", "I eat no meat, and I like lentils.");
  const answer = await say(uri, "ilse@example.com", "What meat dish shall I cook for dinner?");
  await say(uri, "bram@example.com", "What meat dish shall I cook for dinner?");
  console.log("Ilse's second question was answered with:", shown[1]);
  console.log("Answer:", answer);
  assert.deepEqual(shown, ["", "I eat no meat, and I like lentils.", ""]);
  assert.equal(answer, "How about lentils with dumplings?");

  const store = await SimpleMemStore.open({ uri, index: { fields: ["text"] } });
  assert.equal(await store.forget(notesOf("ilse@example.com"), { purge: true }), 2);
  assert.deepEqual(await store.listNamespaces(), [notesOf("bram@example.com")]);
  await store.stop();
  console.log("Ilse is forgotten; Bram's note stays.");
} finally {
  await rm(uri, { recursive: true, force: true });
}
