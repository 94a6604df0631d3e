import { expect, it } from "vitest";
import type { Hit } from "../../src/index.js";
import { openMemory } from "../support/agents.js";

const USERS = 10;
const CONVERSATIONS = 50;
const TURNS = 20;
/** A conversation searches after every so many turns. */
const SEARCHES_EVERY = 10;

const OWNER = /secret-(\d+)-/g;

function userOf(conversation: number): number {
  return conversation % USERS;
}

function said(conversation: number, turn: number): string {
  return `My word number ${turn} is secret-${userOf(conversation)}-${conversation}-${turn}.`;
}

/** Whose words the hits hold. */
function ownersOf(hits: readonly Hit[]): number[] {
  return hits.flatMap(({ text }) => [...text.matchAll(OWNER)].map((match) => Number(match[1])));
}

it("50 conversations of 10 users at once, 20 turns each, lose no turn and see nobody else's memory (R54, R55)", async () => {
  const simplemem = await openMemory({ window: { size: 100, idleMs: 0 } });
  const scopeOf = (conversation: number) =>
    simplemem.scope({ userId: `u${userOf(conversation)}`, sessionId: `s${conversation}` });
  const conversations = Array.from({ length: CONVERSATIONS }, (_, conversation) => conversation);

  const found = await Promise.all(
    conversations.map(async (conversation) => {
      const memory = scopeOf(conversation);
      const owners: number[] = [];
      for (let turn = 1; turn <= TURNS; turn++) {
        const { accepted } = await memory.add({ speaker: "Me", content: said(conversation, turn) });
        expect(accepted).toBe(1);
        if (turn % SEARCHES_EVERY > 0) continue;
        const { hits } = await memory.search("Which word is it?", { planning: "never", k: 5 });
        owners.push(...ownersOf(hits));
      }
      return owners;
    }),
  );
  for (const conversation of conversations) {
    expect(found[conversation]?.length).toBeGreaterThanOrEqual(TURNS / SEARCHES_EVERY);
    expect(new Set(found[conversation])).toEqual(new Set([userOf(conversation)]));
    const turns = await scopeOf(conversation).turns({ limit: 100 });
    expect(turns.map(({ content }) => content)).toEqual(
      Array.from({ length: TURNS }, (_, turn) => said(conversation, turn + 1)),
    );
  }

  const users = conversations.slice(0, USERS).map(scopeOf);
  await Promise.all(users.map((memory) => memory.flush()));
  for (const [user, memory] of users.entries()) {
    const turns = (CONVERSATIONS / USERS) * TURNS;
    expect(await memory.stats()).toMatchObject({ turns, pendingTurns: 0, windows: { pending: 0, failed: 0 } });
    const { hits } = await memory.search("Which word is it?", { planning: "never", k: 100 });
    const { items } = await memory.list();
    expect(hits.some(({ kind }) => kind === "entry")).toBe(true);
    expect(new Set(ownersOf(hits))).toEqual(new Set([user]));
    expect(items.length).toBeGreaterThan(turns / 2);
    for (const { losslessRestatement } of items) {
      expect(losslessRestatement.match(/secret-\d+-/g) ?? []).toEqual([`secret-${user}-`]);
    }
  }
}, 300_000);
