import { BACKWARDS, MESSAGE_RACING, RACE_HERE, UNRECEIVED } from "../model/types.js";

/**
 * What stands where in the picture, in pixels; nothing is drawn here, so a canvas, an SVG file and a test can all take it.
 *
 * @typedef {import("../model/tiles.js").Tile} Tile
 * @typedef {import("../model/types.js").AxisKind} AxisKind
 * @typedef {import("./lanes.js").Lanes} Lanes
 * @typedef {import("./lanes.js").Lane} Lane
 *
 * @typedef {object} Bar
 * @property {number} x
 * @property {number} y
 * @property {number} w
 * @property {number} h
 * @property {number} state
 * @property {number} event
 * @property {number} rank
 * @property {number} number
 * @property {number} call
 * @property {number} peer
 * @property {number} tag
 * @property {number} bytes
 * @property {number} start
 * @property {number} end
 * @property {number} marks
 *
 * @typedef {object} Preview
 * @property {Tile} tile
 * @property {number} row the lane's place in the tile
 * @property {number} x
 * @property {number} w
 * @property {number} y
 * @property {number} h
 *
 * @typedef {object} Curve
 * @property {number} x1
 * @property {number} y1
 * @property {number} x2
 * @property {number} y2
 * @property {number} count messages that it stands for
 * @property {number} marks
 * @property {number} send event; -1 for a bundle
 * @property {number} arrival event; -1 for a bundle, or if nobody received it
 * @property {string} stub the rank at its hidden end, or nothing
 *
 * @typedef {{x: number, y: number, event: number, count: number}} Ring
 * @typedef {{x1: number, x2: number, y1: number, y2: number, members: Array<{x1: number, x2: number, y: number, h: number}>}} Band
 * @typedef {{y: number, h: number, x1: number, x2: number, torn: boolean, lane: Lane}} Track
 *
 * @typedef {object} Scene
 * @property {number} width
 * @property {number} height
 * @property {Track[]} tracks
 * @property {Bar[]} bars
 * @property {Preview[]} previews
 * @property {Curve[]} curves
 * @property {Ring[]} rings
 * @property {Band[]} bands
 * @property {number} left messages that are not drawn
 *
 * @typedef {object} Frame
 * @property {AxisKind} axis
 * @property {number} from
 * @property {number} to
 * @property {number} width
 * @property {number} height
 * @property {number} top how far the lanes are scrolled
 * @property {Lanes} lanes
 * @property {Tile[]} tiles
 * @property {Tile[]} messages
 * @property {number} length of the axis
 * @property {Map<number, number>} ends where ranks end that did not come to their end
 */

/** Bars are this much of a lane's height. */
const BAR_SHARE = 0.56;
const BAR_MIN_WIDTH = 1.5;
const CURVES_MAX = 2000;

/** Bundles of messages that are drawn; those of the fewest messages are left out first. */
const BUNDLES_MAX = 600;

/** Marks of races that are closer than that are one. */
const RINGS_APART = 6;
const STUB = 16;

/** A lane that is torn off reaches so far beyond its last call. */
const TORN = 8;

/** @param {Frame} frame */
export function xScale(frame) {
  const perUnit = frame.width / (frame.to - frame.from);
  return (/** @type {number} */ at) => (at - frame.from) * perUnit;
}

/** @param {Lane} lane */
export function barBox(lane) {
  const h = Math.max(2, Math.round(lane.height * BAR_SHARE));
  return { y: lane.y + (lane.height - h) / 2, h };
}

/**
 * @param {Frame} frame
 * @returns {Scene}
 */
export function compose(frame) {
  /** @type {Scene} */
  const scene = {
    width: frame.width,
    height: frame.height,
    tracks: [],
    bars: [],
    previews: [],
    curves: [],
    rings: [],
    bands: [],
    left: 0,
  };
  const x = xScale(frame);
  addTracks(frame, scene, x);
  const bands = new Map();
  const seen = new Set();
  for (const tile of frame.tiles) {
    if (tile.table.fields.complete) addCalls(frame, scene, x, tile, bands, seen);
    else addPreviews(frame, scene, x, tile);
  }
  addBands(scene, bands);
  const drawn = new Set();
  for (const tile of frame.messages) {
    if (tile.table.fields.complete) addMessages(frame, scene, x, tile, drawn);
    else addBundles(frame, scene, x, tile);
  }
  leaveThinBundles(scene);
  return scene;
}

/**
 * @param {Frame} frame
 * @param {Scene} scene
 * @param {(at: number) => number} x
 */
function addTracks(frame, scene, x) {
  for (const lane of frame.lanes.lanes) {
    const { y, h } = barBox(lane);
    const at = y - frame.top;
    if (at > frame.height || at + h < 0) continue;
    const end = lane.group ? undefined : frame.ends.get(lane.ranks[0]);
    scene.tracks.push({
      y: at,
      h,
      x1: Math.max(-4, x(0)),
      x2: Math.max(-4, Math.min(frame.width + 8, end === undefined ? x(frame.length) : x(end) + TORN)),
      torn: end !== undefined,
      lane,
    });
  }
}

/**
 * @param {Frame} frame
 * @param {Lane} lane
 */
function isInSight(frame, lane) {
  return lane.y - frame.top < frame.height && lane.y + lane.height - frame.top > 0;
}

/**
 * @param {Frame} frame
 * @param {Scene} scene
 * @param {(at: number) => number} x
 * @param {Tile} tile
 * @param {Map<number, Array<{x1: number, x2: number, y: number, h: number}>>} bands
 * @param {Set<number>} seen
 */
function addCalls(frame, scene, x, tile, bands, seen) {
  const c = tile.table.columns;
  for (let i = 0; i < c.event.length; i++) {
    if (c.end[i] < frame.from || c.start[i] > frame.to || seen.has(c.event[i])) continue;
    const lane = frame.lanes.of(c.rank[i]);
    if (!lane) continue;
    seen.add(c.event[i]);
    const { y, h } = barBox(lane);
    const x1 = x(c.start[i]);
    const w = Math.max(BAR_MIN_WIDTH, x(c.end[i]) - x1);
    if (c.collective[i] >= 0) {
      const members = bands.get(c.collective[i]) ?? [];
      members.push({ x1, x2: x1 + w, y: y - frame.top, h });
      bands.set(c.collective[i], members);
    }
    if (!isInSight(frame, lane)) continue;
    scene.bars.push({
      x: x1,
      y: y - frame.top,
      w,
      h,
      state: c.state[i],
      event: c.event[i],
      rank: c.rank[i],
      number: c.number[i],
      call: c.call[i],
      peer: c.peer[i],
      tag: c.tag[i],
      bytes: c.bytes[i],
      start: c.start[i],
      end: c.end[i],
      marks: c.marks[i],
    });
    if ((c.marks[i] & RACE_HERE) !== 0) {
      scene.rings.push({ x: x1 + w, y: y - frame.top + h / 2, event: c.event[i], count: 1 });
    }
  }
}

/**
 * @param {Scene} scene
 * @param {Map<number, Array<{x1: number, x2: number, y: number, h: number}>>} bands
 */
function addBands(scene, bands) {
  for (const members of bands.values()) {
    members.sort((a, b) => a.y - b.y);
    scene.bands.push({
      x1: Math.min(...members.map((member) => member.x1)),
      x2: Math.max(...members.map((member) => member.x2)),
      y1: members[0].y,
      y2: members[members.length - 1].y + members[members.length - 1].h,
      members,
    });
  }
}

/**
 * @param {Frame} frame
 * @param {Scene} scene
 * @param {(at: number) => number} x
 * @param {Tile} tile
 */
function addPreviews(frame, scene, x, tile) {
  const width = 2 ** tile.window.shift;
  const begin = tile.window.index * width;
  const x1 = x(begin);
  const w = x(begin + width) - x1;
  const c = tile.table.columns;
  const bin = w / tile.table.fields.bins;
  const middles = Array.from(c.place, (place, row) => {
    const lane = frame.lanes.at(place);
    if (!lane || !isInSight(frame, lane)) return NaN;
    const { y, h } = barBox(lane);
    // Of a group that is open, each rank has a row in a tile of its own.
    if (c.ranks[row] === lane.ranks.length) scene.previews.push({ tile, row, x: x1, w, y: y - frame.top, h });
    else return NaN;
    return y - frame.top + h / 2;
  });
  /** @type {Array<Ring | undefined>} by lane: the last mark */
  const last = new Array(middles.length);
  for (let i = 0; i < c.raceLane.length; i++) {
    const row = c.raceLane[i];
    const y = middles[row];
    const at = x1 + (c.raceBin[i] + 0.5) * bin;
    if (Number.isNaN(y) || at < -10 || at > frame.width + 10) continue;
    const before = last[row];
    if (before && Math.abs(at - before.x) < RINGS_APART) {
      before.count += c.raceCount[i];
    } else {
      const ring = { x: at, y, event: c.raceEvent[i], count: c.raceCount[i] };
      last[row] = ring;
      scene.rings.push(ring);
    }
  }
}

/** @param {Frame} frame */
function middleIn(frame) {
  return (/** @type {Lane} */ lane) => lane.y + lane.height / 2 - frame.top;
}

/**
 * Where both ends of a message are drawn; an end on a hidden rank becomes a short stub at the other.
 *
 * @param {Frame} frame
 * @param {number} source
 * @param {number} target
 * @param {number} x1
 * @param {number} x2
 */
function ends(frame, source, target, x1, x2) {
  const from = frame.lanes.of(source);
  const to = frame.lanes.of(target);
  if (!from && !to) return null;
  const middle = middleIn(frame);
  if (from && to) return { x1, y1: middle(from), x2, y2: middle(to), stub: "" };
  if (from) return { x1, y1: middle(from), x2: x1 + STUB, y2: middle(from) - STUB, stub: `→${target}` };
  const lane = /** @type {Lane} */ (to);
  return { x1: x2 - STUB, y1: middle(lane) - STUB, x2, y2: middle(lane), stub: `${source}→` };
}

/**
 * @param {Frame} frame
 * @param {Scene} scene
 * @param {(at: number) => number} x
 * @param {Tile} tile
 * @param {Set<number>} drawn
 */
function addMessages(frame, scene, x, tile, drawn) {
  const c = tile.table.columns;
  for (let i = 0; i < c.send.length; i++) {
    if (drawn.has(c.send[i]) || Math.max(c.from[i], c.to[i]) < frame.from || Math.min(c.from[i], c.to[i]) > frame.to) continue;
    const unreceived = (c.marks[i] & UNRECEIVED) !== 0;
    const x1 = x(c.from[i]);
    const x2 = unreceived ? x1 + 2 * STUB : x(c.to[i]);
    const at = ends(frame, c.source[i], c.target[i], x1, x2);
    if (!at || (at.y1 < 0 && at.y2 < 0) || (at.y1 > frame.height && at.y2 > frame.height)) continue;
    drawn.add(c.send[i]);
    if (scene.curves.length >= CURVES_MAX) {
      scene.left++;
      continue;
    }
    if (unreceived && !at.stub) {
      // It never came there: half of the way.
      at.y2 = at.y1 + (at.y2 - at.y1) * 0.45;
    }
    scene.curves.push({ ...at, count: 1, marks: c.marks[i], send: c.send[i], arrival: c.arrival[i] });
  }
}

/**
 * @param {Frame} frame
 * @param {Scene} scene
 * @param {(at: number) => number} x
 * @param {Tile} tile
 */
function addBundles(frame, scene, x, tile) {
  const c = tile.table.columns;
  const { places, left } = tile.table.fields;
  scene.left += left;
  const width = 2 ** tile.window.shift;
  const begin = tile.window.index * width;
  const step = width / places;
  const middle = middleIn(frame);
  const at = (/** @type {number} */ bucket) => x(begin + (bucket - 0.5) * step);
  for (let i = 0; i < c.source.length; i++) {
    const x1 = at(c.from[i]);
    const x2 = at(c.to[i]);
    if (Math.max(x1, x2) < 0 || Math.min(x1, x2) > frame.width) continue;
    const from = frame.lanes.at(c.source[i]);
    const to = frame.lanes.at(c.target[i]);
    if (!from || !to) continue;
    const y1 = middle(from);
    const y2 = middle(to);
    if ((y1 < 0 && y2 < 0) || (y1 > frame.height && y2 > frame.height)) continue;
    scene.curves.push({ x1, y1, x2, y2, stub: "", count: c.count[i], marks: 0, send: -1, arrival: -1 });
  }
}

/** @param {Scene} scene */
function leaveThinBundles(scene) {
  const bundles = scene.curves.filter((curve) => curve.send < 0);
  if (bundles.length <= BUNDLES_MAX) return;
  bundles.sort((a, b) => b.count - a.count);
  for (const { count } of bundles.slice(BUNDLES_MAX)) scene.left += count;
  scene.curves = [...scene.curves.filter((curve) => curve.send >= 0), ...bundles.slice(0, BUNDLES_MAX)];
}

/**
 * The path of a curve as the control points of a Bézier: it leaves and arrives level, as a message does in time.
 *
 * @param {{x1: number, y1: number, x2: number, y2: number}} curve
 */
export function controls(curve) {
  const dx = curve.x2 - curve.x1;
  const reach = dx >= 0 ? Math.min(dx * 0.5, 70) : Math.max(dx * 0.3, -40);
  return { cx1: curve.x1 + reach, cx2: curve.x2 - reach };
}

/**
 * A point of a curve and its direction there.
 *
 * @param {{x1: number, y1: number, x2: number, y2: number}} curve
 * @param {number} t from 0 to 1
 */
export function pointAt(curve, t) {
  const { cx1, cx2 } = controls(curve);
  const u = 1 - t;
  const x = u * u * u * curve.x1 + 3 * u * u * t * cx1 + 3 * u * t * t * cx2 + t * t * t * curve.x2;
  const y = (u * u * u + 3 * u * u * t) * curve.y1 + (3 * u * t * t + t * t * t) * curve.y2;
  const dx = 3 * u * u * (cx1 - curve.x1) + 6 * u * t * (cx2 - cx1) + 3 * t * t * (curve.x2 - cx2);
  const dy = 6 * u * t * (curve.y2 - curve.y1);
  return { x, y, angle: Math.atan2(dy, dx) };
}

/**
 * How far a point is from a curve, which is taken as a chain of straight pieces.
 *
 * @param {Curve} curve
 * @param {number} px
 * @param {number} py
 */
function distanceTo(curve, px, py) {
  const pieces = 16;
  let least = Infinity;
  let a = pointAt(curve, 0);
  for (let i = 1; i <= pieces; i++) {
    const b = pointAt(curve, i / pieces);
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const along = Math.max(0, Math.min(1, ((px - a.x) * dx + (py - a.y) * dy) / (dx * dx + dy * dy || 1)));
    least = Math.min(least, Math.hypot(a.x + along * dx - px, a.y + along * dy - py));
    a = b;
  }
  return least;
}

/**
 * What is under a point: a ring before a bar before a curve.
 *
 * @param {Scene} scene
 * @param {number} px
 * @param {number} py
 * @param {number} near
 * @returns {{ring?: Ring, bar?: Bar, curve?: Curve} | null}
 */
export function hit(scene, px, py, near = 8) {
  /** @type {Ring | undefined} */
  let ring;
  let least = near + 2;
  for (const one of scene.rings) {
    const distance = Math.hypot(one.x - px, one.y - py);
    if (distance < least) {
      least = distance;
      ring = one;
    }
  }
  if (ring) return { ring };
  /** @type {Bar | undefined} */
  let bar;
  least = near;
  for (const one of scene.bars) {
    if (py < one.y - 3 || py > one.y + one.h + 3) continue;
    const distance = Math.max(0, one.x - px, px - one.x - one.w);
    if (distance < least || (distance === least && bar && one.w < bar.w)) {
      least = distance;
      bar = one;
    }
  }
  if (bar && least <= 2) return { bar };
  /** @type {Curve | undefined} */
  let curve;
  let closest = 6;
  for (const one of scene.curves) {
    if (px < Math.min(one.x1, one.x2) - 12 || px > Math.max(one.x1, one.x2) + 12) continue;
    const distance = distanceTo(one, px, py);
    if (distance < closest) {
      closest = distance;
      curve = one;
    }
  }
  if (curve) return { curve };
  return bar ? { bar } : null;
}

export { BACKWARDS, MESSAGE_RACING, UNRECEIVED };
