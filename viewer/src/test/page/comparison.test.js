import assert from "node:assert/strict";
import { test } from "node:test";
import { moments } from "../../main/resources/org/reprise/viewer/page/layout/cut.js";
import { alignment } from "../../main/resources/org/reprise/viewer/page/model/comparison.js";

/** @type {any} */
const COMPARISON = {
  a: "left",
  b: "right",
  ranks: 3,
  differences: [
    { rank: 1, original: true, a: { name: "1:5", number: 5 }, b: { name: "1:6", number: 6 } },
    { rank: 2, original: false, a: { name: "2:9", number: 9 } },
  ],
};

test("an event stands beside itself up to the first difference of its rank, and beside nothing behind it", () => {
  assert.equal(alignment(COMPARISON, "0:77", true), "0:77");
  assert.equal(alignment(COMPARISON, "1:4", true), "1:4");
  assert.equal(alignment(COMPARISON, "1:5", true), "1:6");
  assert.equal(alignment(COMPARISON, "1:6", false), "1:5");
  assert.equal(alignment(COMPARISON, "1:6", true), null);
  assert.equal(alignment(COMPARISON, "2:9", true), null, "the other run ended there");
  assert.equal(alignment(COMPARISON, "2:8", false), "2:8");
});

test("a line that is drawn goes through every lane, also those beyond its ends", () => {
  const lane = (/** @type {number} */ first, /** @type {number} */ place) => ({ ranks: [first], y: place * 20, height: 20 });
  /** @type {any} */
  const frame = { from: 100, to: 300, width: 100, length: 1000, top: 0, lanes: { lanes: [lane(0, 2), lane(1, 1), lane(2, 0), lane(3, 3)] } };
  const line = [{ x: 20, y: 25 }, { x: 40, y: 45 }, { x: 60, y: 55 }];
  assert.equal(moments(frame, line), "0:200,1:150,2:140,3:220");
});
