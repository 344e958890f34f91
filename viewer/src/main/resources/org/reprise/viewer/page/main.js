import { App } from "./app.js";
import { initTheme } from "./drawing/theme.js";
import { Source } from "./model/source.js";
import { byId } from "./panels/dom.js";

initTheme();
if (location.search === "?pane") document.documentElement.dataset.pane = "1";

/** @returns {Promise<App>} */
async function started() {
  const source = await Source.open();
  const app = new App(source, await source.json("run"));
  await app.start();
  return app;
}

/** The page that compares two runs waits for those of both. */
const starting = started();
Object.assign(globalThis, { repriseStarted: starting });
try {
  await starting;
} catch (error) {
  byId("status").textContent = `the run cannot be shown: ${error instanceof Error ? error.message : error}`;
}
