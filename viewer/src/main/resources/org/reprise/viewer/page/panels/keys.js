import { byId } from "./dom.js";

/**
 * Everything by keyboard.
 *
 * @typedef {import("../app.js").App} App
 */

/** @type {Array<"none" | "past" | "future" | "both">} */
const CONES = ["none", "past", "future", "both"];

/** @param {App} app */
export function listenToKeys(app) {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof HTMLInputElement) {
      if (event.key === "Escape") app.picture.focus();
      return;
    }
    const arrows = event.key.startsWith("Arrow") && target !== app.picture && target !== document.body;
    if (arrows || /** @type {HTMLDialogElement} */ (byId("help")).open) return;
    const act = actions(app)[event.key.length === 1 && event.key !== "N" && event.key !== "B" ? event.key.toLowerCase() : event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });
}

/**
 * @param {App} app
 * @returns {Record<string, () => void>}
 */
function actions(app) {
  const { view } = app;
  const middle = () => {
    const at = app.event ? (view.axis === "time" ? app.event.end : app.event.orderEnd) : NaN;
    return at > view.from && at < view.to ? at : (view.from + view.to) / 2;
  };
  const zoom = (/** @type {number} */ factor) => {
    view.zoom(middle(), factor);
    app.changed();
  };
  const pan = (/** @type {number} */ share) => {
    view.pan(share);
    app.changed();
  };
  const scroll = (/** @type {number} */ pixels) => {
    view.top += pixels;
    app.redraw();
  };
  return {
    w: () => zoom(0.7),
    s: () => zoom(1 / 0.7),
    a: () => pan(-0.15),
    d: () => pan(0.15),
    ArrowLeft: () => pan(-0.15),
    ArrowRight: () => pan(0.15),
    ArrowUp: () => scroll(-60),
    ArrowDown: () => scroll(60),
    0: () => app.showAll(),
    f: () => app.focus(),
    ".": () => app.step(1),
    ",": () => app.step(-1),
    "[": () => app.follow(-1),
    "]": () => app.follow(1),
    n: () => void app.nextRace(false),
    N: () => void app.nextRace(true),
    o: () => app.setAxis(view.axis === "time" ? "order" : "time"),
    c: () => app.showCone(CONES[(CONES.indexOf(view.cone) + 1) % CONES.length]),
    x: () => app.showCut(!view.cut),
    b: () => app.drawStraightCut(),
    B: () => app.setCut(""),
    r: () => app.arrangeNext(),
    h: () => change(app, (first, count) => {
      for (let rank = first; rank < first + count; rank++) view.hidden.add(rank);
    }),
    u: () => {
      view.hidden.clear();
      view.pinned.clear();
      view.order = [];
      void app.arrangeBy("rank");
    },
    p: () => change(app, (rank) => void (view.pinned.delete(rank) || view.pinned.add(rank))),
    j: () => change(app, (rank) => move(app, rank, 1)),
    k: () => change(app, (rank) => move(app, rank, -1)),
    g: () => change(app, (rank) => toggleGroup(app, rank)),
    e: () => {
      view.tab = "events";
      app.remember(true);
      app.tabs.show();
    },
    t: () => app.switchTheme(),
    "/": () => byId("query").focus(),
    "?": () => app.help(),
    Escape: () => void app.select(null, false),
  };
}

/**
 * Does something with the lane of the selected event.
 *
 * @param {App} app
 * @param {(rank: number, count: number) => void} act gets its first rank, and how many it has
 */
function change(app, act) {
  const rank = app.event?.rank;
  const lane = rank === undefined ? undefined : app.frame?.lanes.of(rank);
  if (!lane) {
    app.tell("select an event of the rank first");
    return;
  }
  act(lane.first, lane.count);
  app.changed(true);
}

/**
 * @param {App} app
 * @param {number} rank first of its lane
 * @param {number} by
 */
export function move(app, rank, by) {
  const order = (app.frame?.lanes.lanes ?? []).map((lane) => lane.first);
  const at = order.indexOf(rank);
  const to = at + by;
  if (at < 0 || to < 0 || to >= order.length) return;
  order.splice(at, 1);
  order.splice(to, 0, rank);
  app.view.order = order;
}

/**
 * @param {App} app
 * @param {number} rank
 */
export function toggleGroup(app, rank) {
  const per = app.frame?.lanes.per ?? 1;
  if (per === 1) {
    app.tell("each rank has a lane of its own already");
    return;
  }
  const first = rank - (rank % per);
  if (!app.view.open.delete(first)) app.view.open.add(first);
}
