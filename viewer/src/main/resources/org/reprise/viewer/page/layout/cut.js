/**
 * A line that is drawn by hand, and where it goes through the lanes.
 *
 * @typedef {import("./scene.js").Frame} Frame
 * @typedef {{x: number, y: number}} Point
 */

/**
 * Where a line crosses each lane, as moments of the axis: rank and moment, in the order of ranks, for each rank that is in
 * another lane than the one before. A lane above or below the line is crossed where the line begins or ends.
 *
 * @param {Frame} frame
 * @param {Point[]} line
 */
export function moments(frame, line) {
  const perPixel = (frame.to - frame.from) / frame.width;
  return frame.lanes.lanes
    .flatMap((lane) => lane.ranks.map((rank) => ({ rank, lane })))
    .sort((a, b) => a.rank - b.rank)
    .filter(({ lane }, i, all) => i === 0 || all[i - 1].lane !== lane)
    .map(({ rank, lane }) => {
      const x = crossing(line, lane.y + lane.height / 2 - frame.top);
      return `${rank}:${Math.max(0, Math.min(frame.length, Math.round(frame.from + x * perPixel)))}`;
    })
    .join(",");
}

/**
 * @param {Point[]} line
 * @param {number} y
 */
function crossing(line, y) {
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1], line[i]];
    if ((a.y <= y && b.y >= y) || (a.y >= y && b.y <= y)) {
      return a.y === b.y ? b.x : a.x + ((b.x - a.x) * (y - a.y)) / (b.y - a.y);
    }
  }
  const nearest = line.reduce((best, point) => (Math.abs(point.y - y) < Math.abs(best.y - y) ? point : best), line[0]);
  return nearest.x;
}
