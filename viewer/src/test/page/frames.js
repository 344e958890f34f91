import { readdirSync, readFileSync } from "node:fs";
import { launch, PATIENCE_MILLIS, shown } from "./browser.js";

/**
 * Measures the page of a run: how long it takes to open, frames a second while it pans and zooms, and its memory. Beside
 * each stands the processor time that it took, which other programs on the machine change little.
 */

/** Ticks of the kernel's clock of processor time in a second. */
const TICKS = 100;

/** The browser that this process started: the memory of its largest renderer, which has the page, and its processor time. */
function browserUse() {
  const field = (/** @type {string} */ status, /** @type {string} */ name) => Number(new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(status)?.[1] ?? 0);
  /** @type {Map<number, {parent: number, bytes: number, millis: number, renderer: boolean}>} */
  const processes = new Map();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const renderer = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer");
      const times = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/.*\) /, "").split(" ").slice(11, 13).map(Number);
      const millis = ((times[0] + times[1]) * 1000) / TICKS;
      processes.set(Number(pid), { parent: field(status, "PPid"), bytes: 1024 * field(status, "VmRSS"), millis, renderer });
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOurs = (/** @type {number} */ pid) => {
    for (let at = pid; at > 1; at = processes.get(at)?.parent ?? 0) if (at === process.pid) return true;
    return false;
  };
  const ours = [...processes].filter(([pid]) => pid !== process.pid && isOurs(pid)).map(([, one]) => one);
  return {
    bytes: Math.max(0, ...ours.filter((one) => one.renderer).map((one) => one.bytes)),
    millis: ours.reduce((sum, one) => sum + one.millis, 0),
  };
}

/**
 * Does something in every frame and says how long the frames took.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} name
 * @param {"key" | "wheel" | "drag"} kind
 * @param {Array<string | number>} each key, or pixels of the wheel, or of the pointer
 * @param {number} moves
 */
async function measure(page, name, kind, each, moves) {
  const before = browserUse().millis;
  const times = await page.evaluate(
    async ({ kind, each, moves }) => {
      const picture = /** @type {HTMLElement} */ (document.getElementById("picture"));
      const box = picture.getBoundingClientRect();
      const at = { clientX: box.left + box.width * 0.4, clientY: box.top + box.height * 0.5, bubbles: true, cancelable: true };
      picture.setPointerCapture = () => undefined;
      const drag = (/** @type {string} */ type) => picture.dispatchEvent(new PointerEvent(type, { ...at, buttons: 1, pointerId: 1 }));
      if (kind === "drag") drag("pointerdown");
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      const times = [];
      await frame();
      let last = performance.now();
      for (let i = 0; i < moves; i++) {
        const by = each[i % each.length];
        if (kind === "key") document.dispatchEvent(new KeyboardEvent("keydown", { key: String(by), bubbles: true }));
        else if (kind === "wheel") picture.dispatchEvent(new WheelEvent("wheel", { ...at, deltaY: Number(by) }));
        else {
          at.clientX += Number(by);
          drag("pointermove");
        }
        await frame();
        const now = performance.now();
        times.push(now - last);
        last = now;
      }
      if (kind === "drag") drag("pointerup");
      return times;
    },
    { kind, each, moves },
  );
  const spent = (browserUse().millis - before) / moves;
  const stopped = performance.now();
  await page.waitForFunction(() => document.getElementById("picture")?.dataset.pending === "0");
  const sharp = performance.now() - stopped;
  const mean = times.reduce((a, b) => a + b, 0) / times.length;
  times.sort((a, b) => a - b);
  console.log(
    `${name}: ${(1000 / mean).toFixed(0)} frames/s, 95 % within ${times[Math.floor(times.length * 0.95)].toFixed(0)} ms, slowest ${times[times.length - 1].toFixed(0)} ms, ${spent.toFixed(0)} ms of processor time each; sharp ${sharp.toFixed(0)} ms later`,
  );
}

const [address, picture] = process.argv.slice(2);
const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 860 } });
  page.setDefaultTimeout(2 * PATIENCE_MILLIS);
  const began = performance.now();
  await page.goto(address);
  await page.waitForFunction(() => document.getElementById("picture")?.dataset.pending !== undefined);
  console.log(`page with its lanes: ${Math.round(performance.now() - began)} ms`);
  await page.waitForFunction(() => document.getElementById("picture")?.dataset.pending === "0");
  console.log(`first picture, with everything that is in sight: ${Math.round(performance.now() - began)} ms, ${Math.round(browserUse().millis)} ms of processor time`);
  console.log(JSON.stringify(await shown(page)));
  if (picture) await page.screenshot({ path: picture });
  await measure(page, "wheel, in", "wheel", [-120], 40);
  await measure(page, "drag", "drag", [-25, -25, -25, 15], 120);
  await measure(page, "keys, in", "key", ["w"], 12);
  await measure(page, "keys, aside", "key", ["d", "d", "d", "a"], 120);
  await measure(page, "keys, up and down", "key", ["ArrowDown", "ArrowDown", "ArrowUp"], 60);
  await measure(page, "wheel, out", "wheel", [120], 60);
  await measure(page, "keys, in by order", "key", ["o", "w", "w", "w", "w", "w", "w", "w", "w", "w"], 10);
  await measure(page, "keys, aside by order", "key", ["d"], 60);
  const used = await page.evaluate(() => /** @type {any} */ (performance).memory?.usedJSHeapSize ?? 0);
  console.log(`memory of the page: ${Math.round(used / 1e6)} MB of objects, ${Math.round(browserUse().bytes / 1e6)} MB its whole process`);
} finally {
  await browser.close();
}
