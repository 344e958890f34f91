import { fit } from "./canvas.js";

/**
 * The strip above the picture: the whole run, how busy its ranks are with waiting, where it races, and what is in sight.
 *
 * @typedef {import("../model/columns.js").Table} Table
 * @typedef {import("../model/view.js").View} View
 * @typedef {import("./theme.js").Theme} Theme
 */

const TICKS = 12;

/** @type {WeakMap<Table, {key: string, image: HTMLCanvasElement}>} what does not change while the view does */
const images = new WeakMap();

/**
 * The strip without its frame, drawn once for each size and theme.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Table} table
 * @param {Theme} theme
 * @param {(context: CanvasRenderingContext2D) => void} draw
 */
function density(canvas, table, theme, draw) {
  const key = `${canvas.width} ${canvas.height} ${theme.ground}`;
  const known = images.get(table);
  if (known?.key === key) return known.image;
  const image = document.createElement("canvas");
  image.width = canvas.width;
  image.height = canvas.height;
  const context = /** @type {CanvasRenderingContext2D} */ (image.getContext("2d"));
  const ratio = window.devicePixelRatio || 1;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  draw(context);
  images.set(table, { key, image });
  return image;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Table | null} table a preview of the whole axis
 * @param {View} view
 * @param {Theme} theme
 */
export function drawOverview(canvas, table, view, theme) {
  const { context, width, height } = fit(canvas);
  context.fillStyle = theme.ground;
  context.fillRect(0, 0, width, height);
  const length = view.extent.length;
  const x = (/** @type {number} */ at) => (at / length) * width;
  if (table) {
    const image = density(canvas, table, theme, (on) => drawDensity(on, table, 2 ** view.extent.shift, x, height, theme));
    context.drawImage(image, 0, 0, width, height);
  }
  const x1 = Math.max(0, x(view.from));
  const x2 = Math.min(width, x(view.to));
  context.fillStyle = theme.ground;
  context.globalAlpha = 0.62;
  context.fillRect(0, 0, x1, height);
  context.fillRect(x2, 0, width - x2, height);
  context.globalAlpha = 1;
  context.strokeStyle = theme.accent;
  context.lineWidth = 2;
  context.strokeRect(x1 + 1, 1, Math.max(3, x2 - x1 - 2), height - 2);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Table} table
 * @param {number} units of the whole tile
 * @param {(at: number) => number} x
 * @param {number} height
 * @param {Theme} theme
 */
function drawDensity(context, table, units, x, height, theme) {
  const { shares, raceBin, raceCount } = table.columns;
  const bins = table.fields.bins;
  const states = theme.states.length;
  const lanes = shares.length / bins / states;
  const w = x(units / bins) + 0.6;
  const laneHeight = (height - TICKS - 4) / lanes;
  for (let lane = 0; lane < lanes; lane++) {
    const gap = laneHeight > 4 ? 1 : 0;
    for (let bin = 0; bin < bins; bin++) {
      const at = (lane * bins + bin) * states;
      let sum = 0;
      let best = -1;
      for (let state = 0; state < states; state++) {
        sum += shares[at + state];
        if (shares[at + state] > 0 && (best < 0 || shares[at + state] >= shares[at + best])) best = state;
      }
      context.fillStyle = best < 0 ? theme.computing : theme.states[best];
      context.globalAlpha = best < 0 ? 1 : Math.min(1, 0.35 + sum / 255);
      context.fillRect(x((bin * units) / bins), TICKS + 2 + lane * laneHeight, w, Math.max(1, laneHeight - gap));
    }
  }
  context.globalAlpha = 1;
  context.fillStyle = theme.race;
  const most = Math.max(1, ...raceCount);
  for (let i = 0; i < raceBin.length; i++) {
    const h = 4 + (TICKS - 5) * Math.sqrt(raceCount[i] / most);
    context.fillRect(x(((raceBin[i] + 0.5) * units) / bins) - 0.75, TICKS - h, 1.5, h);
  }
}
