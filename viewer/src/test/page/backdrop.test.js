import assert from "node:assert/strict";
import { test } from "node:test";
import { Backdrop } from "../../main/resources/org/reprise/viewer/page/drawing/backdrop.js";

/** What a backdrop does with canvases, without a browser: they only count. */
class FakeCanvas {
  width = 1;
  height = 1;
  getContext() {
    return { setTransform() {} };
  }
}
Object.assign(globalThis, { document: { createElement: () => new FakeCanvas() }, window: { devicePixelRatio: 1 } });

const lanes = /** @type {any} */ ({ lanes: [], height: 400, per: 1, of: () => undefined });

/**
 * @param {number} from
 * @param {number} to
 * @returns {import("../../main/resources/org/reprise/viewer/page/drawing/backdrop.js").Sight}
 */
const sight = (from, to) => ({ axis: "time", from, to, width: 1000, height: 400, top: 0, lanes, length: 100_000, looks: "light" });

/**
 * A backdrop whose pictures have so many steps of a cost, and what it did.
 *
 * @param {number} steps
 * @param {number} cost
 * @param {() => Set<string>} missing
 */
function backdrop(steps, cost, missing = () => new Set()) {
  /** @type {any[]} */
  const begun = [];
  /** @type {any[]} */
  const shown = [];
  const made = new Backdrop((asked) => {
    begun.push(asked);
    const paint = function* () {
      for (let i = 0; i < steps; i++) yield cost;
    };
    return { missing: missing(), paint };
  });
  const context = /** @type {any} */ ({ fillRect() {}, drawImage: (/** @type {any[]} */ ...words) => shown.push(words) });
  let now = 1000;
  return {
    made,
    begun,
    shown,
    frame: (/** @type {any} */ at, millis = 16) => made.show(context, at, "white", (now += millis)),
  };
}

test("a picture that fits into a frame is sharp in that frame, and painted once", () => {
  const { made, begun, frame } = backdrop(3, 10);
  const at = sight(0, 1000);
  frame(at);
  assert.ok(made.isExact(at));
  for (let i = 0; i < 20; i++) frame(at);
  assert.equal(begun.length, 1);
  const zoomed = sight(100, 600);
  frame(zoomed);
  assert.ok(made.isExact(zoomed));
});

test("a slow picture is painted in slices, and what was there before is shown meanwhile", () => {
  const { made, shown, frame } = backdrop(40, 100);
  const at = sight(0, 1000);
  let frames = 0;
  while (!made.isExact(at)) {
    assert.ok(frame(at), "it asks for another frame");
    assert.ok(++frames < 100);
  }
  assert.ok(frames > 2, `${frames} frames`);
  shown.length = 0;
  frame(sight(200, 700));
  assert.ok(!made.isExact(sight(200, 700)));
  const [, x, , wide, , left, , width] = shown[shown.length - 1];
  assert.deepEqual([x, wide, left, width], [200, 500, 0, 1000]);
});

test("once it rests, a slow picture reaches beyond its sides, and moving within it paints nothing", () => {
  const { made, begun, frame } = backdrop(40, 100);
  for (let i = 0; i < 100 && frame(sight(5000, 6000)); i++);
  const wide = begun[begun.length - 1];
  assert.ok(wide.from < 4500 && wide.to > 6500, `${wide.from} to ${wide.to}`);
  const before = begun.length;
  for (let by = 0; by <= 300; by += 30) {
    frame(sight(5000 + by, 6000 + by));
    assert.ok(made.isExact(sight(5000 + by, 6000 + by)));
  }
  assert.equal(begun.length, before);
  for (let by = 300; by <= 3000; by += 30) frame(sight(5000 + by, 6000 + by));
  assert.ok(begun.length > before, "it goes on before the room ends");
});

test("a picture without a tile waits for it, and for no other", () => {
  let open = new Set(["lanes 1"]);
  const { made, begun, frame } = backdrop(3, 10, () => open);
  const at = sight(0, 1000);
  for (let i = 0; i < 5; i++) frame(at);
  assert.equal(begun.length, 1);
  assert.ok(!made.isExact(at));
  made.outdate("lanes 2");
  frame(at);
  assert.equal(begun.length, 1);
  open = new Set();
  made.outdate("lanes 1");
  frame(at);
  assert.equal(begun.length, 2);
  assert.ok(made.isExact(at));
});

test("what left the picture long ago, or has other lanes, is not finished", () => {
  const { made, begun, frame } = backdrop(1000, 100);
  frame(sight(0, 1000));
  frame(sight(50_000, 51_000));
  assert.equal(begun.length, 2);
  frame({ ...sight(50_000, 51_000), lanes: { ...lanes } });
  assert.equal(begun.length, 3);
  assert.ok(!made.isExact(sight(50_000, 51_000)));
});

test("a view that rests becomes sharp in a few frames, however late they come", () => {
  const { made, frame } = backdrop(100, 100);
  const at = sight(0, 1000);
  let frames = 0;
  while (!made.isExact(at) && frames < 1000) {
    frame(at, 400);
    frames++;
  }
  assert.ok(frames <= 25, `${frames} frames`);
});
