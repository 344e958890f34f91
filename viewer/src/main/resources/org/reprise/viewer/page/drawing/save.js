import { BACKWARDS, controls, MESSAGE_RACING, pointAt, UNRECEIVED } from "../layout/scene.js";
import { place, ticks } from "../layout/scale.js";
import { download } from "../panels/dom.js";
import { SCALE_HEIGHT } from "./canvas.js";

/**
 * What is seen, as a file: SVG from the same scene that the canvas draws, PNG from the canvas.
 *
 * @typedef {import("../app.js").App} App
 * @typedef {import("../layout/scene.js").Scene} Scene
 * @typedef {import("../layout/scene.js").Frame} Frame
 * @typedef {import("./theme.js").Theme} Theme
 */

const LABELS = 110;

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** @param {number} number */
const short = (number) => String(Math.round(number * 10) / 10);

/**
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {Theme} theme
 * @param {string} title
 */
export function svgOf(scene, frame, theme, title) {
  const width = frame.width + LABELS;
  const height = Math.min(frame.height, frame.lanes.height) + SCALE_HEIGHT;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${short(width)}" height="${short(height)}" viewBox="0 0 ${short(width)} ${short(height)}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" fill="${theme.ground}"/>`,
  ];
  for (const { lane, y, h } of scene.tracks) lines.push(`<text x="10" y="${short(y + SCALE_HEIGHT + h / 2 + 4)}" fill="${theme.text}">${escaped(lane.label)}</text>`);
  lines.push(`<svg x="${LABELS}" width="${short(frame.width)}" height="${short(height)}">`);
  const { step, places } = ticks(frame.from, frame.to, frame.width);
  for (const at of places) {
    const x = short(((at - frame.from) / (frame.to - frame.from)) * frame.width);
    lines.push(`<path d="M${x} ${SCALE_HEIGHT - 6}V${short(height)}" stroke="${theme.line}"/>`);
    if (at >= 0) lines.push(`<text x="${short(Number(x) + 4)}" y="15" fill="${theme.soft}">${escaped(place(at, step, frame.axis))}</text>`);
  }
  lines.push(`<g transform="translate(0 ${SCALE_HEIGHT})">`);
  for (const { x1, x2, y, h } of scene.tracks) lines.push(rect(x1, y, x2 - x1, h, theme.computing));
  addPreviews(lines, scene, theme);
  for (const { members } of scene.bands) {
    for (let i = 1; i < members.length; i++) {
      const [a, b] = [members[i - 1], members[i]];
      lines.push(`<path d="M${short(a.x1)} ${short(a.y + a.h)}H${short(a.x2)}L${short(b.x2)} ${short(b.y)}H${short(b.x1)}Z" fill="${theme.states[2]}" opacity="0.2"/>`);
    }
  }
  for (const bar of scene.bars) lines.push(rect(bar.x, bar.y, bar.w, bar.h, theme.states[bar.state]));
  for (const curve of scene.curves) {
    const { cx1, cx2 } = controls(curve);
    const colour = curve.marks & MESSAGE_RACING ? theme.race : curve.marks & BACKWARDS ? theme.accent : theme.message;
    const thick = curve.count > 1 ? Math.min(6, 0.7 + Math.log2(curve.count) * 0.45) : 1.2;
    lines.push(`<path d="M${short(curve.x1)} ${short(curve.y1)}C${short(cx1)} ${short(curve.y1)} ${short(cx2)} ${short(curve.y2)} ${short(curve.x2)} ${short(curve.y2)}" fill="none" stroke="${colour}" stroke-width="${short(thick)}" opacity="${curve.count > 1 ? 0.35 : 0.85}"/>`);
    if (curve.count === 1) {
      const angle = (pointAt(curve, 0.93).angle * 180) / Math.PI;
      const hollow = (curve.marks & UNRECEIVED) !== 0;
      lines.push(`<path d="M0 0L-7 -3.2V3.2Z" transform="translate(${short(curve.x2)} ${short(curve.y2)}) rotate(${short(angle)})" fill="${hollow ? theme.ground : colour}" stroke="${colour}"/>`);
    }
  }
  for (const ring of scene.rings) lines.push(`<circle cx="${short(ring.x)}" cy="${short(ring.y)}" r="5" fill="${theme.ground}" stroke="${theme.race}" stroke-width="2"/>`);
  lines.push("</g></svg></svg>");
  return lines.join("\n");
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 * @param {string} colour
 */
function rect(x, y, w, h, colour) {
  return `<rect x="${short(x)}" y="${short(y)}" width="${short(Math.max(0, w))}" height="${short(h)}" fill="${colour}"/>`;
}

/**
 * @param {string[]} lines
 * @param {Scene} scene
 * @param {Theme} theme
 */
function addPreviews(lines, scene, theme) {
  for (const { tile, row, x, w, y, h } of scene.previews) {
    const bins = tile.table.fields.bins;
    const shares = tile.table.columns.shares;
    const width = w / bins;
    for (let bin = 0; bin < bins; bin++) {
      if (x + (bin + 1) * width < 0 || x + bin * width > scene.width) continue;
      let top = y + h;
      for (let state = theme.states.length - 1; state >= 0; state--) {
        const share = (h * shares[(row * bins + bin) * theme.states.length + state]) / 255;
        if (share > 0.2) {
          top -= share;
          lines.push(rect(x + bin * width, Math.max(y, top), width + 0.3, share, theme.states[state]));
        }
      }
    }
  }
}

/** @param {App} app */
export function saveSvg(app) {
  if (!app.scene || !app.frame) return;
  const text = svgOf(app.scene, app.frame, app.theme, app.run.name);
  download(new Blob([text], { type: "image/svg+xml" }), `${app.run.name}.svg`);
}

/** @param {App} app */
export async function savePng(app) {
  const both = document.createElement("canvas");
  both.width = app.still.width;
  both.height = app.still.height;
  const context = /** @type {CanvasRenderingContext2D} */ (both.getContext("2d"));
  context.drawImage(app.still, 0, 0);
  context.drawImage(app.live, 0, 0);
  const blob = await new Promise((/** @type {(blob: Blob | null) => void} */ done) => both.toBlob(done, "image/png"));
  if (blob) download(blob, `${app.run.name}.png`);
}
