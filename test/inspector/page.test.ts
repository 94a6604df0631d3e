import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium, launchChromium, NO_CHROMIUM, openPage, picture } from "../support/browser.js";
import { ScriptedModel } from "../support/fakes.js";
import { inspected, SAID, statements } from "../support/inspected.js";
import { longLogPage } from "../support/long-log.js";

/** In CI a missing browser is a failure; on somebody's own machine it is a reason to leave these tests out. */
const isLeftOut = findChromium() === undefined && process.env.CI === undefined;
const VIEWS = ["timeline", "search", "growth", "review", "health"] as const;
const PHONE = { width: 360, height: 740 };

let browser: Browser;

async function show(page: Page, view: (typeof VIEWS)[number]): Promise<void> {
  await page.locator(`#tab-${view}`).click();
  const drawn = { timeline: ".turn", search: "#query", growth: ".plot svg", review: ".card", health: ".health" };
  await page.locator(drawn[view]).first().waitFor();
}

async function search(page: Page, question: string): Promise<void> {
  await show(page, "search");
  await page.getByRole("searchbox").fill(question);
  await page.keyboard.press("Enter");
  await page.locator(".hit").first().waitFor();
}

const focus = (page: Page) => page.locator(":focus");
const panel = (page: Page) => page.locator("#panel");
/** In dark colours nothing but the contrast is another. */
const AXE_RULES = {
  light: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  dark: ["color-contrast"],
};

/** What `axe` finds fault with, and where. */
function axeFaults(page: Page, colorScheme: "light" | "dark"): Promise<unknown> {
  return page.evaluate(
    `axe.run({ runOnly: ${JSON.stringify(AXE_RULES[colorScheme])} })
      .then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
  );
}

/** Scrolls to the end again and again, until so many turns were read; answers how many rows there were at most. */
async function scrollThrough(page: Page, turns: number): Promise<{ most: number; shown: string }> {
  return page.evaluate<{ most: number; shown: string }>(`(async () => {
    const count = document.querySelector("#timeline-count");
    let most = 0;
    while (!count.textContent.startsWith("${turns}")) {
      scrollTo(0, document.documentElement.scrollHeight);
      await new Promise((resolve) => requestAnimationFrame(resolve));
      most = Math.max(most, document.querySelectorAll(".turn").length);
    }
    return { most, shown: count.textContent };
  })()`);
}

const heard = (page: Page, text: string) =>
  page.locator("#announcer").filter({ hasText: text }).waitFor({ state: "attached" });

const title = isLeftOut ? `the page of the inspector (left out: ${NO_CHROMIUM})` : "the page of the inspector";

describe.skipIf(isLeftOut)(title, { timeout: 120_000 }, () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
  });

  it("finds a fact, opens it, corrects it, forgets it, and it is gone", async () => {
    const { url, memory } = await inspected();
    const { page, end } = await openPage(browser, url);
    await search(page, "Where does Ilse live?");
    await page.locator(".hit .fact", { hasText: "Ilse lives in Graz." }).click();
    await panel(page).getByRole("button", { name: "Correct" }).click();
    await page.getByLabel("Statement").fill("Ilse lives in Linz.");
    await page.getByLabel("Reason").fill("she moved");
    await page.getByRole("button", { name: "Save" }).click();
    await heard(page, "Corrected.");
    await expect.poll(() => panel(page).locator(".statement").textContent()).toBe("Ilse lives in Linz.");
    await expect.poll(() => panel(page).getByText("“she moved”").count()).toBe(1);
    expect(await page.locator(".hit .fact", { hasText: "Linz" }).count()).toBe(1);
    expect(await statements(memory)).toContain("Ilse lives in Linz.");

    await panel(page).getByRole("button", { name: "Forget" }).click();
    await panel(page).getByText("This removes 1 fact and 1 turn for good.").waitFor();
    expect(await statements(memory)).toContain("Ilse lives in Linz.");
    await panel(page).getByRole("button", { name: "Forget it" }).click();
    await heard(page, "Forgotten.");
    expect(await panel(page).isHidden()).toBe(true);
    expect(await page.locator(".hit .fact", { hasText: "Linz" }).count()).toBe(0);
    expect((await statements(memory)).join()).not.toMatch(/Linz|Graz/);
    await show(page, "timeline");
    expect(await page.getByText("I live in Graz.").count()).toBe(0);
    await end();
  });

  it("shows what each turn became; a fact lights its turns, and tells its views and its history", async () => {
    const { url, memory } = await inspected();
    const [fact] = (await memory.list({ filter: { location: "Graz" } })).items;
    await memory.update(fact?.entryId ?? "", { text: "Ilse lives in the town of Graz." }, { reason: "clearer" });
    const { page, end } = await openPage(browser, url);
    await page.locator(".fact", { hasText: "town of Graz" }).click();
    await panel(page).waitFor();
    const lit = page.locator(".turn.lit");
    expect(await lit.count()).toBe(1);
    expect(await lit.textContent()).toContain("I live in Graz.");
    const told = (await panel(page).textContent()) ?? "";
    for (const part of ["Said in", "I live in Graz.", "by place", "by words", "by people", "updated", "“clearer”"]) {
      expect(told).toContain(part);
    }
    expect(await page.locator(".turn", { hasText: "Bravo!" }).textContent()).toContain("nothing kept");
    await picture(page, "fact");

    await panel(page).getByRole("button", { name: "Restore version 1" }).click();
    await heard(page, "Restored.");
    await panel(page).getByRole("button", { name: "Pin", exact: true }).click();
    await heard(page, "Pinned.");
    expect(await memory.get(fact?.entryId ?? "")).toMatchObject({
      losslessRestatement: "Ilse lives in Graz.",
      pinned: true,
    });
    await end();
  });

  it("search explains itself: the plan, the views, what was added to each score, and the cut", async () => {
    const { url, memory } = await inspected();
    const { page, end } = await openPage(browser, url);
    await search(page, "Where does Ilse live?");
    const { hits, plan } = await memory.search("Where does Ilse live?", { k: 30 });
    expect(await page.locator(".plan").textContent()).toContain(`after ${plan.depth} hits`);
    expect(await page.locator(".hit").count()).toBe(hits.length);
    expect(await page.locator(".hit.below").count()).toBe(Math.max(0, hits.length - plan.depth));
    const first = page.locator(".hit").first();
    expect(await first.textContent()).toContain(`found by ${hits[0]?.views.join(", ")}`);
    await first.locator("summary").click();
    const sum = Object.values(hits[0]?.features ?? {}).reduce((total, value) => total + value, 0);
    expect(await first.locator("tr", { hasText: "sum" }).textContent()).toContain(sum.toFixed(3));
    await picture(page, "search");
    await end();
  });

  it("draws growth, and says it in words and numbers, too", async () => {
    const { url, memory } = await inspected(SAID, { engine: { llm: new ScriptedModel(["[]"]) } });
    const { days, costs } = await memory.growth();
    const { page, end } = await openPage(browser, url, { colorScheme: "dark" });
    await show(page, "growth");
    expect(await page.locator(".plot svg[role=img]").count()).toBe(4);
    const label = await page.getByRole("img", { name: "Turns and facts" }).getAttribute("aria-label");
    expect(label).toContain(`${days.reduce((total, day) => total + day.turns, 0)} turns`);
    const cost = page.locator(".plot").last();
    expect(await cost.textContent()).toContain(`${costs[0]?.modelCalls} model call`);
    await cost.locator("summary").click();
    expect(await cost.locator("tbody tr").first().textContent()).toContain(costs[0]?.day ?? "no day");
    await picture(page, "growth");
    await end();
  });

  it("approves, rejects and corrects what waits for a review", async () => {
    const { url, memory } = await inspected();
    const waiting = async () => (await memory.review.list()).items.map(({ entry }) => entry.losslessRestatement).join();
    const { page, end } = await openPage(browser, url);
    await show(page, "review");
    const card = (text: string) => page.locator(".card", { hasText: text });
    await picture(page, "review");
    await card("bakery").getByRole("button", { name: "Approve" }).click();
    await heard(page, "Approved.");
    await card("oboe").getByRole("button", { name: "Reject" }).click();
    await heard(page, "Rejected.");
    await card("Porthaven").getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Statement").fill("Ane Corrin lives in Skerrow.");
    await page.getByRole("button", { name: "Save" }).click();
    await heard(page, "Corrected and approved.");
    expect(await waiting()).not.toMatch(/bakery|oboe|Porthaven|Skerrow/);
    const held = (await statements(memory)).join();
    expect(held).toMatch(/bakery/);
    expect(held).toMatch(/Skerrow/);
    expect(held).not.toMatch(/oboe/);
    await end();
  });

  it("R06: shows what waits and what failed, and tries it again", async () => {
    let isAway = true;
    const extract = async () => {
      if (isAway) throw new Error("the model is <b>away</b>");
      return { items: [], rejections: [], openQuestions: [], incomplete: false };
    };
    const engine = { stages: { extract: { extract } }, limits: { tries: 1 } };
    const { url, memory } = await inspected(SAID.slice(0, 2), { engine });
    const { page, end } = await openPage(browser, url);
    await page.locator(".turn", { hasText: "I live in Graz." }).getByText("could not be read").waitFor();
    await show(page, "health");
    await page.getByText("1 window could not be read.").waitFor();
    await page.getByText("the model is <b>away</b>").waitFor();
    await picture(page, "health");
    isAway = false;
    await page.getByRole("button", { name: "Try the failed ones again" }).click();
    await page.getByText("0 failed").waitFor();
    expect((await memory.stats()).windows.failed).toBe(0);
    await end();
  });

  it("can be used by the keyboard alone", async () => {
    const { url } = await inspected();
    const { page, end } = await openPage(browser, url);
    await page.locator(".turn").first().waitFor();
    await page.keyboard.press("Tab");
    expect(await focus(page).textContent()).toBe("Skip to the content");
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
    await page.keyboard.press("Enter");
    expect(await focus(page).getAttribute("id")).toBe("content");

    await page.keyboard.press("/");
    await page.getByRole("searchbox").waitFor();
    await page.keyboard.type("Who repairs clocks? 1");
    await page.keyboard.press("Enter");
    await page.locator(".hit").nth(1).waitFor();
    // The list is one stop: from field, button and box to the first fact, and by arrows from there.
    const facts = page.locator(".hit .fact");
    for (let stops = 0; stops < 12 && (await page.locator(".hit .fact:focus").count()) === 0; stops += 1) {
      await page.keyboard.press("Tab");
    }
    expect(await focus(page).textContent()).toBe(await facts.first().textContent());
    await page.keyboard.press("ArrowDown");
    expect(await focus(page).textContent()).toBe(await facts.nth(1).textContent());
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await panel(page).waitFor();
    expect(await focus(page).getAttribute("id")).toBe("panel-title");
    await page.keyboard.press("Escape");
    expect(await panel(page).isHidden()).toBe(true);
    expect(await focus(page).textContent()).toBe(await facts.first().textContent());

    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.keyboard.press("5");
    await page.locator(".health").waitFor();

    // Single keys can be switched off.
    await page.keyboard.press("?");
    await page.getByLabel("Single keys do something").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("1");
    await page.keyboard.press("?");
    expect(await page.locator("#tab-health").getAttribute("aria-current")).toBe("page");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await end();
  });

  it("fits a phone of 360 pixels, in light and in dark", async () => {
    const { url } = await inspected();
    const { page, end } = await openPage(browser, url, { viewport: PHONE, hasTouch: true, reducedMotion: "reduce" });
    const overflow = () => page.evaluate("document.documentElement.scrollWidth - innerWidth");
    const paper = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
    for (const view of VIEWS) {
      await show(page, view);
      if (view === "search") await search(page, "Where does Ilse live?");
      expect([view, await overflow()]).toEqual([view, 0]);
    }
    await show(page, "timeline");
    expect(await paper()).toBe("rgb(251, 250, 247)");
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await paper()).toBe("rgb(24, 23, 21)");
    await picture(page, "phone");
    await page.locator(".fact").first().click();
    await panel(page).waitFor();
    expect(await overflow()).toBe(0);
    // What the panel covers cannot be reached.
    const covered = page.locator("#content[inert]");
    expect(await covered.count()).toBe(1);
    await panel(page).getByRole("button", { name: "Close" }).click();
    expect(await covered.count()).toBe(0);
    await end();
  });

  it("has no fault that axe finds, in light and in dark", async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    const { url } = await inspected();
    // axe draws into the page that it judges, which the policy of the page forbids.
    const { page, end } = await openPage(browser, url, { bypassCSP: true, reducedMotion: "reduce" });
    await page.locator(".turn").first().waitFor();
    await page.evaluate(axe);
    for (const view of VIEWS) {
      await show(page, view);
      if (view === "search") await search(page, "Where does Ilse live?");
      if (view === "timeline") {
        await page.locator(".fact").first().click();
        await panel(page).waitFor();
      }
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect([view, colorScheme, await axeFaults(page, colorScheme)]).toEqual([view, colorScheme, []]);
      }
    }
    await end();
  });

  it("shows HTML and script in memories as text, in every field", async () => {
    const attack = (where: string) =>
      `<img src=x onerror="window.hit='${where}'"><script>window.hit='${where}'</script>${where}`;
    const user = attack("user");
    const { url, simplemem } = await inspected([], { inspector: { scope: { userId: user } } });
    const memory = simplemem.scope({ userId: user });
    await memory.add({
      id: attack("id"),
      speaker: attack("speaker"),
      content: "I live in Graz.",
      sessionId: attack("session"),
    });
    await memory.add({
      id: "t2",
      role: "tool",
      speaker: "web page",
      content: `Ane owns a boat. ${attack("content")}`,
      metadata: { key: attack("metadata") },
    });
    await memory.flush();
    const [entry] = (await memory.list()).items;
    const id = entry?.entryId ?? "";
    const fields = {
      location: attack("place"),
      topic: attack("topic"),
      persons: [attack("person")],
      entities: [attack("thing")],
      keywords: [attack("word")],
    };
    await memory.update(id, { ...fields, text: attack("statement"), confidence: 0.1 }, { reason: attack("reason") });
    await memory.update(id, { attributes: { [attack("name")]: attack("value") } });
    await memory.facts.remember(attack("key"), attack("fact"));

    const { page, end } = await openPage(browser, url);
    const isClean = async () => {
      expect(await page.evaluate("window.hit")).toBeUndefined();
      expect(await page.locator("img, body script, iframe, object").count()).toBe(0);
    };
    for (const view of VIEWS) {
      await show(page, view);
      if (view === "search") await search(page, `${attack("query")} statement key`);
      await isClean();
    }
    expect(await page.locator("h1").textContent()).toContain(attack("user"));
    await show(page, "timeline");
    const said = (await page.locator("#view").textContent()) ?? "";
    for (const where of ["speaker", "content", "statement"]) expect(said).toContain(attack(where));
    await page.locator(`[data-entry="${id}"]`).first().click();
    await panel(page).waitFor();
    const told = (await panel(page).textContent()) ?? "";
    for (const where of ["statement", "place", "topic", "person", "thing", "word", "value", "reason", "speaker"]) {
      expect(told).toContain(attack(where));
    }
    await panel(page).getByRole("button", { name: "Correct" }).click();
    await panel(page).getByRole("button", { name: "Forget", exact: true }).click();
    await isClean();
    await panel(page).getByRole("button", { name: "Show in the timeline" }).first().click();
    await page.getByRole("button", { name: "Show all sessions" }).waitFor();
    await isClean();
    await picture(page, "hostile");
    await end();
  });

  it("holds few rows in the document however many turns there are, and goes on answering", async () => {
    const TURNS = 10_000;
    const { url } = await inspected();
    const { page, end } = await openPage(browser, url, {}, async (fresh) => {
      await fresh.route("**/api/log?*", (route) =>
        route.fulfill({ json: longLogPage(TURNS, new URL(route.request().url()).searchParams) }),
      );
      await fresh.route("**/api/stats?*", async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ json: { ...(await answer.json()), turns: TURNS } });
      });
    });
    await page.locator(".turn").first().waitFor();
    const { most, shown } = await scrollThrough(page, TURNS);
    expect(shown).toBe("10000 of 10,000 turns");
    expect(most).toBeLessThan(1_000);
    await page
      .getByText(`number ${TURNS - 1} today`)
      .first()
      .waitFor();
    await page.evaluate("scrollTo(0, 0)");
    await page.getByText("number 0 today").first().waitFor();
    await expect.poll(() => page.locator(".turn").count()).toBeLessThan(1_000);
    await search(page, "Where does Ilse live?");
    expect(await page.locator(".turn").count()).toBe(0);
    await end();
  });

  it("lets choose among users and agents where the operator did not", async () => {
    const { url, simplemem } = await inspected(SAID, { inspector: { scope: undefined } });
    const clerk = simplemem.scope({ userId: "u-bram", agentId: "clerk" });
    await clerk.add({ id: "b1", speaker: "Bram", content: "I own a bakery." });
    await clerk.flush();
    const { page, end } = await openPage(browser, url);
    await page.getByLabel("User").selectOption({ label: "u-bram" });
    await page.getByText("Nothing was said here yet.").waitFor();
    await page.getByLabel("Agent").selectOption({ label: "clerk" });
    await page.locator(".turn", { hasText: "I own a bakery." }).waitFor();
    expect(await page.locator("h1").textContent()).toBe("Memory of u-bram, as clerk sees it");
    await page.reload();
    await page.locator(".turn", { hasText: "I own a bakery." }).waitFor();
    await page.getByLabel("User").selectOption({ label: "u-ilse" });
    await page.locator(".turn", { hasText: "I live in Graz." }).waitFor();
    expect(new URL(page.url()).hash).not.toContain("token");
    await end();
  });

  it("without its token it says what to do", async () => {
    const { url } = await inspected();
    const { page } = await openPage(browser, new URL("/", url).href);
    await page.getByRole("alert").filter({ hasText: "no valid token" }).waitFor();
    await page.context().close();
  });
});
