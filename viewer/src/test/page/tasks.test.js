import assert from "node:assert/strict";
import { test } from "node:test";
import { arrangeTasks, matching } from "../../main/resources/org/reprise/viewer/page/layout/tasks.js";

const main = { id: 1, what: "the first thread" };
const loop = (/** @type {number} */ id) => ({ id, what: `iteration ${id} of the loop`, forked: 4, joined: 20 });
const inner = { id: 9, what: "a task", forked: 8 };

/**
 * @param {string} title
 * @param {Array<{kind: string, moment: number, place: string, tasks: import("../../main/resources/org/reprise/viewer/page/layout/tasks.js").Task[]}>} accesses
 */
const finding = (title, ...accesses) => ({ id: title, title, rule: "anomaly", place: "", ordered: false, words: title, accesses });

const findings = [
  finding("loop", { kind: "write", moment: 7, place: "A:1", tasks: [main, loop(7)] }, { kind: "read", moment: 6, place: "A:2", tasks: [main, loop(6)] }),
  finding("nested", { kind: "write", moment: 9, place: "A:3", tasks: [main, loop(7), inner] }, { kind: "write", moment: 21, place: "A:4", tasks: [main] }),
];

test("each task has one lane, below the one that forked it", () => {
  const { lanes } = arrangeTasks(findings, () => true);
  assert.deepEqual(lanes.map((lane) => [lane.task.id, lane.depth, lane.parent]), [[1, 0, -1], [6, 1, 0], [7, 1, 0], [9, 2, 2]]);
});

test("everything stands right of what had to happen before it", () => {
  const { lanes, marks } = arrangeTasks(findings, () => true);
  for (const lane of lanes) {
    assert.ok(lane.start <= lane.end);
    if (lane.parent >= 0) assert.ok(lanes[lane.parent].start < lane.start && (lane.open || lane.end <= lanes[lane.parent].end));
  }
  for (const { at, lane } of marks) assert.ok(lanes[lane].start <= at && at <= lanes[lane].end);
  const after = /** @type {{at: number}} */ (marks.find((mark) => mark.finding === 1 && mark.access === 1));
  assert.ok(after.at > lanes[1].end && after.at > lanes[2].end, "the first thread goes on when the loop is joined");
});

test("a task that nobody joined is open to the end", () => {
  const { lanes } = arrangeTasks(findings, () => true);
  assert.deepEqual(lanes.map((lane) => lane.open), [false, false, false, true]);
});

test("the tasks of one finding only, and those that have all words", () => {
  assert.deepEqual(arrangeTasks(findings, (one) => one === 1).lanes.map((lane) => lane.task.id), [1, 7, 9]);
  assert.deepEqual(matching(findings, "write A:3"), [1]);
  assert.deepEqual(matching(findings, ""), [0, 1]);
});
