import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/opt/google/chrome/chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** Where the pictures of a run are kept; no commit holds them. */
export const PICTURES = "test-output/inspector";

/** The browser of this machine: `CHROMIUM_PATH`, else where systems put it; undefined when there is none. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  return named === undefined || named === "" ? PLACES.find((place) => existsSync(place)) : named;
}

export const NO_CHROMIUM = "no Chromium was found; install it (Debian: apt-get install chromium) or set CHROMIUM_PATH";

/** @throws Error when there is no browser */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(NO_CHROMIUM);
  // In a container whose only user is root the sandbox cannot start. What the page shows is the test's own.
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-lcd-text"] });
}

/** A page that notes what it must never do. */
export interface WatchedPage {
  readonly page: Page;
  /** Closes the page. @throws AssertionError when it told an error, or asked another host */
  end(): Promise<void>;
}

/** Opens an address in a window of its own. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1240, height: 820 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  const foreign: string[] = [];
  const { origin } = new URL(address);
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) foreign.push(request.url());
  });
  await prepare(page);
  await page.goto(address);
  return {
    page,
    async end() {
      await context.close();
      expect(complaints).toEqual([]);
      expect(foreign).toEqual([]);
    },
  };
}

/** Keeps a picture of what the page shows. */
export async function picture(page: Page, name: string): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}
