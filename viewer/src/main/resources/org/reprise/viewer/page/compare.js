import { initTheme } from "./drawing/theme.js";
import { counted } from "./layout/scale.js";
import { alignment, follow } from "./model/comparison.js";
import { byId, element } from "./panels/dom.js";
import { words } from "./panels/selection.js";

/**
 * Two runs beside each other. Each is the page of its run in a frame; this page keeps both at the same stretch. By logical
 * order, what the runs did alike stands at the same place in both.
 *
 * @typedef {import("./app.js").App} App
 * @typedef {import("./model/comparison.js").Comparison} Comparison
 * @typedef {import("./model/comparison.js").Difference} Difference
 */

/** Much of the run around a difference is shown at first, in steps of logical order. */
const AROUND = 24;

initTheme();

/**
 * The page in a frame, once it is there.
 *
 * @param {"a" | "b"} side
 * @returns {Promise<App>}
 */
function pane(side) {
  const frame = /** @type {HTMLIFrameElement} */ (byId(`pane-${side}`));
  return new Promise((resolve) => {
    frame.addEventListener("load", () => {
      const inside = /** @type {any} */ (frame.contentWindow);
      inside.repriseStarted.then(resolve);
    });
    frame.src = `${side}/?pane#axis=order`;
  });
}

/** @type {Comparison} */
const comparison = await (await fetch("api/comparison")).json();
const [first, second] = await Promise.all([pane("a"), pane("b")]);
byId("pane-a").title = comparison.a;
byId("pane-b").title = comparison.b;

let together = true;
const link = (/** @type {App} */ from, /** @type {App} */ to) => {
  from.watcher = () => {
    if (together && follow(from.view, to.view)) to.redraw();
  };
  from.chosen = (name) => {
    const twin = name && alignment(comparison, name, from === first);
    if (twin && to.view.selected !== twin) void to.select(twin, false);
  };
};
link(first, second);
link(second, first);

/** @param {Difference} difference */
async function show({ a, b }) {
  const at = Math.min(a?.orderStart ?? Infinity, b?.orderStart ?? Infinity);
  for (const app of [first, second]) if (app.view.axis !== "order") app.setAxis("order");
  first.view.show(at - AROUND, at + AROUND);
  first.changed();
  if (a) await first.select(a.name, false);
  if (b) await second.select(b.name, false);
}

const { differences } = comparison;
const began = differences.filter((one) => one.original);
document.title = `${comparison.a} and ${comparison.b} · Reprise`;
byId("title").textContent = `${comparison.a} and ${comparison.b}`;
byId("counts").textContent =
  differences.length === 0
    ? `the same order on ${counted(comparison.ranks, "rank")}`
    : `${counted(differences.length, "rank")} went another way; it began on ${began.map((one) => `rank ${one.rank}`).join(" and ")}`;
byId("differences").replaceChildren(
  ...differences.map((difference) =>
    element(
      "button",
      { type: "button", class: `difference${difference.original ? " original" : ""}`, onclick: () => void show(difference) },
      element("strong", {}, `rank ${difference.rank}${difference.original ? ": it began here" : ""}`),
      element("span", {}, `${difference.a ? `${difference.a.name} ${words(difference.a)}` : "ended"} ≠ ${difference.b ? `${difference.b.name} ${words(difference.b)}` : "ended"}`),
    ),
  ),
);
const toggle = (/** @type {string} */ id, /** @type {(on: boolean) => void} */ act) =>
  byId(id).addEventListener("click", () => {
    const on = byId(id).getAttribute("aria-pressed") !== "true";
    byId(id).setAttribute("aria-pressed", String(on));
    act(on);
  });
toggle("together", (on) => {
  together = on;
  if (on) first.redraw();
});
toggle("beside", (on) => byId("panes").classList.toggle("stacked", !on));
if (began.length > 0) await show(began[0]);
document.body.dataset.ready = "1";
