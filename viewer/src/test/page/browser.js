import { createRequire } from "node:module";
import { chromium } from "playwright-core";

/**
 * A real Chromium, without a window.
 *
 * @typedef {import("playwright-core").Page} Page
 */

const FLAGS = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];

/** How long a busy machine may take for one step. */
export const PATIENCE_MILLIS = 60_000;

export async function launch() {
  const root = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: process.env.REPRISE_CHROMIUM ?? "/usr/bin/chromium",
    args: root ? ["--no-sandbox", ...FLAGS] : FLAGS,
  });
}

/**
 * Opens a page and keeps what it must not do: requests to elsewhere, errors, messages on the console.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {string} address
 * @param {boolean} picture whether the page itself has a picture, and not its frames
 */
export async function open(browser, address, width = 1400, height = 860, picture = true) {
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce", colorScheme: "light" });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MILLIS);
  /** @type {string[]} */
  const complaints = [];
  page.on("console", (message) => complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.stack}`));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "blob:" && protocol !== "data:" && protocol !== "file:" && origin !== new URL(address).origin) complaints.push(`request to ${request.url()}`);
  });
  await page.goto(address);
  if (picture) await settled(page);
  return { page, complaints };
}

/**
 * Waits until everything that is in sight was drawn.
 *
 * @param {Page} page
 */
export async function settled(page) {
  await page.waitForFunction(() => document.getElementById("picture")?.dataset.pending === "0");
}

/**
 * What the picture says it shows.
 *
 * @param {Page} page
 * @returns {Promise<Record<string, string | undefined>>}
 */
export async function shown(page) {
  return page.evaluate(() => ({ .../** @type {HTMLElement} */ (document.getElementById("picture")).dataset }));
}

/**
 * What axe-core finds against the page.
 *
 * @param {Page} page
 * @returns {Promise<string[]>}
 */
export async function violations(page) {
  const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  // Not as a script element: the page's policy would refuse it, and must.
  const { readFile } = await import("node:fs/promises");
  await page.evaluate(await readFile(axe, "utf8"));
  return page.evaluate(async () => {
    const result = await /** @type {any} */ (globalThis).axe.run(document, { resultTypes: ["violations"] });
    return result.violations.map((/** @type {any} */ one) => `${one.id}: ${one.nodes.map((/** @type {any} */ node) => node.html).join(" ")}`);
  });
}
