import { groupAt } from "../layout/lanes.js";
import { byId } from "./dom.js";
import { focus, follow, nextRace, step } from "./travel.js";

/**
 * Everything by keyboard.
 *
 * @typedef {import("../app.js").App} App
 * @typedef {import("../layout/lanes.js").Lane} Lane
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
    f: () => focus(app),
    ".": () => step(app, 1),
    ",": () => step(app, -1),
    "[": () => follow(app, -1),
    "]": () => follow(app, 1),
    n: () => void nextRace(app, false),
    N: () => void nextRace(app, true),
    o: () => app.setAxis(view.axis === "time" ? "order" : "time"),
    c: () => app.showCone(CONES[(CONES.indexOf(view.cone) + 1) % CONES.length]),
    x: () => app.showCut(!view.cut),
    b: () => app.drawStraightCut(),
    B: () => app.setCut(""),
    r: () => app.arrangeNext(),
    h: () => change(app, ({ ranks }) => {
      for (const rank of ranks) view.hidden.add(rank);
    }),
    u: () => {
      view.hidden.clear();
      view.pinned.clear();
      view.order = [];
      void app.arrangeBy("rank");
    },
    p: () => change(app, ({ ranks: [rank] }) => void (view.pinned.delete(rank) || view.pinned.add(rank))),
    j: () => change(app, (lane) => move(app, lane, 1)),
    k: () => change(app, (lane) => move(app, lane, -1)),
    g: () => change(app, (lane) => toggleGroup(app, lane)),
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
 * @param {(lane: Lane) => void} act
 */
function change(app, act) {
  const rank = app.event?.rank;
  const lane = rank === undefined ? undefined : app.frame?.lanes.of(rank);
  if (!lane) {
    app.tell("select an event of the rank first");
    return;
  }
  act(lane);
  app.changed(true);
}

/**
 * @param {App} app
 * @param {Lane} lane
 * @param {number} by
 */
function move(app, lane, by) {
  const order = (app.frame?.lanes.lanes ?? []).map(({ ranks }) => ranks[0]);
  const at = order.indexOf(lane.ranks[0]);
  const to = at + by;
  if (at < 0 || to < 0 || to >= order.length) return;
  order.splice(at, 1);
  order.splice(to, 0, lane.ranks[0]);
  app.view.order = order;
}

/**
 * @param {App} app
 * @param {Lane} lane of the group, or of one of its ranks
 */
export function toggleGroup(app, { place }) {
  if ((app.frame?.lanes.per ?? 1) === 1) {
    app.tell("each rank has a lane of its own already");
    return;
  }
  const first = groupAt(app.wishes, place);
  if (!app.view.open.delete(first)) app.view.open.add(first);
}
