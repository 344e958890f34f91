/** Numbers for people, and places for the marks of an axis. */

/** @typedef {import("../model/types.js").AxisKind} AxisKind */

/**
 * Round places in a stretch, about one every so many pixels.
 *
 * @param {number} from
 * @param {number} to
 * @param {number} width in pixels
 */
export function ticks(from, to, width, apart = 110) {
  const rough = ((to - from) * apart) / Math.max(1, width);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10));
  const places = [];
  // Not -0, which would be seen.
  for (let at = Math.ceil(from / step) * step + 0; at <= to; at += step) places.push(at);
  return { step, places };
}

const UNITS = [
  { name: "s", nanos: 1e9 },
  { name: "ms", nanos: 1e6 },
  { name: "µs", nanos: 1e3 },
  { name: "ns", nanos: 1 },
];

/**
 * A length of time: 1.25 ms.
 *
 * @param {number} nanos
 */
export function duration(nanos) {
  const size = Math.abs(nanos);
  const unit = UNITS.find(({ nanos: one }) => size >= one) ?? UNITS[3];
  const value = nanos / unit.nanos;
  const digits = unit.name === "ns" || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit.name}`;
}

/**
 * A place on an axis whose marks are a step apart.
 *
 * @param {number} at
 * @param {number} step
 * @param {AxisKind} axis
 */
export function place(at, step, axis) {
  if (axis === "order") return count(Math.round(at));
  if (at === 0) return "0";
  const unit = UNITS.find(({ nanos }) => step >= nanos || (nanos <= step * 1000 && Math.abs(at) >= nanos)) ?? UNITS[3];
  const digits = Math.max(0, Math.ceil(-Math.log10(step / unit.nanos) - 1e-9));
  return `${(at / unit.nanos).toFixed(Math.min(6, digits))} ${unit.name}`;
}

/** @param {number} number */
export function count(number) {
  return number.toLocaleString("en-US");
}

/**
 * @param {number} number
 * @param {string} noun
 * @param {string} [plural]
 */
export function counted(number, noun, plural = `${noun}s`) {
  return `${count(number)} ${number === 1 ? noun : plural}`;
}

/** @param {number} bytes */
export function bytes(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = -1;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${units[unit]}`;
}
