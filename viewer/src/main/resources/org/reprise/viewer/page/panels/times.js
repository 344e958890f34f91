import { count, duration } from "../layout/scale.js";
import { element, table } from "./dom.js";

/**
 * The time graph: where the time of what is in sight goes, over time and rank by rank.
 *
 * @typedef {import("../app.js").App} App
 * @typedef {{from: number, to: number, bins: number, shares: number[], per: number, groups: number[][]}} Shares
 */

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 900;
const HEIGHT = 120;
const ORDER = ["receiving", "waiting", "collective", "polling", "calling"];

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/**
 * @param {App} app
 * @returns {Promise<Node[]>}
 */
export async function timesPanel(app) {
  const { view, run } = app;
  /** @type {Shares} */
  const shares = await app.source.json("times", {
    axis: view.axis,
    from: app.source.isAlone ? 0 : Math.max(0, Math.floor(view.from)),
    to: app.source.isAlone ? view.extent.length : Math.ceil(view.to),
  });
  const length = shares.to - shares.from;
  const unit = (/** @type {number} */ value) => (view.axis === "time" ? duration(value) : count(value));
  return [
    element("h2", {}, `Where the time goes, of what is in sight: ${unit(length)}`),
    chart(run.states, shares),
    table(
      [shares.per === 1 ? "rank" : "ranks", "shares", "#computing", ...run.states.map((state) => `#${state}`)],
      `sums of each ${shares.per === 1 ? "rank" : `${shares.per} ranks`}; click a number to see its calls`,
      shares.groups.map((sums, group) => {
        const first = group * shares.per;
        const last = Math.min(run.ranks, first + shares.per) - 1;
        const which = first === last ? `rank:${first}` : `rank>${first - 1} rank<${last + 1}`;
        const cells = [element("td", {}, first === last ? String(first) : `${first}–${last}`), element("td", {}, bar(run.states, sums)), element("td", { class: "number" }, unit(sums[0]))];
        run.states.forEach((state, i) => {
          const cell = element("td", { class: "number" });
          if (sums[i + 1] > 0) {
            cell.append(element("button", { type: "button", class: "link", onclick: () => app.search(`${which} in:${state}`) }, unit(sums[i + 1])));
          }
          cells.push(cell);
        });
        return element("tr", {}, ...cells);
      }),
    ),
  ];
}

/**
 * @param {string[]} states
 * @param {Shares} shares
 */
function chart(states, shares) {
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, class: "chart", role: "img", "aria-label": "Shares of the ranks in each state over time; the table below has the sums", preserveAspectRatio: "none" });
  svg.append(shape("rect", { width: WIDTH, height: HEIGHT, fill: "var(--state-computing)" }));
  const below = new Array(shares.bins).fill(0);
  for (const state of ORDER) {
    const at = states.indexOf(state);
    const top = below.map((sum, bin) => sum + shares.shares[bin * states.length + at]);
    const x = (/** @type {number} */ bin) => ((bin * WIDTH) / shares.bins).toFixed(1);
    const y = (/** @type {number} */ share) => (HEIGHT * (1 - Math.min(1, share))).toFixed(1);
    const up = top.map((share, bin) => `L${x(bin)} ${y(share)}H${x(bin + 1)}`).join("");
    const back = below.map((share, bin) => ({ share, bin })).reverse().map(({ share, bin }) => `L${x(bin + 1)} ${y(share)}H${x(bin)}`).join("");
    svg.append(shape("path", { d: `M0 ${y(top[0] ?? 0)}${up}${back}Z`, fill: `var(--state-${state})` }));
    top.forEach((share, bin) => {
      below[bin] = share;
    });
  }
  return svg;
}

/**
 * @param {string[]} states
 * @param {number[]} sums computing first
 */
function bar(states, sums) {
  const all = Math.max(1, sums.reduce((a, b) => a + b, 0));
  const svg = shape("svg", { viewBox: "0 0 200 12", width: 200, height: 12, "aria-hidden": "true" });
  let x = 0;
  ["computing", ...states].forEach((state, i) => {
    const w = (200 * sums[i]) / all;
    svg.append(shape("rect", { x, width: w, height: 12, fill: `var(--state-${state})` }));
    x += w;
  });
  return svg;
}
