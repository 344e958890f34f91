/**
 * Where tasks, their forks and joins, and the accesses in them stand. Moments rise along every path of forks and joins, so
 * with a column for each moment everything stands right of what had to happen before it.
 *
 * @typedef {{id: number, what: string, forked?: number, joined?: number}} Task
 * @typedef {{kind: string, moment: number, place: string, tasks: Task[]}} Access
 * @typedef {{id: string, title: string, rule: string, place: string, ordered: boolean, words: string, accesses: Access[]}} Finding
 *
 * @typedef {object} TaskLane
 * @property {Task} task
 * @property {number} depth how many forks are above it
 * @property {number} start
 * @property {number} end
 * @property {number} parent the lane that it was forked from; -1 of a thread that nobody forked
 * @property {boolean} open whether nobody who forked it joined it
 *
 * @typedef {{finding: number, access: number, lane: number, at: number}} Mark
 * @typedef {{lanes: TaskLane[], marks: Mark[], columns: number}} TaskPicture
 */

/**
 * @param {Finding[]} findings
 * @param {(finding: number) => boolean} shown
 * @returns {TaskPicture}
 */
export function arrangeTasks(findings, shown) {
  /** @type {Map<number, {task: Task, parent: number, children: Set<number>}>} */
  const nodes = new Map();
  /** @type {Set<number>} */
  const moments = new Set();
  findings.forEach((finding, i) => {
    if (!shown(i)) return;
    for (const { tasks, moment } of finding.accesses) {
      moments.add(moment);
      tasks.forEach((task, depth) => {
        const parent = depth === 0 ? -1 : tasks[depth - 1].id;
        if (!nodes.has(task.id)) nodes.set(task.id, { task, parent, children: new Set() });
        nodes.get(parent)?.children.add(task.id);
        if (task.forked !== undefined) moments.add(task.forked);
        if (task.joined !== undefined) moments.add(task.joined);
      });
    }
  });
  const column = new Map([...moments].sort((a, b) => a - b).map((moment, at) => [moment, at]));
  const last = column.size - 0.5;
  /** @type {TaskLane[]} */
  const lanes = [];
  /** @type {Map<number, number>} */
  const laneOf = new Map();
  const place = (/** @type {number} */ id, /** @type {number} */ depth, /** @type {number} */ parent) => {
    const { task, children } = /** @type {NonNullable<ReturnType<typeof nodes.get>>} */ (nodes.get(id));
    const above = parent < 0 ? { start: -0.5, end: last } : lanes[parent];
    const start = task.forked === undefined ? above.start : /** @type {number} */ (column.get(task.forked)) + 0.5;
    const end = task.joined === undefined ? last : /** @type {number} */ (column.get(task.joined)) - 0.5;
    const lane = lanes.push({ task, depth, start, end: Math.max(start, end), parent, open: parent >= 0 && task.joined === undefined }) - 1;
    laneOf.set(id, lane);
    for (const child of inOrder(children)) place(child, depth + 1, lane);
  };
  const inOrder = (/** @type {Iterable<number>} */ ids) => {
    const begun = (/** @type {number} */ id) => nodes.get(id)?.task.forked ?? -1;
    return [...ids].sort((a, b) => begun(a) - begun(b) || a - b);
  };
  for (const id of inOrder([...nodes.keys()].filter((one) => nodes.get(one)?.parent === -1))) place(id, 0, -1);
  const marks = findings.flatMap((finding, i) =>
    shown(i)
      ? finding.accesses.map((access, k) => ({
          finding: i,
          access: k,
          lane: /** @type {number} */ (laneOf.get(access.tasks[access.tasks.length - 1].id)),
          at: /** @type {number} */ (column.get(access.moment)),
        }))
      : [],
  );
  return { lanes, marks, columns: column.size };
}

/**
 * The findings that have all words in them.
 *
 * @param {Finding[]} findings
 * @param {string} query
 * @returns {number[]}
 */
export function matching(findings, query) {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word);
  return findings.flatMap(({ id, title, rule, words: text, accesses }, i) => {
    const all = [id, title, rule, text, ...accesses.flatMap((one) => [one.kind, one.place, ...one.tasks.map((task) => task.what)])].join(" ").toLowerCase();
    return words.every((word) => all.includes(word)) ? [i] : [];
  });
}
