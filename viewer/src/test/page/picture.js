import { launch, open, settled } from "./browser.js";

/** Draws pages into PNG files, for the documents: that of a run at its first race, of two runs, and of what check found. */

const [run, both, checked, directory] = process.argv.slice(2);
const browser = await launch();
try {
  const { page } = await open(browser, run, 1280, 800);
  await page.keyboard.press("o");
  await settled(page);
  await page.keyboard.press("n");
  await page.waitForSelector(".raced");
  await settled(page);
  await page.screenshot({ path: `${directory}/view.png` });

  const { page: two } = await open(browser, both, 1500, 900, false);
  await two.waitForSelector("body[data-ready]");
  for (const pane of ["#pane-a", "#pane-b"]) await two.frameLocator(pane).locator("#picture[data-pending='0']").waitFor();
  await two.screenshot({ path: `${directory}/compare.png` });

  const { page: found } = await open(browser, checked, 1280, 760, false);
  await found.keyboard.press("n");
  await found.screenshot({ path: `${directory}/check.png` });
} finally {
  await browser.close();
}
