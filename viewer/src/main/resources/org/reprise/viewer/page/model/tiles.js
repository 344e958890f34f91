/**
 * Parts of the picture as the server cuts them: a tile covers 2^shift units of an axis and begins at a multiple of that.
 * A tile that has every call needs no finer ones.
 *
 * @typedef {import("./columns.js").Table} Table
 * @typedef {import("./types.js").AxisKind} AxisKind
 * @typedef {object} Window
 * @property {AxisKind} axis
 * @property {number} shift
 * @property {number} index
 * @property {number} first place of its first rank in the order of ranks
 * @property {number} ranks
 * @property {number} per so many ranks share a lane
 * @property {string} [by] what the order of ranks comes from, if it is not their number
 * @property {string} [open] first places of groups whose ranks have a lane each
 * @typedef {{window: Window, table: Table}} Tile
 */

/** About so many pixels are a tile wide, at least. */
const TILE_PIXELS = 512;

/** Tiles that are kept have so many bytes together. A picture of 256 lanes with room on all sides has a third of it. */
const KEPT_BYTES_MAX = 32_000_000;

/** So many tiles are asked for at the same time; the others wait, and are left out if the view has moved on meanwhile. */
const ASKED_MAX = 4;

/** What a tile takes beside its columns. */
const TILE_BYTES = 4_000;

/** @param {Table} table */
const bytesOf = (table) => Object.values(table.columns).reduce((sum, column) => sum + column.byteLength, TILE_BYTES);

/**
 * The size of tiles for a picture in which a pixel is so many units.
 *
 * @param {number} perPixel
 * @param {number} most that of the whole axis
 */
export function shiftFor(perPixel, most) {
  return Math.max(0, Math.min(most, Math.ceil(Math.log2(Math.max(1e-9, perPixel * TILE_PIXELS)))));
}

/**
 * The tiles of a size that cover a stretch, and one more on each side.
 *
 * @param {number} from
 * @param {number} to
 * @param {number} shift
 * @param {number} most size of the whole axis
 */
export function indices(from, to, shift, most) {
  const width = 2 ** shift;
  const last = 2 ** (most - shift) - 1;
  const a = Math.max(0, Math.floor(from / width));
  const b = Math.min(last, Math.floor(to / width));
  const seen = [];
  for (let i = a; i <= b; i++) seen.push(i);
  return { seen, beside: [a - 1, b + 1].filter((i) => i >= 0 && i <= last) };
}

/** Tiles by their address; those asked for last are kept. */
export class TileCache {
  /**
   * @param {(window: Window) => Promise<Table>} ask
   * @param {(key: string) => void} arrived
   */
  constructor(ask, arrived) {
    this.ask = ask;
    this.arrived = arrived;
    /** @type {Map<string, Tile | null>} */
    this.tiles = new Map();
    /** @type {Map<string, {window: Window, done: () => void}>} that are still to be asked for */
    this.waiting = new Map();
    this.asked = 0;
    this.bytes = 0;
    this.pending = 0;
    /** @type {string | null} */
    this.failure = null;
  }

  /** @param {Window} w */
  static key(w) {
    return `${w.axis} ${w.shift} ${w.index} ${w.first} ${w.ranks} ${w.per} ${w.by ?? ""} ${w.open ?? ""}`;
  }

  /**
   * What is known of a window: the tile itself, or one around it that has every call.
   *
   * @param {Window} window
   * @param {number} most
   * @param {boolean} ask for it, if neither is there
   * @returns {Tile | null} a coarser one meanwhile
   */
  get(window, most, ask) {
    for (let shift = window.shift; shift <= most; shift++) {
      const index = Math.floor(window.index / 2 ** (shift - window.shift));
      const tile = this.tiles.get(TileCache.key({ ...window, shift, index }));
      if (tile && (shift === window.shift || tile.table.fields.complete)) return this.touch(tile);
    }
    if (ask) void this.request(window);
    for (let shift = window.shift + 1; shift <= most; shift++) {
      const index = Math.floor(window.index / 2 ** (shift - window.shift));
      const tile = this.tiles.get(TileCache.key({ ...window, shift, index }));
      if (tile) return tile;
    }
    return null;
  }

  /** @param {Tile} tile */
  touch(tile) {
    const key = TileCache.key(tile.window);
    this.tiles.delete(key);
    this.tiles.set(key, tile);
    return tile;
  }

  /** @param {string} newest stays */
  dropOldest(newest) {
    for (const [key, tile] of this.tiles) {
      if (this.bytes <= KEPT_BYTES_MAX) break;
      if (!tile || key === newest) continue;
      this.tiles.delete(key);
      this.bytes -= bytesOf(tile.table);
    }
  }

  /** Leaves out what was not asked for yet: what is to be seen now will be requested again. */
  forget() {
    for (const [key, { done }] of this.waiting) {
      this.tiles.delete(key);
      this.pending--;
      done();
    }
    this.waiting.clear();
  }

  /**
   * @param {Window} window
   * @returns {Promise<void>} when it is there, or was left out
   */
  request(window) {
    const key = TileCache.key(window);
    if (this.tiles.has(key)) return Promise.resolve();
    this.tiles.set(key, null);
    this.pending++;
    return new Promise((done) => {
      this.waiting.set(key, { window, done });
      this.askNext();
    });
  }

  askNext() {
    for (const [key, { window, done }] of this.waiting) {
      if (this.asked >= ASKED_MAX) return;
      this.waiting.delete(key);
      this.asked++;
      void this.load(key, window).then(() => {
        this.asked--;
        done();
        this.askNext();
      });
    }
  }

  /**
   * @param {string} key
   * @param {Window} window
   */
  async load(key, window) {
    await this.ask(window)
      .then((table) => {
        this.tiles.set(key, { window, table });
        this.bytes += bytesOf(table);
        this.failure = null;
      })
      .catch((error) => {
        this.tiles.delete(key);
        this.failure = String(error.message ?? error);
      })
      .finally(() => {
        this.pending--;
        this.dropOldest(key);
        // What failed is asked for again with the next picture, not at once.
        this.arrived(this.tiles.has(key) ? key : "");
      });
  }
}
