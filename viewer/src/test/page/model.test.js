import assert from "node:assert/strict";
import test from "node:test";
import { address } from "../../main/resources/org/reprise/viewer/page/model/source.js";
import { indices, shiftFor, TileCache } from "../../main/resources/org/reprise/viewer/page/model/tiles.js";
import { View } from "../../main/resources/org/reprise/viewer/page/model/view.js";

/** @returns {import("../../main/resources/org/reprise/viewer/page/model/types.js").Run} */
function run() {
  return {
    name: "sample",
    command: "",
    replay: "",
    debuggable: true,
    ranks: 8,
    events: 100,
    messages: 10,
    races: 2,
    forced: 2,
    hosts: 1,
    clocksFitted: 0,
    axes: { time: { length: 1000, shift: 10 }, order: { length: 50, shift: 6 } },
    calls: [],
    states: [],
    cutShort: [],
    ending: "exited with status 0",
    sizes: [],
    notes: [],
  differences: [],
  };
}

test("an address holds the whole view and gives it back", () => {
  const view = new View(run());
  view.setAxis("order", null);
  view.show(10, 20);
  view.selected = "3:14";
  view.cone = "past";
  view.cut = true;
  view.tab = "races";
  view.query = "recv tag:5";
  view.hidden = new Set([2, 5]);
  view.pinned = new Set([7]);
  view.order = [7, 1];
  const hash = view.hash();
  const again = new View(run());
  again.restore(hash);
  assert.equal(again.hash(), hash);
  assert.deepEqual([again.axis, again.from, again.to, again.selected], ["order", 10, 20, "3:14"]);
  assert.deepEqual([...again.hidden], [2, 5]);
});

test("an address that somebody has mangled gives a view all the same", () => {
  const view = new View(run());
  view.restore("#axis=up&from=x&to=-3&event=a:b&hide=1.99.x&tab=nothing&cone=wide");
  assert.equal(view.axis, "time");
  assert.ok(view.isWhole);
  assert.equal(view.selected, null);
  assert.deepEqual([...view.hidden], [1]);
  assert.equal(view.tab, "selection");
});

test("zooming keeps the point under the pointer, and ends at the whole run", () => {
  const view = new View(run());
  view.show(200, 600);
  const share = (300 - view.from) / view.length;
  view.zoom(300, 0.5);
  assert.ok(Math.abs((300 - view.from) / view.length - share) < 1e-9);
  for (let i = 0; i < 50; i++) view.zoom(300, 2);
  assert.ok(view.isWhole);
  for (let i = 0; i < 200; i++) view.zoom(300, 0.5);
  assert.ok(view.length >= 4);
});

test("panning does not leave the run", () => {
  const view = new View(run());
  view.show(200, 600);
  for (let i = 0; i < 50; i++) view.pan(-1);
  assert.ok(view.from >= -20 && Math.abs(view.length - 400) < 1e-9);
  for (let i = 0; i < 50; i++) view.pan(1);
  assert.ok(view.to <= 1020);
});

test("tiles cover what is in sight, and their neighbours are asked ahead", () => {
  assert.deepEqual(indices(200, 600, 8, 10), { seen: [0, 1, 2], beside: [3] });
  assert.deepEqual(indices(-15, 1015, 10, 10), { seen: [0], beside: [] });
  assert.equal(shiftFor(1, 10), 9);
  assert.equal(shiftFor(1000, 10), 10);
  assert.equal(shiftFor(1e-6, 10), 0);
});

test("a tile that has every call serves for finer ones; others only until those come", async () => {
  /** @type {string[]} */
  const asked = [];
  let complete = 0;
  const cache = new TileCache(
    async (window) => {
      asked.push(TileCache.key(window));
      return { fields: { complete }, columns: {} };
    },
    () => {},
  );
  /** @type {import("../../main/resources/org/reprise/viewer/page/model/tiles.js").Window} */
  const whole = { axis: "time", shift: 10, index: 0, first: 0, ranks: 8, per: 1 };
  assert.equal(cache.get(whole, 10, true), null);
  await new Promise((done) => setTimeout(done, 5));
  const coarse = cache.get(whole, 10, true);
  assert.ok(coarse);
  complete = 1;
  assert.equal(cache.get({ ...whole, shift: 9, index: 1 }, 10, true), coarse, "stands in meanwhile");
  await new Promise((done) => setTimeout(done, 5));
  const fine = cache.get({ ...whole, shift: 9, index: 1 }, 10, true);
  assert.notEqual(fine, coarse);
  assert.equal(cache.get({ ...whole, shift: 7, index: 4 }, 10, true), fine, "has every call");
  assert.equal(asked.length, 2);
});

test("tiles are kept while there is room for them, those looked at last the longest", async () => {
  const cache = new TileCache(
    async () => ({ fields: { complete: 0 }, columns: { shares: new Uint8Array(5_000_000) } }),
    () => {},
  );
  const at = (/** @type {number} */ index) => /** @type {any} */ ({ axis: "time", shift: 0, index, first: 0, ranks: 8, per: 1 });
  for (let i = 0; i < 20; i++) {
    cache.get(at(i), 0, true);
    await new Promise((done) => setTimeout(done, 1));
    assert.ok(cache.get(at(i), 0, false), "the newest is there");
    assert.ok(cache.get(at(0), 0, false), "what is looked at stays");
  }
  assert.equal(cache.tiles.size, 6);
  assert.ok(cache.bytes < 32_000_000);
});

test("tiles that the view has passed by are not asked for", async () => {
  /** @type {Array<{index: number, answer: () => void}>} */
  const asked = [];
  const cache = new TileCache(
    ({ index }) => new Promise((done) => asked.push({ index, answer: () => done({ fields: { complete: 0 }, columns: {} }) })),
    () => {},
  );
  const at = (/** @type {number} */ index) => /** @type {any} */ ({ axis: "time", shift: 0, index, first: 0, ranks: 8, per: 1 });
  for (let i = 0; i < 10; i++) cache.get(at(i), 0, true);
  assert.deepEqual(asked.map(({ index }) => index), [0, 1, 2, 3]);
  assert.equal(cache.pending, 10);
  cache.forget();
  cache.get(at(20), 0, true);
  assert.equal(cache.pending, 5);
  asked[0].answer();
  await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual(asked.map(({ index }) => index), [0, 1, 2, 3, 20]);
  for (const { answer } of asked) answer();
  await new Promise((done) => setTimeout(done, 5));
  assert.equal(cache.pending, 0);
  assert.equal(cache.get(at(7), 0, true), null);
  assert.equal(asked[5].index, 7, "if it is looked at again, it is asked for");
});

test("addresses are one way to ask a question", () => {
  assert.equal(address("event", { event: "2:17" }), "api/event?event=2%3A17");
  assert.equal(address("run", {}), "api/run");
});
