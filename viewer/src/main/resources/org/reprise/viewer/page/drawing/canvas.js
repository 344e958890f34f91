import { controls, pointAt, BACKWARDS, MESSAGE_RACING, UNRECEIVED } from "../layout/scene.js";
import { place, ticks } from "../layout/scale.js";
import { channels } from "./theme.js";

/**
 * Draws scenes on a canvas.
 *
 * @typedef {import("../layout/scene.js").Scene} Scene
 * @typedef {import("../layout/scene.js").Curve} Curve
 * @typedef {import("../model/tiles.js").Tile} Tile
 * @typedef {import("../model/types.js").AxisKind} AxisKind
 * @typedef {import("./theme.js").Theme} Theme
 */

/** Above the lanes is the scale. */
export const SCALE_HEIGHT = 24;

/** Shares of a bin are stacked in so many steps. */
const STEPS = 8;
const COLLECTIVE = 2;
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/**
 * Makes a canvas as large as its box, in the pixels of the screen.
 *
 * @param {HTMLCanvasElement} canvas
 */
export function fit(canvas) {
  const box = canvas.getBoundingClientRect();
  const ratio = window.devicePixelRatio || 1;
  const width = Math.max(1, Math.round(box.width * ratio));
  const height = Math.max(1, Math.round(box.height * ratio));
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = FONT;
  return { context, width: box.width, height: box.height };
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{from: number, to: number, axis: AxisKind, width: number, height: number}} frame
 * @param {Theme} theme
 */
export function drawScale(context, frame, theme) {
  const { step, places } = ticks(frame.from, frame.to, frame.width);
  context.fillStyle = theme.raised;
  context.fillRect(0, 0, frame.width, SCALE_HEIGHT);
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(0, SCALE_HEIGHT - 0.5);
  context.lineTo(frame.width, SCALE_HEIGHT - 0.5);
  for (const at of places) {
    const x = Math.round(((at - frame.from) / (frame.to - frame.from)) * frame.width) + 0.5;
    context.moveTo(x, SCALE_HEIGHT - 7);
    context.lineTo(x, frame.height);
  }
  context.globalAlpha = 0.8;
  context.stroke();
  context.globalAlpha = 1;
  context.fillStyle = theme.soft;
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const at of places) {
    const x = ((at - frame.from) / (frame.to - frame.from)) * frame.width;
    if (at >= 0) context.fillText(place(at, step, frame.axis), x + 5, SCALE_HEIGHT / 2 - 1);
  }
}

/** Previews as small images, one a tile, a column a bin and some rows a lane. */
export class PreviewImages {
  constructor() {
    /** @type {WeakMap<Tile, {theme: string, image: HTMLCanvasElement}>} */
    this.images = new WeakMap();
  }

  /**
   * @param {Tile} tile
   * @param {Theme} theme
   */
  of(tile, theme) {
    const known = this.images.get(tile);
    if (known && known.theme === theme.ground) return known.image;
    const image = PreviewImages.paint(tile, theme);
    this.images.set(tile, { theme: theme.ground, image });
    return image;
  }

  /**
   * @param {Tile} tile
   * @param {Theme} theme
   */
  static paint(tile, theme) {
    const bins = tile.table.fields.bins;
    const states = theme.states.length;
    const shares = tile.table.columns.shares;
    const lanes = shares.length / bins / states;
    const image = document.createElement("canvas");
    image.width = bins;
    image.height = lanes * STEPS;
    const context = /** @type {CanvasRenderingContext2D} */ (image.getContext("2d"));
    const pixels = context.createImageData(image.width, image.height);
    const colours = theme.states.map(channels);
    const ground = channels(theme.computing);
    for (let lane = 0; lane < lanes; lane++) {
      for (let bin = 0; bin < bins; bin++) {
        const at = (lane * bins + bin) * states;
        let sum = 0;
        let state = states - 1;
        // From below: what waits most stands at the bottom, computing is what is left above.
        for (let step = 0; step < STEPS; step++) {
          const level = ((step + 0.5) * 255) / STEPS;
          while (state >= 0 && sum + shares[at + state] < level) {
            sum += shares[at + state];
            state--;
          }
          const colour = state >= 0 ? colours[state] : ground;
          const pixel = 4 * ((lane * STEPS + STEPS - 1 - step) * bins + bin);
          pixels.data[pixel] = colour[0];
          pixels.data[pixel + 1] = colour[1];
          pixels.data[pixel + 2] = colour[2];
          pixels.data[pixel + 3] = 255;
        }
      }
    }
    context.putImageData(pixels, 0, 0);
    return image;
  }
}

/**
 * The picture without what the pointer and the selection add.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Theme} theme
 * @param {PreviewImages} images
 */
export function drawScene(context, scene, theme, images) {
  drawTracks(context, scene, theme);
  context.imageSmoothingEnabled = false;
  for (const { tile, row, x, w, y, h } of scene.previews) {
    const image = images.of(tile, theme);
    context.drawImage(image, 0, row * STEPS, image.width, STEPS, x, y, w, h);
  }
  drawBands(context, scene, theme);
  drawBars(context, scene, theme);
  drawCurves(context, scene.curves, theme);
  drawRings(context, scene, theme);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Theme} theme
 */
function drawTracks(context, scene, theme) {
  for (const { y, h, x1, x2, torn } of scene.tracks) {
    context.fillStyle = theme.computing;
    context.fillRect(x1, y, Math.max(0, x2 - x1), h);
    if (torn) drawTornEdge(context, x2, y, h, theme);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} h
 * @param {Theme} theme
 */
function drawTornEdge(context, x, y, h, theme) {
  context.fillStyle = theme.ground;
  context.beginPath();
  context.moveTo(x + 5, y - 1);
  const teeth = 4;
  for (let i = 0; i <= teeth * 2; i++) context.lineTo(x - (i % 2 === 0 ? 0 : 6), y - 1 + ((h + 2) * i) / (teeth * 2));
  context.lineTo(x + 5, y + h + 1);
  context.fill();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Theme} theme
 */
function drawBars(context, scene, theme) {
  for (let state = 0; state < theme.states.length; state++) {
    context.fillStyle = theme.states[state];
    for (const bar of scene.bars) {
      if (bar.state === state) context.fillRect(bar.x, bar.y, bar.w, bar.h);
    }
  }
  context.strokeStyle = theme.ground;
  context.lineWidth = 1;
  context.globalAlpha = 0.55;
  context.beginPath();
  for (const bar of scene.bars) {
    if (bar.state === COLLECTIVE && bar.w > 5 && bar.h > 5) {
      for (let x = bar.x + 3; x < bar.x + bar.w + bar.h; x += 6) {
        const x1 = Math.min(x, bar.x + bar.w);
        const x2 = Math.max(x - bar.h, bar.x);
        context.moveTo(x1, bar.y + (x - x1));
        context.lineTo(x2, bar.y + (x - x2));
      }
    }
  }
  context.stroke();
  context.globalAlpha = 1;
}

/**
 * A band joins the members of a collective, lane by lane, from when each came to when it left.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Theme} theme
 */
function drawBands(context, scene, theme) {
  context.fillStyle = theme.states[COLLECTIVE];
  context.globalAlpha = 0.2;
  for (const { members } of scene.bands) {
    for (let i = 1; i < members.length; i++) {
      const a = members[i - 1];
      const b = members[i];
      context.beginPath();
      context.moveTo(a.x1, a.y + a.h);
      context.lineTo(a.x2, a.y + a.h);
      context.lineTo(b.x2, b.y);
      context.lineTo(b.x1, b.y);
      context.fill();
    }
  }
  context.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Curve} curve
 */
export function trace(context, curve) {
  const { cx1, cx2 } = controls(curve);
  context.moveTo(curve.x1, curve.y1);
  context.bezierCurveTo(cx1, curve.y1, cx2, curve.y2, curve.x2, curve.y2);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Curve[]} curves
 * @param {Theme} theme
 */
function drawCurves(context, curves, theme) {
  const many = curves.length > 400;
  // A thousand thin lines must not become one grey area.
  const faint = Math.max(0.06, Math.min(1, 500 / curves.length));
  /** @type {Array<[Curve[], string, number]>} */
  const kinds = [
    [curves.filter((one) => (one.marks & (MESSAGE_RACING | BACKWARDS)) === 0), theme.message, 0.8 * faint],
    [curves.filter((one) => (one.marks & MESSAGE_RACING) !== 0), theme.race, 0.95 * Math.sqrt(faint)],
    [curves.filter((one) => (one.marks & BACKWARDS) !== 0), theme.accent, 0.9],
  ];
  for (const [some, colour, alpha] of kinds) {
    context.strokeStyle = colour;
    context.fillStyle = colour;
    context.globalAlpha = alpha;
    context.lineWidth = 1.2;
    context.beginPath();
    for (const curve of some) {
      if (curve.count === 1) trace(context, curve);
    }
    context.stroke();
    drawBundles(context, some.filter((one) => one.count > 1));
    context.globalAlpha = alpha;
    if (!many) for (const curve of some) if (curve.count === 1) drawHead(context, curve, theme);
  }
  context.globalAlpha = 1;
  context.fillStyle = theme.soft;
  context.textBaseline = "bottom";
  for (const curve of curves) {
    if (curve.stub) {
      const source = curve.stub.endsWith("→");
      context.textAlign = source ? "right" : "left";
      context.fillText(curve.stub, source ? curve.x1 : curve.x2, source ? curve.y1 : curve.y2);
    }
  }
}

/**
 * Bundles of about as many messages are drawn at once; the more messages, the thicker.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Curve[]} bundles
 */
function drawBundles(context, bundles) {
  /** @type {Map<number, Curve[]>} */
  const bySize = new Map();
  for (const bundle of bundles) {
    const size = Math.floor(Math.log2(bundle.count));
    const alike = bySize.get(size);
    if (alike) alike.push(bundle);
    else bySize.set(size, [bundle]);
  }
  for (const [size, alike] of bySize) {
    context.lineWidth = Math.min(6, 0.7 + size * 0.45);
    context.globalAlpha = Math.min(0.5, 0.1 + size * 0.035);
    context.beginPath();
    for (const bundle of alike) trace(context, bundle);
    context.stroke();
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Curve} curve
 * @param {Theme} theme
 */
export function drawHead(context, curve, theme) {
  const { angle } = pointAt(curve, 0.93);
  const size = 7;
  context.save();
  context.translate(curve.x2, curve.y2);
  context.rotate(angle);
  context.beginPath();
  context.moveTo(0, 0);
  context.lineTo(-size, -size * 0.45);
  context.lineTo(-size, size * 0.45);
  context.closePath();
  if ((curve.marks & UNRECEIVED) !== 0) {
    context.fillStyle = theme.ground;
    context.fill();
    context.stroke();
  } else {
    context.fill();
  }
  context.restore();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Theme} theme
 */
function drawRings(context, scene, theme) {
  context.strokeStyle = theme.race;
  const small = scene.rings.length > 600;
  if (small) {
    // Upright rectangles are by far the fastest that a canvas draws.
    context.fillStyle = theme.race;
    for (const ring of scene.rings) context.fillRect(ring.x - 0.75, ring.y - 5, 1.5, 10);
    return;
  }
  for (const ring of scene.rings) {
    context.beginPath();
    if (ring.count === 1) {
      context.lineWidth = 2;
      context.fillStyle = theme.ground;
      context.arc(ring.x, ring.y, 5, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    } else {
      context.lineWidth = 1.5;
      context.moveTo(ring.x, ring.y - 5);
      context.lineTo(ring.x, ring.y + 5);
      context.stroke();
    }
  }
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillStyle = theme.race;
  let last = { x: -100, y: -100 };
  for (const ring of scene.rings) {
    const apart = Math.abs(ring.x - last.x) > 26 || Math.abs(ring.y - last.y) > 4;
    if (ring.count > 1 && apart) {
      context.fillText(ring.count > 999 ? `${Math.round(ring.count / 1000)}k` : String(ring.count), ring.x, ring.y - 5);
      last = ring;
    }
  }
}
