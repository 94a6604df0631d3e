import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { loadOwnData } from "../examples/demo/data.js";
import { fill } from "../examples/demo/run.js";
import { SimpleMem } from "../src/index.js";
import { startInspector } from "../src/inspector/index.js";
import { launchChromium } from "../test/support/browser.js";

/** Takes the pictures of docs/inspector.md from the demo's conversation. */
const FOLDER = "docs/images";
const WIDE = { width: 1040, height: 580 };
const PHONE = { width: 360, height: 640 };

interface Picture {
  readonly name: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly colorScheme: "light" | "dark";
  readonly act: (page: Page) => Promise<void>;
}

async function openFact(page: Page): Promise<void> {
  await page.locator(".fact", { hasText: "Portuguese course ends" }).click();
  await page.locator("#panel").waitFor();
}

const PICTURES: readonly Picture[] = [
  { name: "inspector-timeline", size: { ...WIDE, height: 470 }, colorScheme: "light", act: openFact },
  {
    name: "inspector-search",
    size: WIDE,
    colorScheme: "light",
    act: async (page) => {
      await page.locator("#tab-search").click();
      await page.getByRole("searchbox").fill("When will Marta open the Fennhaven bakery?");
      await page.keyboard.press("Enter");
      await page.locator(".hit summary").first().click();
    },
  },
  {
    name: "inspector-growth",
    size: WIDE,
    colorScheme: "dark",
    act: async (page) => {
      await page.locator("#tab-growth").click();
      await page.locator(".plot svg").first().waitFor();
    },
  },
  { name: "inspector-phone", size: PHONE, colorScheme: "dark", act: async () => {} },
];

const simplemem = await SimpleMem.open({ uri: "memory://" });
await fill(simplemem.scope({ userId: "demo" }), (await loadOwnData()).turns);
const { url, close } = await startInspector({ memory: simplemem, scope: { userId: "demo" } });
const browser = await launchChromium();
await mkdir(FOLDER, { recursive: true });
for (const { name, size, colorScheme, act } of PICTURES) {
  const page = await browser.newPage({ viewport: size, colorScheme, reducedMotion: "reduce" });
  await page.goto(url);
  await page.locator(".turn").first().waitFor();
  await act(page);
  await page.screenshot({ path: `${FOLDER}/${name}.png` });
  await page.close();
}
await browser.close();
await close();
await simplemem.close();
