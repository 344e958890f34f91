import { readdirSync, readFileSync } from "node:fs";
import { launch, PATIENCE_MILLIS, shown } from "./browser.js";

/**
 * Measures the page of a run: how long it takes to open, frames a second while it pans and zooms, and its memory.
 */

const MOVES = 120;

/** Memory of the largest renderer among the processes that this one started, in bytes: that of the page, all told. */
function rendererBytes() {
  const field = (/** @type {string} */ status, /** @type {string} */ name) => Number(new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(status)?.[1] ?? 0);
  /** @type {Map<number, {parent: number, bytes: number, renderer: boolean}>} */
  const processes = new Map();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const renderer = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer");
      processes.set(Number(pid), { parent: field(status, "PPid"), bytes: 1024 * field(status, "VmRSS"), renderer });
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOurs = (/** @type {number} */ pid) => {
    for (let at = pid; at > 1; at = processes.get(at)?.parent ?? 0) if (at === process.pid) return true;
    return false;
  };
  return Math.max(0, ...[...processes].filter(([pid, { renderer }]) => renderer && isOurs(pid)).map(([, { bytes }]) => bytes));
}

const [address] = process.argv.slice(2);
const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 860 } });
  page.setDefaultTimeout(2 * PATIENCE_MILLIS);
  const began = performance.now();
  await page.goto(address);
  await page.waitForFunction(() => document.getElementById("picture")?.dataset.pending !== undefined);
  console.log(`first picture: ${Math.round(performance.now() - began)} ms`);
  await page.waitForFunction(() => document.getElementById("picture")?.dataset.pending === "0");
  console.log(`whole run in sight, with everything that was asked for: ${Math.round(performance.now() - began)} ms`);
  console.log(JSON.stringify(await shown(page)));
  for (const [name, keys] of /** @type {Array<[string, string[]]>} */ ([
    ["zooming in", ["w"]],
    ["panning", ["d", "d", "d", "a"]],
    ["zooming out", ["s"]],
  ])) {
    const times = await page.evaluate(
      async ({ keys, moves }) => {
        const times = [];
        let last = performance.now();
        for (let i = 0; i < moves; i++) {
          document.dispatchEvent(new KeyboardEvent("keydown", { key: keys[i % keys.length], bubbles: true }));
          await new Promise((done) => requestAnimationFrame(done));
          const now = performance.now();
          times.push(now - last);
          last = now;
        }
        return times;
      },
      { keys, moves: name === "panning" ? MOVES : 30 },
    );
    times.sort((a, b) => a - b);
    const mean = times.reduce((a, b) => a + b, 0) / times.length;
    console.log(`${name}: ${(1000 / mean).toFixed(0)} frames/s, slowest ${times[times.length - 1].toFixed(0)} ms, 95 % within ${times[Math.floor(times.length * 0.95)].toFixed(0)} ms`);
  }
  const used = await page.evaluate(() => /** @type {any} */ (performance).memory?.usedJSHeapSize ?? 0);
  console.log(`memory of the page: ${Math.round(used / 1e6)} MB of objects, ${Math.round(rendererBytes() / 1e6)} MB its whole process`);
} finally {
  await browser.close();
}
