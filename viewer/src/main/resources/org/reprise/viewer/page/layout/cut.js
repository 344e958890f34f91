/**
 * A line that is drawn by hand, and where it goes through the lanes.
 *
 * @typedef {import("./scene.js").Frame} Frame
 * @typedef {{x: number, y: number}} Point
 */

/**
 * Where a line crosses each lane, as moments of the axis: rank and moment, for the first rank of each lane in rising order.
 * A lane above or below the line is crossed where the line begins or ends.
 *
 * @param {Frame} frame
 * @param {Point[]} line
 */
export function moments(frame, line) {
  const perPixel = (frame.to - frame.from) / frame.width;
  return [...frame.lanes.lanes]
    .sort((a, b) => a.first - b.first)
    .map((lane) => {
      const x = crossing(line, lane.y + lane.height / 2 - frame.top);
      return `${lane.first}:${Math.max(0, Math.min(frame.length, Math.round(frame.from + x * perPixel)))}`;
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
