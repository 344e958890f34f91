/**
 * Which rank is drawn where. A lane has one rank, or a group of them where there are too many to draw each.
 *
 * @typedef {{place: number, ranks: number[], label: string, y: number, height: number, heading: boolean, pinned: boolean, group: boolean}} Lane
 * @typedef {object} Lanes
 * @property {Lane[]} lanes
 * @property {number} height
 * @property {number} per
 * @property {(rank: number) => Lane | undefined} of
 * @property {(place: number) => Lane | undefined} at the lane of a place in the order of ranks
 *
 * @typedef {object} Wishes
 * @property {number} ranks
 * @property {Set<number>} hidden
 * @property {Set<number>} pinned
 * @property {number[]} order
 * @property {Set<number>} open first places of the groups that were opened
 * @property {number[][]} [groups] ranks that belong together; where lanes are groups, these do not mix
 * @property {Set<number>} [begins] ranks above which there is room for a heading
 */

/** With more ranks than this, lanes are groups. */
export const LANES_MAX = 256;

/** More groups than that are not kept apart; the server has the same limit. */
const GROUPS_MAX = 256;

const HEIGHT_MIN = 7;
const HEIGHT_MAX = 58;

/** Room above the first lane of a group. */
export const HEADING = 18;
const HEADINGS_MAX = 64;

/** @param {number} ranks */
export function ranksPerLane(ranks) {
  let per = 1;
  while (ranks / per > LANES_MAX) per *= 2;
  return per;
}

/**
 * The ranks of each lane where lanes are groups, in the order of their places; the server arranges them in the same way.
 *
 * @param {Wishes} wishes
 * @returns {Array<{place: number, ranks: number[]}>}
 */
function groupLanes({ ranks, groups = [] }) {
  const per = ranksPerLane(ranks);
  const all = groups.length > 0 ? groups : [Array.from({ length: ranks }, (_, rank) => rank)];
  const lanes = [];
  let place = 0;
  for (const group of all.length <= GROUPS_MAX ? all : [all.flat()]) {
    for (let at = 0; at < group.length; at += per) lanes.push({ place: place + at, ranks: group.slice(at, at + per) });
    place += group.length;
  }
  return lanes;
}

/**
 * The first place of the group that a place is in.
 *
 * @param {Wishes} wishes
 * @param {number} place
 */
export function groupAt(wishes, place) {
  return groupLanes(wishes).filter((lane) => lane.place <= place).pop()?.place ?? 0;
}

/**
 * How many ranks the group at a place has.
 *
 * @param {Wishes} wishes
 * @param {number} place
 */
export function groupSize(wishes, place) {
  return groupLanes(wishes).find((lane) => lane.place === place)?.ranks.length ?? 0;
}

/** @param {number[]} ranks */
function named(ranks) {
  const last = ranks[ranks.length - 1];
  if (ranks.length === 1) return `rank ${last}`;
  return last - ranks[0] === ranks.length - 1 ? `ranks ${ranks[0]}–${last}` : `ranks ${ranks[0]}, ${ranks[1]}…`;
}

/**
 * @param {Wishes} wishes
 * @param {number} available pixels
 * @returns {Lanes}
 */
export function arrange(wishes, available) {
  const per = ranksPerLane(wishes.ranks);
  const units = groupLanes(wishes).flatMap((lane) =>
    per > 1 && wishes.open.has(lane.place) ? lane.ranks.map((rank, i) => ({ place: lane.place + i, ranks: [rank] })) : [lane],
  );
  const moved = new Map(wishes.order.map((rank, place) => [rank, place]));
  const key = (/** @type {{place: number, ranks: number[]}} */ { place, ranks }) =>
    (wishes.pinned.has(ranks[0]) ? 0 : 1e12) + (moved.get(ranks[0]) ?? 1e6 + place);
  // A group goes when all its ranks are hidden: one that was hidden while it was open does not take the others along.
  const shown = units.filter(({ ranks }) => !ranks.every((rank) => wishes.hidden.has(rank))).sort((a, b) => key(a) - key(b));
  const begins = wishes.begins && wishes.begins.size <= HEADINGS_MAX ? wishes.begins : new Set();
  const headings = shown.filter(({ ranks }) => begins.has(ranks[0])).length * HEADING;
  const height = Math.max(HEIGHT_MIN, Math.min(HEIGHT_MAX, Math.floor((available - headings) / Math.max(1, shown.length))));
  let end = 0;
  const lanes = shown.map((unit) => {
    const heading = begins.has(unit.ranks[0]);
    const y = heading ? end + HEADING : end;
    end = y + height;
    return { ...unit, label: named(unit.ranks), y, height, heading, pinned: wishes.pinned.has(unit.ranks[0]), group: unit.ranks.length > 1 };
  });
  /** @type {Map<number, Lane>} */
  const byRank = new Map();
  /** @type {Map<number, Lane>} */
  const byPlace = new Map();
  for (const lane of lanes) {
    byPlace.set(lane.place, lane);
    for (const rank of lane.ranks) byRank.set(rank, lane);
  }
  return { lanes, height: end, per, of: (rank) => byRank.get(rank), at: (place) => byPlace.get(place) };
}
