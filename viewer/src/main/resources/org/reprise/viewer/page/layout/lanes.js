/**
 * Which rank is drawn where. A lane has one rank, or a group of them where there are too many to draw each.
 *
 * @typedef {{first: number, count: number, label: string, y: number, height: number, pinned: boolean, group: boolean}} Lane
 * @typedef {{lanes: Lane[], height: number, per: number, of: (rank: number) => Lane | undefined}} Lanes
 *
 * @typedef {object} Wishes
 * @property {number} ranks
 * @property {Set<number>} hidden
 * @property {Set<number>} pinned
 * @property {number[]} order
 * @property {Set<number>} open
 */

/** With more ranks than this, lanes are groups. */
export const LANES_MAX = 256;

const HEIGHT_MIN = 7;
const HEIGHT_MAX = 58;

/** @param {number} ranks */
export function ranksPerLane(ranks) {
  let per = 1;
  while (ranks / per > LANES_MAX) per *= 2;
  return per;
}

/**
 * @param {Wishes} wishes
 * @param {number} available pixels
 * @returns {Lanes}
 */
export function arrange(wishes, available) {
  const per = ranksPerLane(wishes.ranks);
  /** @type {Array<{first: number, count: number}>} */
  const units = [];
  for (let first = 0; first < wishes.ranks; first += per) {
    const count = Math.min(per, wishes.ranks - first);
    if (per > 1 && wishes.open.has(first)) {
      for (let rank = first; rank < first + count; rank++) units.push({ first: rank, count: 1 });
    } else {
      units.push({ first, count });
    }
  }
  const moved = new Map(wishes.order.map((rank, place) => [rank, place]));
  const key = (/** @type {{first: number}} */ unit) =>
    (wishes.pinned.has(unit.first) ? 0 : 1e12) + (moved.get(unit.first) ?? 1e6 + unit.first);
  // A group goes when all its ranks are hidden: one that was hidden while it was open does not take the others along.
  const isHidden = (/** @type {{first: number, count: number}} */ { first, count }) => {
    for (let rank = first; rank < first + count; rank++) if (!wishes.hidden.has(rank)) return false;
    return true;
  };
  const shown = units.filter((unit) => !isHidden(unit)).sort((a, b) => key(a) - key(b));
  const height = Math.max(HEIGHT_MIN, Math.min(HEIGHT_MAX, Math.floor(available / Math.max(1, shown.length))));
  const lanes = shown.map((unit, place) => ({
    ...unit,
    label: unit.count === 1 ? `rank ${unit.first}` : `ranks ${unit.first}–${unit.first + unit.count - 1}`,
    y: place * height,
    height,
    pinned: wishes.pinned.has(unit.first),
    group: unit.count > 1,
  }));
  /** @type {Map<number, Lane>} */
  const byRank = new Map();
  for (const lane of lanes) {
    for (let rank = lane.first; rank < lane.first + lane.count; rank++) byRank.set(rank, lane);
  }
  return { lanes, height: lanes.length * height, per, of: (rank) => byRank.get(rank) };
}
