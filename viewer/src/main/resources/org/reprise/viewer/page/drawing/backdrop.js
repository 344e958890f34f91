import { ground } from "./canvas.js";

/**
 * The still picture under a view that moves. A picture of many ranks takes longer to paint than a frame lasts, so it is
 * painted aside, a slice in each frame, and what was painted before is moved and stretched with the view meanwhile. A
 * picture that fits into one slice is sharp at once. Guarded by the view benchmark.
 *
 * @typedef {import("../layout/scene.js").Frame} Frame
 * @typedef {import("../layout/lanes.js").Lanes} Lanes
 * @typedef {import("../model/types.js").AxisKind} AxisKind
 *
 * @typedef {object} Sight what is to be seen
 * @property {AxisKind} axis
 * @property {number} from
 * @property {number} to
 * @property {number} width
 * @property {number} height
 * @property {number} top
 * @property {Lanes} lanes
 * @property {number} length of the axis
 * @property {string} looks of everything else: a picture with other looks is another picture
 *
 * @typedef {object} Painting
 * @property {HTMLCanvasElement} canvas
 * @property {Sight} sight
 * @property {number} ratio pixels of the screen in one of the page
 * @property {Iterator<number>} steps
 * @property {Set<string>} missing tiles that were not there when it was begun
 * @property {boolean} isStale whether one of them has come since
 * @property {boolean} isRoomy whether it reaches beyond what was to be seen
 * @property {number} slices
 */

/** A frame should take so long while the view moves, and while it rests. */
const MOVING_MILLIS = 22;
const RESTING_MILLIS = 45;

/** A view that changed so lately is moving. */
export const REST_MILLIS = 140;

/** Costs that a slice may have; what a unit takes depends on the machine, so the limit follows the frames. */
const COST_FIRST = 500;
const COST_MIN = 60;
const COST_MAX = 20_000;

/** A picture that is this many times too coarse or too fine is not worth finishing. */
const STRETCH_MAX = 12;

/** A picture reaches this many widths beyond each side, and this share of its height beyond top and bottom. */
const ROOM = 0.8;
const ROOM_HEIGHT = 0.3;

/** The next one is begun when this much of the room is left. */
const ROOM_LEFT = 0.35;

/** Canvases that are kept to be used again. */
const SPARE_MAX = 1;

/** @param {Sight} sight */
const perPixel = (sight) => (sight.to - sight.from) / sight.width;

export class Backdrop {
  /**
   * @param {(sight: Sight) => {missing: Set<string>, paint: (context: CanvasRenderingContext2D) => Iterator<number>}} compose
   */
  constructor(compose) {
    this.compose = compose;
    /** @type {Painting | null} what is shown */
    this.front = null;
    /** @type {Painting | null} what is being painted */
    this.back = null;
    /** @type {Painting | null} the whole axis, for the sides that the front does not have */
    this.base = null;
    /** @type {HTMLCanvasElement[]} no longer shown */
    this.spare = [];
    /** What a slice may cost while the view moves, and while it rests. */
    this.moving = COST_FIRST;
    this.resting = COST_FIRST;
    this.last = 0;
    this.changed = 0;
    /** @type {Sight | null} */
    this.before = null;
  }

  /**
   * A tile has come. What was painted without it is shown until the new picture is there.
   *
   * @param {string} tile
   */
  outdate(tile) {
    for (const painting of [this.front, this.back]) if (painting?.missing.has(tile)) painting.isStale = true;
  }

  /**
   * Shows a sight, as well as it can be had by now.
   *
   * @param {CanvasRenderingContext2D} context whose upper left corner is that of the lanes
   * @param {Sight} sight
   * @param {string} colour of the ground
   * @param {number} now
   * @returns {boolean} whether to come again in the next frame
   */
  show(context, sight, colour, now) {
    const { before } = this;
    if (!before || before.from !== sight.from || before.to !== sight.to || before.top !== sight.top) this.changed = now;
    const moving = before !== null && now - this.changed < REST_MILLIS;
    this.measure(now, moving);
    if (this.back && !isWorthIt(this.back.sight, sight)) {
      this.release(this.back);
      this.back = null;
    }
    if (!this.back) {
      const wanted = this.wanted(sight, moving);
      if (wanted) this.begin(wanted, wanted !== sight);
    }
    if (this.back) this.slice(this.back, moving ? this.moving : this.resting);
    this.before = sight;
    context.fillStyle = colour;
    context.fillRect(0, 0, sight.width, sight.height);
    if (this.base && this.base !== this.front && !(this.front && covers(this.front.sight, sight))) blit(context, this.base, sight);
    if (this.front) blit(context, this.front, sight);
    return this.back !== null || this.wanted(sight, now - this.changed < REST_MILLIS) !== null || (moving && this.isSlow);
  }

  /** Whether pictures take more than one frame. */
  get isSlow() {
    return this.front !== null && this.front.slices > 1;
  }

  /**
   * Whether a sight is shown sharply and with all that is known.
   *
   * @param {Sight} sight
   */
  isExact(sight) {
    return this.fits(sight) && this.front?.missing.size === 0;
  }

  /**
   * Whether painting a sight again would change nothing.
   *
   * @param {Sight} sight
   */
  fits(sight) {
    return this.front !== null && !this.front.isStale && isSharp(this.front.sight, sight) && covers(this.front.sight, sight);
  }

  /**
   * Lets slices follow the frames: longer ones where there is time.
   *
   * @param {number} now
   * @param {boolean} moving
   */
  measure(now, moving) {
    const took = now - this.last;
    this.last = now;
    if (!this.back || this.back.slices === 0) return;
    const next = (/** @type {number} */ cost, /** @type {number} */ aim, /** @type {number} */ least) =>
      Math.max(least, Math.min(COST_MAX, cost * (took > aim ? Math.max(0.5, aim / took) : 1.25)));
    if (moving) this.moving = next(this.moving, MOVING_MILLIS, COST_MIN);
    // On a busy machine frames are late whatever is painted in them: a view that rests goes on all the same.
    else this.resting = next(this.resting, RESTING_MILLIS, COST_FIRST);
  }

  /**
   * The sight that is to be painted next: this one, or a wider one around it; none if all is there.
   *
   * @param {Sight} sight
   * @param {boolean} moving
   * @returns {Sight | null}
   */
  wanted(sight, moving) {
    const { front } = this;
    if (!front || !this.fits(sight)) {
      const along = moving && front !== null && this.isSlow && isSharp(front.sight, sight);
      return along ? this.ahead(sight) : sight;
    }
    if (!this.isSlow) return null;
    if (!front.isRoomy) return this.ahead(sight);
    return moving && !hasRoom(front.sight, sight) ? this.ahead(sight) : null;
  }

  /**
   * A wider sight; wider still where the view goes to.
   *
   * @param {Sight} sight
   */
  ahead(sight) {
    const { before } = this;
    const length = sight.to - sight.from;
    const by = before ? Math.sign(sight.from - before.from) * ROOM * 0.5 : 0;
    const least = Math.min(sight.from, -0.015 * sight.length);
    const most = Math.max(sight.to, 1.015 * sight.length);
    const unit = perPixel(sight);
    // In whole pixels, so that what is moved there stays sharp.
    const left = Math.floor(Math.max(0, Math.min(sight.from - least, (ROOM - by) * length)) / unit);
    const right = Math.floor(Math.max(0, Math.min(most - sight.to, (ROOM + by) * length)) / unit);
    const room = Math.round(ROOM_HEIGHT * sight.height);
    const top = Math.max(0, sight.top - room);
    const bottom = Math.max(sight.top + sight.height, Math.min(sight.lanes.height, sight.top + sight.height + room));
    return {
      ...sight,
      from: sight.from - left * unit,
      to: sight.to + right * unit,
      width: sight.width + left + right,
      top,
      height: bottom - top,
    };
  }

  /**
   * @param {Sight} sight
   * @param {boolean} isRoomy
   */
  begin(sight, isRoomy) {
    const { missing, paint } = this.compose(sight);
    const ratio = window.devicePixelRatio || 1;
    const canvas = this.canvas(Math.max(1, Math.round(sight.width * ratio)), Math.max(1, Math.round(sight.height * ratio)));
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    ground(context, ratio);
    this.back = { canvas, sight, ratio, steps: paint(context), missing, isStale: false, isRoomy, slices: 0 };
  }

  /**
   * A canvas of this size, one that was used before if there is any: large ones wait long for the collector.
   *
   * @param {number} width
   * @param {number} height
   */
  canvas(width, height) {
    const at = this.spare.findIndex((one) => one.width === width && one.height === height);
    const canvas = at >= 0 ? this.spare.splice(at, 1)[0] : document.createElement("canvas");
    if (at < 0) {
      canvas.width = width;
      canvas.height = height;
    }
    return canvas;
  }

  /** @param {Painting} painting */
  release({ canvas }) {
    this.spare.push(canvas);
    for (const old of this.spare.splice(0, this.spare.length - SPARE_MAX)) old.width = old.height = 0;
  }

  /**
   * @param {Painting} painting
   * @param {number} cost
   */
  slice(painting, cost) {
    painting.slices++;
    let spent = 0;
    while (spent < cost) {
      const step = painting.steps.next();
      if (step.done) {
        const old = [this.front, this.base];
        const { from, to, length } = painting.sight;
        this.back = null;
        this.front = painting;
        if (from <= 0 && to >= length) this.base = painting;
        for (const one of new Set(old)) if (one && one !== this.front && one !== this.base) this.release(one);
        return;
      }
      spent += step.value;
    }
  }
}

/**
 * @param {Sight} painted
 * @param {Sight} sight
 */
function isAlike(painted, sight) {
  return painted.axis === sight.axis && painted.looks === sight.looks && painted.lanes === sight.lanes;
}

/**
 * @param {Sight} painted
 * @param {Sight} sight
 */
function isSharp(painted, sight) {
  return isAlike(painted, sight) && Math.abs(perPixel(painted) / perPixel(sight) - 1) < 1e-6;
}

/**
 * @param {Sight} painted
 * @param {Sight} sight
 */
function covers(painted, sight) {
  const slack = perPixel(sight) * 0.75;
  return (
    isAlike(painted, sight) &&
    painted.from <= sight.from + slack &&
    painted.to >= sight.to - slack &&
    painted.top <= sight.top + 0.5 &&
    painted.top + painted.height >= Math.min(sight.lanes.height, sight.top + sight.height) - 0.5
  );
}

/**
 * Whether a view can go on for a while in what is painted.
 *
 * @param {Sight} painted
 * @param {Sight} sight
 */
function hasRoom(painted, sight) {
  const room = (sight.to - sight.from) * ROOM * ROOM_LEFT;
  const least = -0.015 * sight.length;
  const most = 1.015 * sight.length;
  return painted.from <= Math.max(least, sight.from - room) + 1 && painted.to >= Math.min(most, sight.to + room) - 1;
}

/**
 * Whether a picture will be of use when it is finished.
 *
 * @param {Sight} painted
 * @param {Sight} sight
 */
function isWorthIt(painted, sight) {
  const stretch = perPixel(painted) / perPixel(sight);
  const together = Math.min(painted.to, sight.to) - Math.max(painted.from, sight.from);
  return isAlike(painted, sight) && stretch < STRETCH_MAX && stretch > 1 / STRETCH_MAX && together > 0;
}

/**
 * Puts what was painted where it belongs in a sight.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Painting} painting
 * @param {Sight} sight
 */
function blit(context, painting, sight) {
  const painted = painting.sight;
  if (!isAlike(painted, sight)) return;
  const y = painted.top - sight.top;
  if (isSharp(painted, sight)) {
    const x = Math.round(((painted.from - sight.from) / perPixel(sight)) * painting.ratio) / painting.ratio;
    context.drawImage(painting.canvas, x, y, painted.width, painted.height);
    return;
  }
  // Only the part that is seen: a canvas that is stretched a thousand times would be far larger than any screen.
  const from = Math.max(painted.from, sight.from);
  const to = Math.min(painted.to, sight.to);
  if (to <= from) return;
  const source = painting.ratio / perPixel(painted);
  const target = 1 / perPixel(sight);
  const wide = Math.max(0.01, (to - from) * source);
  context.imageSmoothingEnabled = false;
  context.drawImage(
    painting.canvas,
    (from - painted.from) * source,
    0,
    wide,
    painting.canvas.height,
    (from - sight.from) * target,
    y,
    (to - from) * target,
    painted.height,
  );
}
