/**
 * How two pictures of two runs stay together.
 *
 * @typedef {import("./types.js").EventSummary} EventSummary
 * @typedef {import("./view.js").View} View
 *
 * @typedef {object} Difference
 * @property {number} rank
 * @property {boolean} original whether no other difference led to it
 * @property {EventSummary} [a] the rank's first event in the first run that is another in the second; missing if it had ended
 * @property {EventSummary} [b]
 *
 * @typedef {{a: string, b: string, ranks: number, differences: Difference[]}} Comparison
 */

/**
 * Makes one view show what another does; says whether that changed it.
 *
 * @param {View} from
 * @param {View} to
 */
export function follow(from, to) {
  const same = from.axis === to.axis && from.from === to.from && from.to === to.to && from.top === to.top;
  const lanes = lanesOf(from) === lanesOf(to);
  if (same && lanes) return false;
  to.axis = from.axis;
  // Not by show(): the other run may be longer, and both are to stay in step.
  to.from = from.from;
  to.to = from.to;
  to.top = from.top;
  to.hidden = new Set(from.hidden);
  to.pinned = new Set(from.pinned);
  to.order = [...from.order];
  to.open = new Set(from.open);
  return true;
}

/** @param {View} view */
function lanesOf(view) {
  return [[...view.hidden], [...view.pinned], view.order, [...view.open]].join(";");
}

/**
 * The event of the other run at the same causal position: the same one up to the rank's first difference, and that
 * difference itself; none behind it.
 *
 * @param {Comparison} comparison
 * @param {string} name
 * @param {boolean} isFirst whether the name is one of the first run
 * @returns {string | null}
 */
export function alignment(comparison, name, isFirst) {
  const [rank, number] = name.split(":").map(Number);
  const difference = comparison.differences.find((one) => one.rank === rank);
  if (!difference) return name;
  const own = isFirst ? difference.a : difference.b;
  const other = isFirst ? difference.b : difference.a;
  if (!own || number < own.number) return name;
  return number === own.number ? (other?.name ?? null) : null;
}
