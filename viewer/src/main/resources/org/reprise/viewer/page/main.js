import { App } from "./app.js";
import { initTheme } from "./drawing/theme.js";
import { Source } from "./model/source.js";
import { byId } from "./panels/dom.js";

initTheme();
try {
  const source = await Source.open();
  const app = new App(source, await source.json("run"));
  await app.start();
} catch (error) {
  byId("status").textContent = `the run cannot be shown: ${error instanceof Error ? error.message : error}`;
}
