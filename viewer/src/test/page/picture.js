import { launch, open, settled } from "./browser.js";

/** Draws the page of a run with its first race selected into a PNG file. */

const [address, file] = process.argv.slice(2);
const browser = await launch();
try {
  const { page } = await open(browser, address, 1280, 800);
  await page.keyboard.press("o");
  await settled(page);
  await page.keyboard.press("n");
  await page.waitForSelector(".raced");
  await settled(page);
  await page.screenshot({ path: file });
} finally {
  await browser.close();
}
