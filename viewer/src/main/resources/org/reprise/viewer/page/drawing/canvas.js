import { controls, pointAt, BACKWARDS, MESSAGE_RACING, UNRECEIVED } from "../layout/scene.js";
import { place, ticks } from "../layout/scale.js";
import { channels } from "./theme.js";

/**
 * Draws scenes on a canvas.
 *
 * @typedef {import("../layout/scene.js").Scene} Scene
 * @typedef {import("../layout/scene.js").Frame} Frame
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
  ground(context, ratio);
  return { context, width: box.width, height: box.height };
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} ratio pixels of the screen in one of the page
 */
export function ground(context, ratio) {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.globalAlpha = 1;
  context.font = FONT;
}

/**
 * What lies behind the lanes: stripes, and a line at each mark of the scale.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Frame} frame
 * @param {Theme} theme
 */
export function drawGround(context, frame, theme) {
  context.fillStyle = theme.ground;
  context.fillRect(0, 0, frame.width, frame.height);
  context.fillStyle = theme.stripe;
  frame.lanes.lanes.forEach((lane, i) => {
    const y = lane.y - frame.top;
    if (i % 2 === 1 && y < frame.height && y + lane.height > 0) context.fillRect(0, y, frame.width, lane.height);
  });
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.globalAlpha = 0.8;
  context.beginPath();
  for (const at of ticks(frame.from, frame.to, frame.width).places) {
    const x = Math.round(((at - frame.from) / (frame.to - frame.from)) * frame.width) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, frame.height);
  }
  context.stroke();
  context.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{from: number, to: number, axis: AxisKind, width: number}} frame
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
    context.lineTo(x, SCALE_HEIGHT);
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

/** Images that are kept have so many pixels together; those used last stay. */
const PIXELS_MAX = 6_000_000;

/** Previews as small images, one a tile, a column a bin and some rows a lane. */
export class PreviewImages {
  constructor() {
    /** @type {Map<Tile, {theme: string, image: HTMLCanvasElement}>} */
    this.images = new Map();
    this.pixels = 0;
  }

  /**
   * @param {Tile} tile
   * @param {Theme} theme
   */
  has(tile, theme) {
    return this.images.get(tile)?.theme === theme.ground;
  }

  /**
   * @param {Tile} tile
   * @param {Theme} theme
   */
  of(tile, theme) {
    const known = this.images.get(tile);
    if (known?.theme === theme.ground) return known.image;
    this.drop(tile);
    const image = PreviewImages.paint(tile, theme);
    this.images.set(tile, { theme: theme.ground, image });
    this.pixels += image.width * image.height;
    for (const old of this.images.keys()) {
      if (this.pixels <= PIXELS_MAX || old === tile) break;
      this.drop(old);
    }
    return image;
  }

  /** @param {Tile} tile */
  drop(tile) {
    const image = this.images.get(tile)?.image;
    this.images.delete(tile);
    if (!image) return;
    this.pixels -= image.width * image.height;
    // Its memory goes at once, and not when the collector comes by.
    image.width = image.height = 0;
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

/** What a step of the painting costs, in about the time that a hundred small rectangles take. */
const COSTS = { image: 60, row: 3, piece: 20, curve: 3, bundle: 6, head: 1, ring: 0.5 };

/** So many are drawn in one step. */
const TOGETHER = 24;

/**
 * The picture without what the pointer and the selection add, step by step. Each step gives what it cost; between steps
 * something else may be done.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Theme} theme
 * @param {PreviewImages} images
 * @returns {Generator<number>}
 */
export function* paintScene(context, scene, theme, images) {
  drawTracks(context, scene, theme);
  yield scene.tracks.length / 4;
  context.imageSmoothingEnabled = false;
  for (const { tile, row, x, w, y, h } of scene.previews) {
    const isThere = images.has(tile, theme);
    const image = images.of(tile, theme);
    context.drawImage(image, 0, row * STEPS, image.width, STEPS, x, y, w, h);
    yield isThere ? COSTS.row : COSTS.image;
  }
  for (const band of scene.bands) {
    drawBand(context, band, theme);
    yield band.members.length / 2;
  }
  for (const some of inPieces(scene.bars, 40 * TOGETHER)) {
    drawBars(context, some, theme);
    yield (COSTS.piece * some.length) / (40 * TOGETHER);
  }
  yield* paintCurves(context, scene.curves, theme);
  yield* paintRings(context, scene, theme);
}

/**
 * @template T
 * @param {T[]} all
 * @param {number} size
 */
function* inPieces(all, size) {
  for (let i = 0; i < all.length; i += size) yield all.length <= size ? all : all.slice(i, i + size);
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
  context.strokeStyle = theme.text;
  context.lineWidth = 1.4;
  context.beginPath();
  for (let i = 0; i <= teeth * 2; i++) context.lineTo(x - (i % 2 === 0 ? 0 : 6), y + (h * i) / (teeth * 2));
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene["bars"]} bars
 * @param {Theme} theme
 */
function drawBars(context, bars, theme) {
  for (let state = 0; state < theme.states.length; state++) {
    context.fillStyle = theme.states[state];
    for (const bar of bars) {
      if (bar.state === state) context.fillRect(bar.x, bar.y, bar.w, bar.h);
    }
  }
  context.strokeStyle = theme.ground;
  context.lineWidth = 1;
  context.globalAlpha = 0.55;
  context.beginPath();
  for (const bar of bars) {
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
 * @param {Scene["bands"][number]} band
 * @param {Theme} theme
 */
function drawBand(context, { members }, theme) {
  context.fillStyle = theme.states[COLLECTIVE];
  context.globalAlpha = 0.2;
  context.beginPath();
  for (let i = 1; i < members.length; i++) {
    const a = members[i - 1];
    const b = members[i];
    context.moveTo(a.x1, a.y + a.h);
    context.lineTo(a.x2, a.y + a.h);
    context.lineTo(b.x2, b.y);
    context.lineTo(b.x1, b.y);
    context.closePath();
  }
  context.fill();
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
function* paintCurves(context, curves, theme) {
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
    const single = some.filter((one) => one.count === 1);
    for (const piece of inPieces(single, TOGETHER)) {
      stroke(context, piece, colour, alpha, 1.2);
      yield COSTS.curve * piece.length;
    }
    for (const [size, alike] of bySize(some.filter((one) => one.count > 1))) {
      for (const piece of inPieces(alike, TOGETHER)) {
        stroke(context, piece, colour, Math.min(0.5, 0.1 + size * 0.035), Math.min(6, 0.7 + size * 0.45));
        yield COSTS.bundle * piece.length;
      }
    }
    for (const piece of many ? [] : inPieces(single, TOGETHER)) {
      context.strokeStyle = colour;
      context.fillStyle = colour;
      context.globalAlpha = alpha;
      for (const curve of piece) drawHead(context, curve, theme);
      yield COSTS.head * piece.length;
    }
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
 * @param {CanvasRenderingContext2D} context
 * @param {Curve[]} curves
 * @param {string} colour
 * @param {number} alpha
 * @param {number} width
 */
function stroke(context, curves, colour, alpha, width) {
  context.strokeStyle = colour;
  context.globalAlpha = alpha;
  context.lineWidth = width;
  context.beginPath();
  for (const curve of curves) trace(context, curve);
  context.stroke();
}

/**
 * Bundles of about as many messages are drawn alike; the more messages, the thicker.
 *
 * @param {Curve[]} bundles
 */
function bySize(bundles) {
  /** @type {Map<number, Curve[]>} */
  const sizes = new Map();
  for (const bundle of bundles) {
    const size = Math.floor(Math.log2(bundle.count));
    const alike = sizes.get(size);
    if (alike) alike.push(bundle);
    else sizes.set(size, [bundle]);
  }
  return sizes;
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
function* paintRings(context, scene, theme) {
  const small = scene.rings.length > 600;
  if (small) {
    // Upright rectangles are by far the fastest that a canvas draws. They stay in their lane, or they would be one area.
    const high = Math.min(10, 0.6 * (scene.tracks[0]?.lane.height ?? 16));
    for (const piece of inPieces(scene.rings, 40 * TOGETHER)) {
      context.globalAlpha = 1;
      context.fillStyle = theme.race;
      for (const ring of piece) context.fillRect(ring.x - 0.75, ring.y - high / 2, 1.5, high);
      yield COSTS.piece;
    }
    return;
  }
  for (const ring of scene.rings) {
    context.strokeStyle = theme.race;
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
  yield COSTS.ring * scene.rings.length;
}
