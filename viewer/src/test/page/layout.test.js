import assert from "node:assert/strict";
import test from "node:test";
import { arrange, groupAt, groupSize, ranksPerLane } from "../../main/resources/org/reprise/viewer/page/layout/lanes.js";
import { bytes, duration, place, ticks } from "../../main/resources/org/reprise/viewer/page/layout/scale.js";
import { compose, hit, pointAt } from "../../main/resources/org/reprise/viewer/page/layout/scene.js";

/** @typedef {import("../../main/resources/org/reprise/viewer/page/layout/scene.js").Frame} Frame */
/** @typedef {import("../../main/resources/org/reprise/viewer/page/model/tiles.js").Tile} Tile */

const nobody = { hidden: new Set(), pinned: new Set(), order: [], open: new Set() };

test("each rank has a lane up to 256, above that groups have one", () => {
  assert.equal(ranksPerLane(256), 1);
  assert.equal(ranksPerLane(257), 2);
  assert.equal(ranksPerLane(4096), 16);
  const { lanes, of } = arrange({ ...nobody, ranks: 4096 }, 800);
  assert.equal(lanes.length, 256);
  assert.equal(lanes[1].label, "ranks 16–31");
  assert.equal(of(31), lanes[1]);
});

test("a group that is opened has a lane for each of its ranks", () => {
  const { lanes, of } = arrange({ ...nobody, ranks: 1024, open: new Set([4]) }, 800);
  assert.equal(lanes.length, 259);
  assert.equal(of(5)?.label, "rank 5");
  assert.deepEqual(of(8)?.ranks, [8, 9, 10, 11]);
});

test("where lanes are groups, ranks that do not belong together do not share one", () => {
  const odd = [7, 300];
  const others = Array.from({ length: 512 }, (_, rank) => rank).filter((rank) => !odd.includes(rank));
  const wishes = { ...nobody, ranks: 512, groups: [odd, others], open: new Set([0]) };
  const { lanes, of, at } = arrange(wishes, 800);
  assert.deepEqual(lanes.slice(0, 3).map((lane) => lane.ranks), [[7], [300], [0, 1]]);
  assert.equal(of(300), at(1), "the group of the odd ones is open");
  assert.equal(at(2)?.label, "ranks 0–1");
  assert.equal(of(8)?.label, "ranks 6, 8…");
  assert.equal(groupAt(wishes, 1), 0);
  assert.equal(groupSize(wishes, 0), 2);
});

test("ranks are hidden, pinned to the top and moved", () => {
  const { lanes } = arrange({ ranks: 6, hidden: new Set([1]), pinned: new Set([4]), order: [5, 2], open: new Set() }, 600);
  assert.deepEqual(lanes.map((lane) => lane.ranks[0]), [4, 5, 2, 0, 3]);
  assert.ok(lanes.every((lane, i) => i === 0 || lane.y === lanes[i - 1].y + lanes[i - 1].height));
});

test("marks of an axis are round and apart", () => {
  const { step, places } = ticks(0, 226_000, 1280);
  assert.equal(step, 20_000);
  assert.deepEqual(places.slice(0, 3), [0, 20_000, 40_000]);
  assert.equal(place(40_000, 20_000, "time"), "40 µs");
  assert.equal(place(1_500_000_000, 500_000_000, "time"), "1.5 s");
  assert.equal(place(1234, 1, "order"), "1,234");
  assert.equal(duration(1_250_000), "1.25 ms");
  assert.equal(bytes(1500), "1.50 kB");
});

/** @returns {Tile} */
function calls() {
  const numbers = (/** @type {number[]} */ ...values) => Float64Array.from(values);
  const ints = (/** @type {number[]} */ ...values) => Int32Array.from(values);
  return {
    window: { axis: "time", shift: 10, index: 0, first: 0, ranks: 3, per: 1 },
    table: {
      fields: { complete: 1 },
      columns: {
        event: ints(0, 1, 2),
        rank: ints(0, 1, 2),
        number: ints(0, 0, 0),
        start: numbers(100, 200, 300),
        end: numbers(150, 400, 400),
        state: ints(0, 4, 2),
        call: ints(1, 2, 3),
        peer: ints(1, 0, -1),
        tag: ints(5, 5, -1),
        bytes: numbers(8, 8, 0),
        marks: ints(0, 9, 0),
        collective: ints(-1, -1, 7),
      },
    },
  };
}

/** @returns {Tile} */
function messages() {
  return {
    window: { axis: "time", shift: 10, index: 0, first: 0, ranks: 3, per: 1 },
    table: {
      fields: { complete: 1 },
      columns: {
        send: Int32Array.of(0),
        receive: Int32Array.of(1),
        arrival: Int32Array.of(1),
        source: Int32Array.of(0),
        target: Int32Array.of(1),
        from: Float64Array.of(100),
        to: Float64Array.of(400),
        marks: Int32Array.of(1),
      },
    },
  };
}

/**
 * @param {Partial<Frame>} [changed]
 * @returns {Frame}
 */
function frame(changed = {}) {
  return {
    axis: "time",
    from: 0,
    to: 1000,
    width: 1000,
    height: 150,
    top: 0,
    lanes: arrange({ ...nobody, ranks: 3 }, 150),
    tiles: [calls()],
    messages: [messages()],
    length: 1000,
    ends: new Map(),
    ...changed,
  };
}

test("calls, messages and races stand where their lanes and times are", () => {
  const scene = compose(frame());
  assert.equal(scene.bars.length, 3);
  assert.equal(scene.curves.length, 1);
  assert.deepEqual(scene.rings.map(({ x, y, event }) => [x, y, event]), [[400, 75, 1]]);
  const [curve] = scene.curves;
  assert.deepEqual([curve.x1, curve.y1, curve.x2, curve.y2], [100, 25, 400, 75]);
  assert.deepEqual([pointAt(curve, 1).x, pointAt(curve, 1).y], [400, 75]);
  assert.equal(scene.bands.length, 1);
});

test("an arrow survives when one of its ranks is hidden", () => {
  const hidden = arrange({ ...nobody, ranks: 3, hidden: new Set([0]) }, 150);
  const scene = compose(frame({ lanes: hidden }));
  assert.equal(scene.curves.length, 1);
  assert.equal(scene.curves[0].stub, "0→");
  assert.equal(scene.bars.length, 2);
});

test("a message that two tiles have is drawn once", () => {
  const scene = compose(frame({ tiles: [calls(), calls()], messages: [messages(), messages()] }));
  assert.equal(scene.bars.length, 3);
  assert.equal(scene.curves.length, 1);
});

test("the lane of a rank that was killed ends behind its last call", () => {
  const { tracks } = compose(frame({ ends: new Map([[1, 400]]) }));
  const whole = tracks[0].x2;
  assert.deepEqual(tracks.map((track) => track.torn), [false, true, false]);
  assert.ok(tracks[1].x2 > 400 && tracks[1].x2 < whole, `${tracks[1].x2} of ${whole}`);
});

test("the pointer finds rings first, then calls, then messages", () => {
  const scene = compose(frame());
  assert.equal(hit(scene, 402, 76)?.ring?.event, 1);
  assert.equal(hit(scene, 120, 25)?.bar?.event, 0);
  const middle = pointAt(scene.curves[0], 0.5);
  assert.equal(hit(scene, middle.x, middle.y)?.curve?.send, 0);
  assert.equal(hit(scene, 900, 140), null);
});

test("races are never dropped from a preview", () => {
  /** @type {Tile} */
  const preview = {
    window: { axis: "time", shift: 10, index: 0, first: 0, ranks: 3, per: 1 },
    table: {
      fields: { complete: 0, bins: 512 },
      columns: {
        place: Int32Array.of(0, 1, 2),
        ranks: Int32Array.of(1, 1, 1),
        shares: new Uint8Array(3 * 512 * 5),
        raceLane: Int32Array.of(0, 2),
        raceBin: Int32Array.of(10, 500),
        raceCount: Int32Array.of(3, 40),
        raceEvent: Int32Array.of(5, 9),
      },
    },
  };
  const scene = compose(frame({ tiles: [preview], messages: [] }));
  assert.equal(scene.previews.length, 3);
  assert.equal(scene.rings.reduce((sum, ring) => sum + ring.count, 0), 43);
});
