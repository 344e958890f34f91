import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, settled, shown, violations } from "./browser.js";

/**
 * The whole page in a real browser, on a run whose lanes, messages and races are known. PageTest starts the server and this.
 */

const address = process.env.REPRISE_VIEW ?? "";
/** @type {import("playwright-core").Browser} */
let browser;

before(async () => {
  browser = await launch();
});

after(async () => {
  await browser.close();
});

/** @param {import("playwright-core").Page} page */
const heading = (page) => page.locator("#panel h2").textContent();

test("lanes, calls, arrows, bands and races of the run are drawn", async () => {
  const { page, complaints } = await open(browser, address);
  const { lanes, calls, arrows, races, bands } = await shown(page);
  assert.deepEqual({ lanes, calls, arrows, races, bands }, { lanes: "5", calls: "35", arrows: "9", races: "7", bands: "1" });
  assert.equal(await page.title(), "gather · Reprise");
  await page.keyboard.press("o");
  await settled(page);
  assert.equal((await shown(page)).arrows, "9");
  assert.match(page.url(), /axis=order/);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(complaints, []);
});

test("a race is found by keyboard, with what else could have come and the command that takes it", async () => {
  const { page, complaints } = await open(browser, address);
  await page.keyboard.press("n");
  await page.waitForSelector(".raced");
  assert.match((await heading(page)) ?? "", /^0:1 · MPI_Recv from rank 2, tag 5$/);
  const commands = await page.locator(".raced code").allTextContents();
  assert.deepEqual(commands, [1, 3, 4].map((rank) => `reprise alter gather --receive 0:1 --take ${rank}`));
  assert.match((await page.locator("pre.source .here").textContent()) ?? "", /34.*MPI_Recv/);
  assert.equal(await page.getByText("reprise debug gather -e 'goto 0:1'").count(), 1, "the command that replays to it");
  await page.keyboard.press("n");
  await page.waitForFunction(() => document.querySelector("#panel h2")?.textContent?.startsWith("0:2"));
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("t");
  assert.deepEqual(await violations(page), [], "in the other theme");
  assert.deepEqual(complaints, []);
});

test("a message is followed to its send and back, events are gone through, and the browser goes back", async () => {
  const { page, complaints } = await open(browser, `${address}#event=0:1`);
  const at = (/** @type {string} */ name) => page.waitForFunction((name) => document.querySelector("#panel h2")?.textContent?.startsWith(`${name} `), name);
  await at("0:1");
  await page.keyboard.press("[");
  await at("2:1");
  await page.keyboard.press("]");
  await at("0:1");
  await page.keyboard.press(".");
  await at("0:2");
  await page.keyboard.press(",");
  await at("0:1");
  await page.goBack();
  await at("0:2");
  assert.match(page.url(), /event=0:2/);
  assert.deepEqual(complaints, []);
});

test("a click selects, the wheel zooms, and the table has what is in sight", async () => {
  const { page, complaints } = await open(browser, address);
  const box = /** @type {{x: number, y: number, width: number, height: number}} */ (await page.locator("#picture").boundingBox());
  // Rank 0 is in its first receive for the first third of the run.
  await page.mouse.click(box.x + box.width * 0.2, box.y + 24 + 29);
  await page.waitForFunction(() => document.querySelector("#panel h2")?.textContent?.startsWith("0:1 "));
  await page.mouse.move(box.x + box.width * 0.2, box.y + 100);
  await page.mouse.wheel(0, -400);
  await page.waitForFunction(() => location.hash.includes("from="));
  await page.keyboard.press("e");
  await page.waitForFunction(() => document.querySelectorAll("#panel tbody tr").length > 2);
  const fewer = await page.locator("#panel tbody tr").count();
  assert.ok(fewer < 35, `${fewer} rows`);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(complaints, []);
});

test("a rank is hidden and its arrows stay; cones, cut and search are there by keyboard alone", async () => {
  const { page, complaints } = await open(browser, `${address}#event=3:1`);
  await page.waitForFunction(() => document.querySelector("#panel h2")?.textContent?.startsWith("3:1 "));
  await page.keyboard.press("c");
  await page.waitForFunction(() => location.hash.includes("cone=past"));
  await page.keyboard.press("x");
  await page.waitForFunction(() => location.hash.includes("cut=1"));
  await page.keyboard.press("h");
  await page.waitForFunction(() => document.getElementById("picture")?.dataset.lanes === "4");
  assert.equal((await shown(page)).arrows, "9");
  await page.keyboard.press("/");
  await page.keyboard.type("racing rank:0 tag:5");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#panel h2")?.textContent?.includes("7 events found"));
  assert.deepEqual(complaints, []);
});

test("the run in numbers, and where its time goes: every number leads to its events", async () => {
  const { page, complaints } = await open(browser, `${address}#tab=statistics`);
  await page.waitForSelector(".matrix");
  assert.deepEqual(await violations(page), []);
  await page.getByRole("button", { name: "9 messages", exact: true }).click();
  await page.waitForFunction(() => document.querySelector("#panel h2")?.textContent?.startsWith("9 events found"));
  await page.getByRole("button", { name: "7 races", exact: true }).click();
  await page.waitForFunction(() => document.querySelector("#panel h2")?.textContent?.startsWith("7 racing receives"));
  await page.click("#tab-statistics");
  await page.waitForSelector(".matrix");
  await page.getByRole("button", { name: "2 messages from rank 3 to rank 0" }).click();
  await page.waitForFunction(() => document.querySelector("#panel h2")?.textContent?.startsWith("2 events found"));
  await page.click("#tab-times");
  await page.waitForSelector("#panel svg.chart");
  assert.equal(await page.locator("#panel tbody tr").count(), 5);
  assert.deepEqual(await violations(page), []);
  await page.locator("#panel tbody tr").nth(1).getByRole("button").last().click();
  await page.waitForFunction(() => document.querySelector("#panel h2")?.textContent?.includes("found for rank:1 in:"));
  assert.deepEqual(complaints, []);
});

test("a page of its own needs no server and shows the same", async () => {
  const { page, complaints } = await open(browser, process.env.REPRISE_FILE ?? "");
  const { lanes, calls, arrows, races } = await shown(page);
  assert.deepEqual({ lanes, calls, arrows, races }, { lanes: "5", calls: "35", arrows: "9", races: "7" });
  await page.keyboard.press("n");
  await page.waitForSelector(".raced");
  await page.keyboard.press("n");
  await page.waitForFunction(() => document.querySelector("#panel h2")?.textContent?.startsWith("0:2"));
  await page.keyboard.press("o");
  await page.keyboard.press("w");
  await settled(page);
  await page.keyboard.press("c");
  await page.waitForFunction(() => location.hash.includes("cone=past"));
  await page.click("#tab-statistics");
  await page.waitForSelector(".matrix");
  assert.deepEqual(complaints, []);
});

test("what is seen is saved as SVG and PNG", async () => {
  const { page, complaints } = await open(browser, address);
  const [svg] = await Promise.all([page.waitForEvent("download"), page.click("#save-svg")]);
  assert.equal(svg.suggestedFilename(), "gather.svg");
  const { readFile } = await import("node:fs/promises");
  const text = await readFile(await svg.path(), "utf8");
  assert.equal(text.match(/<circle /g)?.length, 7);
  assert.ok(text.includes(">rank 4<"));
  const [png] = await Promise.all([page.waitForEvent("download"), page.click("#save-png")]);
  assert.equal(png.suggestedFilename(), "gather.png");
  assert.deepEqual(complaints, []);
});

test("a cut is drawn by keyboard and by hand, refused where no run can be, and copied as a breakpoint", async () => {
  const { page, complaints } = await open(browser, `${address}#axis=order&event=0:2`);
  await page.waitForFunction(() => document.querySelector("#panel h2")?.textContent?.startsWith("0:2 "));
  await page.keyboard.press("b");
  await page.waitForFunction(() => document.querySelector("#panel h2")?.textContent === "A run can be here");
  const text = (await page.locator("#panel code").first().textContent()) ?? "";
  assert.match(text, /^reprise debug gather -e 'goto \d+\+?(,\d+\+?){4}'$/);
  assert.match(page.url(), /hand=\d/);
  const box = /** @type {{x: number, y: number, width: number, height: number}} */ (await page.locator("#picture").boundingBox());
  await page.keyboard.down("Shift");
  await page.mouse.move(box.x + box.width * 0.7, box.y + 26);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.65, box.y + 66, { steps: 3 });
  await page.mouse.move(box.x + box.width * 0.03, box.y + 90, { steps: 3 });
  await page.mouse.move(box.x + box.width * 0.03, box.y + 310, { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await page.waitForFunction(() => document.querySelector("#panel h2")?.textContent === "No run can be here");
  assert.match((await page.locator("#panel p").first().textContent()) ?? "", /has returned, but .* has not begun/);
  assert.deepEqual(await violations(page), []);
  await page.getByRole("button", { name: "the nearest around it" }).click();
  await page.waitForFunction(() => document.querySelector("#panel h2")?.textContent === "A run can be here");
  await page.keyboard.press("Shift+B");
  await page.waitForFunction(() => document.querySelector("#panel h2")?.textContent === "No cut is drawn");
  assert.deepEqual(complaints, []);
});

test("ranks that behave alike stand together", async () => {
  const { page, complaints } = await open(browser, address);
  await page.selectOption("#arrange", "behaviour");
  await page.waitForFunction(() => document.querySelectorAll(".heading").length > 1);
  assert.match(page.url(), /by=behaviour/);
  assert.deepEqual(await violations(page), []);
  await page.locator("#picture").focus();
  await page.keyboard.press("r");
  await page.waitForFunction(() => document.querySelectorAll(".heading").length === 0);
  assert.deepEqual(complaints, []);
});

test("ranks of a large run share lanes, which open, and those that behave alike are together", async () => {
  const { page, complaints } = await open(browser, process.env.REPRISE_CROWD ?? "");
  assert.equal((await shown(page)).lanes, "150");
  await page.keyboard.press("n");
  await page.waitForSelector(".raced");
  await page.keyboard.press("g");
  await page.waitForFunction(() => document.getElementById("picture")?.dataset.lanes === "151");
  await settled(page);
  assert.match(page.url(), /open=0/);
  assert.equal((await shown(page)).races, "597", "none is lost, none counts twice");
  await page.selectOption("#arrange", "behaviour");
  await page.waitForFunction(() => document.querySelectorAll(".heading").length === 3);
  await settled(page);
  assert.deepEqual(await page.locator(".label").evaluateAll((all) => all.slice(0, 3).map((label) => label.textContent)), ["rank 0", "rank 1", "ranks 2–3"]);
  assert.equal((await shown(page)).lanes, "151");
  assert.equal((await shown(page)).races, "597");
  await page.click("#tab-times");
  await page.waitForSelector("#panel svg.chart");
  assert.equal(await page.locator("#panel tbody tr").count(), 150);
  await page.click("#tab-statistics");
  await page.waitForSelector(".matrix");
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(complaints, []);
});

test("how a run ended is said, with the last call of each rank that did not come to its end", async () => {
  const { page, complaints } = await open(browser, process.env.REPRISE_CRASH ?? "");
  assert.match((await page.locator("#panel").textContent()) ?? "", /The command was killed by signal 11 \(SEGV\)\. 1 rank did not come to MPI_Finalize; last: 0:10/);
  await page.getByRole("button", { name: "0:10" }).click();
  await page.waitForFunction(() => document.querySelector("#panel h2")?.textContent?.startsWith("0:10 "));
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(complaints, []);
});

test("two runs stand beside each other, move together, and show where they part", async () => {
  const { page, complaints } = await open(browser, process.env.REPRISE_COMPARE ?? "", 1500, 900, false);
  await page.waitForSelector("body[data-ready]");
  assert.equal(await page.locator("#counts").textContent(), "1 rank went another way; it began on rank 0");
  const [first, second] = ["#pane-a", "#pane-b"].map((id) => page.frameLocator(id));
  await first.locator("#panel h2").filter({ hasText: "0:11" }).waitFor();
  await second.locator("#panel h2").filter({ hasText: "0:11" }).waitFor();
  await first.locator("#picture").focus();
  await page.keyboard.press("w");
  await page.waitForFunction(async () => {
    const panes = ["pane-a", "pane-b"].map((id) => /** @type {any} */ (document.getElementById(id)).contentWindow.repriseStarted);
    const [a, b] = await Promise.all(panes);
    return !a.view.isWhole && a.view.from === b.view.from && a.view.to === b.view.to;
  });
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(complaints, []);
});

test("tasks of conflicts are lanes from fork to join, with both accesses, by keyboard alone", async () => {
  const { page, complaints } = await open(browser, process.env.REPRISE_ANOMALIES ?? "", 1400, 860, false);
  const { lanes, accesses } = await shown(page);
  assert.deepEqual({ lanes, accesses }, { lanes: "4", accesses: "4" });
  assert.equal(await page.title(), "java Hits · Reprise");
  assert.equal(await page.locator("#picture .mark.ordered").count(), 2, "one conflict is ordered by a lock");
  assert.equal(await page.locator("#picture path.open").count(), 1, "one task is not joined");
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("n");
  assert.equal(await page.locator("#picture text.clash").textContent(), "nothing orders them");
  assert.match((await heading(page)) ?? "", /WRITE-WRITE Hits.found/);
  assert.equal(await page.locator("#panel article").count(), 1);
  assert.equal(await page.locator("#panel article section").count(), 2);
  assert.match(page.url(), /finding=1/);
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("n");
  assert.equal(await page.locator("#picture text.clash").textContent(), "the schedule chooses which comes first");
  await page.keyboard.press("o");
  assert.equal((await shown(page)).lanes, "2", "the tasks of one finding");
  await page.goBack();
  await page.waitForFunction(() => document.querySelector("#panel h2")?.textContent?.includes("WRITE-WRITE"));
  await page.keyboard.press("/");
  await page.keyboard.type("thread count");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#panel h2")?.textContent === "1 finding for thread count");
  await page.keyboard.press("Escape");
  await page.keyboard.press("t");
  assert.deepEqual(await violations(page), [], "in the other theme");
  assert.deepEqual(complaints, []);
});

test("a search shows all of its hits, however many there are", async () => {
  const { page, complaints } = await open(browser, `${process.env.REPRISE_LARGE}#tab=events&search=mpi_send`);
  await page.waitForFunction(() => document.querySelector("#panel h2")?.textContent?.startsWith("800 events found"));
  assert.equal(await page.locator("#panel tbody tr").count(), 200);
  for (const rows of [400, 600, 800]) {
    await page.getByRole("button", { name: "show 200 more" }).click();
    await page.waitForFunction((rows) => document.querySelectorAll("#panel tbody tr").length === rows, rows);
  }
  assert.equal(await page.getByRole("button", { name: "show" }).filter({ hasText: "more" }).isVisible(), false);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(complaints, []);
});
